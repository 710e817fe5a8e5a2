import type { Tx } from '../../../db/client'
import { inTransaction } from '../../../db/transaction'
import type { Deps } from '../../../deps'
import { invalid } from '../../../lib/errors'
import { formatRule } from '../../../lib/recurrence/grammar'
import type { Target } from '../../../lib/wire/versions'
import { wallFromText, type WallTime, wallToText } from '../../../lib/time/wall-time'
import type { VisibleCalendar } from '../../../access/calendars/rules'
import { calendarsFor } from '../../../access/calendars/service'
import { announceCancellation, announceTimeChange } from '../announcements/service'
import { handOver } from '../handover/service'
import { NO_TIMES, saysAnything } from '../overrides/rules'
import { cancelOccurrence, changeOccurrence } from '../overrides/service'
import type { EventChanges, EventView } from '../events/model'
import { moveFirst, readTimes, sameTimes, type Times, timesOfOverride, wallOf } from '../events/rules.times'
import { refuseUnsupported } from '../events/rules.unsupported'
import { readRule, type Series } from '../events/rules.recurrence'
import {
  type Edit,
  findOccurrence,
  findEventAccess,
  type FoundOccurrence,
  lockEvent,
  insertEvent,
  refuseDenseRule,
  removeEvent,
  updateEvent,
} from '../events/service'
import {
  type EventAccess,
  seriesOf,
  timesOf,
  timesOfOccurrence,
  toColumns,
  toView,
} from '../events/service.views'
import { extraStartsOfOne, putExtraStarts } from '../extra-starts/service'
import { type Reader, zoneOf } from '../../../access/reader/service'
import type { ScopeQuery } from './model'
import * as q from './queries'
import { isStill, type Move, movedRule, movedTimes, movedWall } from './rules'
import { destinationOf, refuseHiding } from './service.moving'

type SeriesDeps = Pick<Deps, 'db' | 'clock' | 'config'>

/**
 * The target of a change: the whole event, one occurrence, or a series from one occurrence on; and the calendar to move it to.
 */
type Aim = Target & ScopeQuery & { readonly calendarId?: number | undefined }

/**
 * Changes an event (contract: events.scopes).
 * @throws {AppError} 403, 404 for the event, the occurrence and the calendar, 409 for the Birthdays calendar, 412, 422.
 */
export async function changeEvent(
  deps: SeriesDeps,
  reader: Reader,
  aim: Aim,
  changes: EventChanges,
): Promise<EventView> {
  refuseAimless(aim)
  const { timeZone } = deps.config
  const defaultZone = zoneOf(deps.config, reader.owner)
  return inTransaction(
    deps.db,
    async (tx) => {
      const { edit, found } = await aimAt(tx, deps, reader, { ...aim, calendarId: changes.calendar_id })
      if (found && aim.scope === 'this') {
        const { seen, occurrence } = await changeOccurrence(tx, edit, found, changes)
        return toView(timeZone, seen, occurrence)
      }
      refuseDenseRule(changes, edit.seen.event.recurrenceRule)
      const isDivided = found && aim.scope === 'following' && !isFirst(found)
      const whole = isDivided ? await divide(tx, edit, found) : edit
      // A moved occurrence is where the user sees it, so a new start is relative to that place.
      const before = found ? timesOfOccurrence(found) : timesOf(edit.seen.event)
      return toView(timeZone, await changeAll(tx, whole, changes, { before, defaultZone }))
    },
    reader.userId,
  )
}

/** Reads what `changeEvent` has answered, as it is now: the event, or the occurrence that was named. @throws {AppError} 404. */
export async function readChanged(
  { db, config }: Pick<SeriesDeps, 'db' | 'config'>,
  userId: number,
  id: number,
  occurrenceStart: string | undefined,
): Promise<EventView> {
  const seen = await findEventAccess(db, userId, id)
  const occurrence =
    occurrenceStart === undefined ? undefined : await findOccurrence(db, seen, occurrenceStart)
  return toView(config.timeZone, seen, occurrence)
}

/** Deletes an event. @throws {AppError} 403, 404 for the event and the occurrence, 412, 422. */
export async function deleteEvent(deps: SeriesDeps, reader: Reader, aim: Aim): Promise<void> {
  refuseAimless(aim)
  await inTransaction(
    deps.db,
    async (tx) => {
      const { edit, found } = await aimAt(tx, deps, reader, aim)
      const { event } = edit.seen
      if (found && aim.scope === 'this') return cancelOccurrence(tx, edit, found)
      const isWhole = !found || aim.scope !== 'following' || isFirst(found)
      await announceCancellation(tx, edit, isWhole ? {} : { occurrence: found, andLater: true })
      if (isWhole) return removeEvent(tx, event)
      await endBefore(tx, edit, found)
      await q.removeFrom(tx, event.id, wallToText(found.wall))
    },
    reader.userId,
  )
}

/** @throws {AppError} 422. */
function refuseAimless({ scope = 'all', occurrence_start }: Aim): void {
  if (scope === 'all' || occurrence_start !== undefined) return
  throw invalid([{ field: 'query.occurrence_start', message: `is required with scope ${scope}` }])
}

/** Locks the event, and finds the occurrence if one is named. @throws {AppError} 401, 403, 404, 412. */
async function aimAt(tx: Tx, { clock }: SeriesDeps, reader: Reader, aim: Aim) {
  const now = clock.now()
  const { calendarId, occurrence_start } = aim
  const calendars = calendarId === undefined ? [] : await calendarsFor(tx, reader.userId)
  const alsoHeld = calendars.filter(({ id }) => id === calendarId).map(({ ownerId }) => ownerId)
  const seen = await lockEvent(tx, { session: reader, now }, aim, alsoHeld)
  const found = occurrence_start === undefined ? undefined : await findOccurrence(tx, seen, occurrence_start)
  const edit: Edit = { seen, reader, now, alsoHeld }
  return { edit, found }
}

const isFirst = ({ series, wall }: FoundOccurrence) => wall === wallOf(series.first)

interface Reading {
  /** The times that the request replaces: those of the event, or of the named occurrence. */
  readonly before: Times
  readonly defaultZone: string
}

/** Changes the event with all its occurrences. @throws {AppError} 403, 404, 409, 422. */
async function changeAll(
  tx: Tx,
  edit: Edit,
  changes: EventChanges,
  { before, defaultZone }: Reading,
): Promise<EventAccess> {
  const { event } = edit.seen
  const first = timesOf(event)
  const move = { from: first, to: moveFirst(first, before, readTimes(changes, before, defaultZone)) }
  const rule = changes.recurrence_rule === undefined ? ruleAfter(event, move) : changes.recurrence_rule
  refuseUnsupportedChange(event, move, rule)
  const extras = (await extraStartsOfOne(tx, event.id)).map((wall) => movedWall(move, wall))
  const destination = await destinationOf(tx, edit, changes.calendar_id)
  refuseHiding(edit.seen, destination, changes)
  const changed = await updateEvent(tx, event, {
    ...(await placeIn(tx, event, destination?.id)),
    title: changes.title,
    description: changes.description,
    location: changes.location,
    reminderMinutes: changes.reminder_minutes,
    visibility: changes.visibility,
    ...toColumns(move.to, rule, extras),
    updatedAt: edit.now,
  })
  await moveExtraStarts(tx, changed, { extras, move })
  const seen = await seenAfter(tx, edit, changed, destination)
  const wasSeries = event.recurrenceRule !== null
  const isOther = changed.recurrenceRule !== event.recurrenceRule || (wasSeries && !isStill(move))
  if (isOther && wasSeries)
    await moveOccurrences(tx, seriesOf(changed, extras), { eventId: changed.id, move })
  if (isOther || !sameTimes(first, move.to)) await announceTimeChange(tx, { ...edit, seen })
  return seen
}

/** @throws {AppError} 409 for times or a rule that only another program can change. */
function refuseUnsupportedChange(event: EventAccess['event'], move: Move, rule: string | null): void {
  const isKept = rule === event.recurrenceRule && isStill(move) && sameTimes(move.from, move.to)
  if (!isKept) refuseUnsupported(event)
}

/** Moves the event to its destination, and returns it as the user sees it afterwards. */
async function seenAfter(
  tx: Tx,
  edit: Edit,
  event: EventAccess['event'],
  destination: VisibleCalendar | undefined,
): Promise<EventAccess> {
  if (!destination) return { ...edit.seen, event }
  await handOver(tx, edit, destination)
  return findEventAccess(tx, edit.reader.userId, event.id)
}

const ruleAfter = ({ recurrenceRule }: EventAccess['event'], move: Move): string | null =>
  recurrenceRule === null ? null : movedRule(recurrenceRule, readRule(recurrenceRule), move)

/** There may be thousands of extra starts, so they are written only when they change. */
async function moveExtraStarts(
  tx: Tx,
  event: EventAccess['event'],
  { extras, move }: { readonly extras: readonly WallTime[]; readonly move: Move },
): Promise<void> {
  if (event.recurrenceRule === null || !isStill(move)) await writeExtraStarts(tx, event, extras)
}

/** An event that does not repeat has no extra starts. */
async function writeExtraStarts(
  tx: Tx,
  { id, recurrenceRule }: EventAccess['event'],
  extras: readonly WallTime[],
  before: readonly WallTime[] = extras,
): Promise<void> {
  if (before.length === 0) return
  // After a change to whole days, several starts may fall on the same day.
  await putExtraStarts(tx, new Map([[id, recurrenceRule === null ? [] : [...new Set(extras)]]]))
}

/** Gives the event a new UID, or the name that objects have by themselves, if the calendar already has an event with its UID: the same file may be imported into both. */
async function placeIn(tx: Tx, event: EventAccess['event'], calendarId: number = event.calendarId) {
  if (calendarId === event.calendarId) return { calendarId }
  const isTaken = await q.hasUid(tx, calendarId, event.uid)
  const isNamed = event.objectName !== null && (await q.hasName(tx, calendarId, event.objectName))
  return { calendarId, ...(isTaken && { uid: q.NEW_UID }), ...(isNamed && { objectName: null }) }
}

/** Moves overrides and answers along with their occurrences, and deletes those of occurrences that no longer exist. */
async function moveOccurrences(
  tx: Tx,
  series: Series | undefined,
  { eventId, move }: { readonly eventId: number; readonly move: Move },
): Promise<void> {
  // After a change to whole days, several occurrences may become one: keep one row for each `holderOf`.
  const placed = <R extends { readonly occurrenceStart: string }>(
    rows: readonly R[],
    holderOf: (row: R) => number,
  ): R[] => {
    const moved = rows
      .map((row) => ({ row, wall: movedWall(move, wallFromText(row.occurrenceStart)) }))
      .filter(({ wall }) => series?.has(wall))
      .map(({ row, wall }) => ({ ...row, occurrenceStart: wallToText(wall) }))
    return [...new Map(moved.map((row) => [`${holderOf(row)} ${row.occurrenceStart}`, row])).values()]
  }
  const overrides = placed(await q.takeOverrides(tx, eventId), (row) => row.eventId)
  await q.insertOverrides(
    tx,
    overrides
      .map((row) => ({ ...row, ...timesAfter(row, move) }))
      .filter((row) => row.isCancelled || row.textStart !== null || saysAnything(row)),
  )
  await q.insertResponses(
    tx,
    placed(await q.takeResponses(tx, eventId), ({ invitationId }) => invitationId),
  )
}

function timesAfter(
  override: q.OverrideRow,
  move: Move,
): ReturnType<typeof timesOfOverride> | typeof NO_TIMES {
  if (override.startAt === null && override.startDate === null) return NO_TIMES
  const moved = movedTimes(move, timesOfOccurrence({ original: move.from, override }))
  return moved ? timesOfOverride(move.to, moved) : NO_TIMES
}

/** Ends the series before that occurrence, which is not the first. @throws {AppError} 409 for one that only another program can end. */
async function endBefore(tx: Tx, { seen, now }: Edit, { series, wall }: FoundOccurrence): Promise<void> {
  refuseUnsupported(seen.event)
  const left = series.before(wall)
  if (!left) throw new Error('there is nothing before the occurrence')
  const columns = toColumns(series.first, formatRule(left.rule), left.extras)
  const event = await updateEvent(tx, seen.event, { ...columns, updatedAt: now })
  await writeExtraStarts(tx, event, left.extras, series.extras)
}

/**
 * Splits the series at that occurrence, which is not the first. Returns an edit of the new series, which the rest of the
 * change applies to.
 */
async function divide(tx: Tx, edit: Edit, found: FoundOccurrence): Promise<Edit> {
  const { seen, reader, now } = edit
  const { event } = seen
  const { wall } = found
  const { ruleText, extras } = repetitionFrom(event, found)
  await endBefore(tx, edit, found)
  const created = await insertEvent(tx, {
    calendarId: event.calendarId,
    title: event.title,
    description: event.description,
    location: event.location,
    reminderMinutes: event.reminderMinutes,
    visibility: event.visibility,
    isCancelled: event.isCancelled,
    ...toColumns(found.original, ruleText, extras),
    // The change that follows the split makes it the first version.
    version: 0,
    createdAt: now,
    updatedAt: now,
  })
  await writeExtraStarts(tx, created, extras)
  await q.moveFrom(tx, { from: event.id, to: created.id, occurrenceStart: wallToText(wall) })
  return { ...edit, seen: await findEventAccess(tx, reader.userId, created.id) }
}

/**
 * The repetition of the new series; keeps the text of the rule if its meaning is the same.
 * @throws {AppError} 422 when it would need too many extra starts.
 */
function repetitionFrom({ recurrenceRule }: EventAccess['event'], { series, wall }: FoundOccurrence) {
  const { rule, extras } = series.from(wall)
  const isSame = formatRule(rule) === formatRule(series.rule)
  return { ruleText: isSame ? recurrenceRule : formatRule(rule), extras }
}

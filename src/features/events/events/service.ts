import type { Db, Tx } from '../../../db/client'
import { events } from '../../../db/schema'
import { inTransaction } from '../../../db/transaction'
import type { Deps } from '../../../deps'
import { forbidden, notFound, OvertakenError } from '../../../lib/errors'
import { pauses, READ_LIMIT_MS } from '../../../lib/pauses'
import { addDays, isDay } from '../../../lib/time/time'
import type { PageQuery } from '../../../lib/wire/page'
import { isExpected, stale, type Target } from '../../../lib/wire/versions'
import { type WallTime, wallToText } from '../../../lib/time/wall-time'
import { calendarsFor, type Changer, lockCalendar, lockOwners } from '../../../access/calendars/service'
import { KEPT_DAYS } from '../../../access/operations/rules'
import { listVersions } from '../../../access/versions/service'
import { extraStartsOfOne } from '../extra-starts/service'
import { type Reader, zoneOf } from '../../../access/reader/service'
import type { EventChanges, EventHistory, EventView, NewEvent, PreviewBody, PreviewView } from './model'
import * as q from './queries'
import { DECADES, readGivenRule, refusalOfRule, type Series, toSeries } from './rules.recurrence'
import { readTimes, timesAt } from './rules.times'
import { refusalOfHiding, refusalOfPrivate } from './rules.visibility'
import {
  accessTo,
  type EventAccess,
  formatStart,
  masked,
  type Occurrence,
  overrideFor,
  seriesOf,
  toColumns,
  toView,
} from './service.views'

type EventDeps = Pick<Deps, 'db' | 'clock' | 'config'>

/** @throws {AppError} 401, 403 and 404 for the calendar, 403 for a private one of somebody else's, 409 for the Birthdays calendar, 422. */
export async function createEvent(deps: EventDeps, reader: Reader, body: NewEvent): Promise<EventView> {
  const { clock, config, db } = deps
  const times = readTimes(body, undefined, zoneOf(config, reader.owner))
  refuseDenseRule(body, null)
  const columns = toColumns(times, body.recurrence_rule ?? null)
  const now = clock.now()
  return inTransaction(
    db,
    async (tx) => {
      const calendar = await lockCalendar(tx, { session: reader, now }, body.calendar_id)
      const refusal = refusalOfHiding(body.visibility, calendar.access)
      if (refusal) throw refusal
      const event = await q.insert(tx, {
        calendarId: calendar.id,
        title: body.title,
        description: body.description ?? null,
        location: body.location ?? null,
        reminderMinutes: body.reminder_minutes ?? null,
        visibility: body.visibility,
        ...columns,
        createdAt: now,
        updatedAt: now,
      })
      const { access } = calendar
      const seen = { event, calendar, home: calendar, access, invitation: null, isMasked: false }
      return toView(config.timeZone, seen)
    },
    reader.userId,
  )
}

/**
 * Checks a new rule; a client may send back the stored rule unchanged, even if it is dense.
 * @throws {AppError} 422 for too many occurrences a day.
 */
export function refuseDenseRule(
  { recurrence_rule: given }: Pick<EventChanges, 'recurrence_rule'>,
  stored: string | null,
): void {
  if (given != null && given !== stored) readGivenRule(given)
}

/** @throws {AppError} 404. */
export async function readEvent({ db, config }: EventDeps, userId: number, id: number): Promise<EventView> {
  return toView(config.timeZone, await findEventAccess(db, userId, id))
}

/** The network names of the owners of events that the caller has been shown, by the ids of the events. */
export const ownerNamesOf = async (
  { db }: Pick<Deps, 'db'>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> =>
  new Map((await q.ownerNames(db, ids)).map(({ id, networkName }) => [id, networkName]))

/** The network names of others who have written into the events, as long as the history is kept; null for those who are nobody to the reader. */
export const otherAuthorsOf = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { userId }: Pick<Reader, 'userId'>,
  ids: readonly number[],
) => q.otherAuthors(db, userId, ids, addDays(clock.now(), -KEPT_DAYS))

/**
 * Returns a page of the versions that the event had in calendars which the user sees. Whoever sees it by invitation alone sees no
 * former versions of it. Of a private event a member sees no version that says more than its times.
 * @throws {AppError} 404, 422 for a cursor of another list.
 */
export async function listEventVersions(
  deps: EventDeps,
  { userId }: Pick<Reader, 'userId'>,
  id: number,
  query: PageQuery,
): Promise<EventHistory> {
  const { event: row, home, invitation } = await findEventAccess(deps.db, userId, id)
  if (!home) throw notFound('Event')
  const calendars = await calendarsFor(deps.db, userId)
  const toVersion = (event: q.EventRow) => {
    const seen = accessTo(calendars, event, invitation)
    if (!seen?.home) return undefined
    // An invitation to a private event says what it is, not what it was.
    const isHidden = seen.access !== 'owner' && row.visibility === 'private' && event.version !== row.version
    return toView(deps.config.timeZone, isHidden ? masked(seen) : seen)
  }
  return listVersions(deps, { userId }, query, { table: events, row, toViews: (rows) => rows.map(toVersion) })
}

/** Returns the event as the user sees it, through its calendar or by invitation. @throws {AppError} 404. */
export async function findEventAccess(db: Db | Tx, userId: number, id: number): Promise<EventAccess> {
  const found = await q.find(db, userId, id)
  const seen = found && accessTo(await calendarsFor(db, userId), found.event, found.invitation)
  if (!seen) throw notFound('Event')
  return seen
}

/** A locked event and the change that is being made to it. */
export interface Edit {
  readonly seen: EventAccess
  readonly reader: Reader
  readonly now: Date
  /** Users that the transaction has locked besides the reader and the event's owner. */
  readonly alsoHeld: readonly number[]
}

/**
 * Locks the owner and the users in `also`, then the event, and returns it.
 * @throws {AppError} 401, 404, 403 when the user may only read the event, 412 when its version is not the expected one.
 */
export async function lockEvent(
  tx: Tx,
  changer: Changer,
  { id, expected }: Target,
  also: readonly number[] = [],
): Promise<EventAccess> {
  const { userId } = changer.session
  const ownerId = ownerOf(await findEventAccess(tx, userId, id))
  await lockOwners(tx, changer, [ownerId, ...also])
  if (!(await q.lock(tx, id))) throw notFound('Event')
  const held = await findEventAccess(tx, userId, id)
  if (ownerOf(held) !== ownerId) throw new OvertakenError()
  if (!isExpected(held.event.version, expected)) throw stale()
  return held
}

/** @throws {AppError} 403 for a private event in somebody else's calendar. */
export function refusePrivate({ event, home }: EventAccess): void {
  const refusal = refusalOfPrivate({ visibility: event.visibility, access: home?.access ?? null })
  if (refusal) throw refusal
}

/** Returns the owner of an event that the user may change. @throws {AppError} 403. */
export function ownerOf(seen: EventAccess): number {
  refusePrivate(seen)
  const { home, access } = seen
  if (access === 'read' || !home) throw forbidden('Insufficient permissions')
  return home.ownerId
}

export const insertEvent = q.insert
/** Writes the next version. The event is locked. */
export const updateEvent = q.update
/** Deletes the event with everything that belongs to it. The event is locked. */
export const removeEvent = q.remove

/** One occurrence of a series, as the caller sees it. */
export interface FoundOccurrence extends Occurrence {
  readonly series: Series
  /** Identifies the occurrence within its series. */
  readonly wall: WallTime
}

/**
 * Finds the occurrence by its original start: a day, or a date-time, which without an offset is wall time in the event's zone.
 * @throws {AppError} 404 when the event has no such occurrence, or it was deleted.
 */
export async function findOccurrence(
  db: Db | Tx,
  { event, invitation, isMasked }: EventAccess,
  occurrenceStart: string,
): Promise<FoundOccurrence> {
  const extras = event.recurrenceRule === null ? [] : await extraStartsOfOne(db, event.id)
  const series = seriesOf(event, extras)
  const wall = series?.find(occurrenceStart)
  if (!series || wall === undefined) throw notFound('Occurrence')
  const override = overrideFor({ isMasked }, await q.findOverride(db, event.id, wallToText(wall)))
  if (override?.isCancelled) throw notFound('Occurrence')
  const response = invitation ? await q.findResponse(db, invitation.id, wallToText(wall)) : undefined
  return { series, wall, original: timesAt(series.first, wall), override, response }
}

/** Returns the first occurrences of a rule and the rule in words; stores nothing. @throws {AppError} 422. */
export async function previewRecurrence(
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  { owner }: Reader,
  { start, time_zone = null, recurrence_rule, count = 10 }: PreviewBody,
): Promise<PreviewView> {
  const given = isDay(start)
    ? { all_day: true, start_date: start, end_date: start }
    : { start_at: start, end_at: start, time_zone }
  const first = readTimes(given, undefined, zoneOf(config, owner))
  const rule = readGivenRule(recurrence_rule)
  const refusal = refusalOfRule(first, rule)
  if (refusal) throw refusal
  const series = toSeries(first, rule)
  const pause = pauses(clock, READ_LIMIT_MS)
  const walls: WallTime[] = []
  for (const span of DECADES) {
    walls.push(...series.within(span, count - walls.length))
    if (walls.length === count) break
    await pause()
  }
  return {
    occurrences: walls.map((wall) => formatStart(config.timeZone, timesAt(first, wall))),
    text: series.inWords(),
  }
}

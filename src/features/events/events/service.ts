import type { Db, Tx } from '../../../db/client'
import type { InvitationResponse } from '../../../db/schema'
import { inTransaction } from '../../../db/transaction'
import type { Deps } from '../../../deps'
import { forbidden, notFound, OvertakenError } from '../../../lib/errors'
import { pauses, READ_LIMIT_MS } from '../../../lib/pauses'
import { formatInstant, isDay } from '../../../lib/time/time'
import { isExpected, stale, type Target } from '../../../lib/wire/versions'
import { wallFromText, wallIn, type WallTime, wallToText } from '../../../lib/time/wall-time'
import type { Access, VisibleCalendar } from '../../../access/calendars/rules'
import { calendarsFor, type Changer, lockCalendar, lockOwners } from '../../../access/calendars/service'
import { extraStartsOfOne } from '../extra-starts/service'
import { type Reader, zoneOf } from '../../../access/reader/service'
import type { EventChanges, EventView, NewEvent, PreviewBody, PreviewView } from './model'
import * as q from './queries'
import {
  DECADES,
  lastEndOf,
  readGivenRule,
  readRule,
  refusalOfRule,
  type Series,
  toSeries,
} from './rules.recurrence'
import { textsOf } from './rules.texts'
import { readTimes, startAndEnd, type Times, timesAt } from './rules.times'

type EventDeps = Pick<Deps, 'db' | 'clock' | 'config'>

/** The columns that views of an event and of its invitations need. */
export type Shown = Omit<q.EventRow, 'allDay' | 'uid' | 'lastEndAt' | 'lastEndDate'>
type ShownInvitation = Pick<q.InvitationRow, 'id' | 'response' | 'displayCalendarId'>

/** An event, or a series, as one user sees it. */
export interface EventAccess<E extends Shown = q.EventRow> {
  readonly event: E
  /** The calendar in which the user sees the event; null when the invitee has not put it into any calendar. */
  readonly calendar: VisibleCalendar | null
  /** The calendar that contains the event; null when the user sees the event only by invitation. */
  readonly home: VisibleCalendar | null
  readonly access: Access
  readonly invitation: ShownInvitation | null
}

/** The columns of an override that views need. */
export type ShownOverride = Pick<
  q.OccurrenceRow,
  'isCancelled' | 'changes' | 'startAt' | 'endAt' | 'startDate' | 'endDate'
>

/** One occurrence of a series. */
export interface Occurrence {
  /** The times without the override. */
  readonly original: Times
  readonly override?: ShownOverride | undefined
  /** The caller's answer to this occurrence alone. */
  readonly response?: InvitationResponse | undefined
}

/** @throws {AppError} 401, 403 and 404 for the calendar, 409 for the Birthdays calendar, 422. */
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
      const event = await q.insert(tx, {
        calendarId: calendar.id,
        title: body.title,
        description: body.description ?? null,
        location: body.location ?? null,
        reminderMinutes: body.reminder_minutes ?? null,
        ...columns,
        createdAt: now,
        updatedAt: now,
      })
      const seen = { event, calendar, home: calendar, access: calendar.access, invitation: null }
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

/** Returns the event as the user sees it, through its calendar or by invitation. @throws {AppError} 404. */
export async function findEventAccess(db: Db | Tx, userId: number, id: number): Promise<EventAccess> {
  const found = await q.find(db, userId, id)
  const seen = found && accessTo(await calendarsFor(db, userId), found.event, found.invitation)
  if (!seen) throw notFound('Event')
  return seen
}

/** How a user with these calendars sees an event; undefined when they cannot see it. */
export function accessTo<E extends Shown>(
  calendars: readonly VisibleCalendar[],
  event: E,
  invitation: ShownInvitation | null,
): EventAccess<E> | undefined {
  const named = (wanted: number | null) => calendars.find(({ id }) => id === wanted) ?? null
  const home = named(event.calendarId)
  if (!home && !invitation) return undefined
  const calendar = (invitation && named(invitation.displayCalendarId)) ?? home
  return { event, calendar, home, access: home?.access ?? 'read', invitation }
}

/** Whether the event is already in that calendar, for the user or for its owner. */
export const isIn = ({ event, calendar }: EventAccess, calendarId: number): boolean =>
  calendarId === event.calendarId || calendarId === calendar?.id

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

/** Returns the owner of an event that the user may change. @throws {AppError} 403. */
export function ownerOf({ home, access }: EventAccess): number {
  if (access === 'read' || !home) throw forbidden('Insufficient permissions')
  return home.ownerId
}

export const insertEvent = q.insert
/** Writes the next version. The event is locked. */
export const updateEvent = q.update
/** Deletes the event with everything that belongs to it. The event is locked. */
export const removeEvent = q.remove

/** The columns that determine when an event takes place. */
export type TimesRow = Pick<
  q.EventRow,
  'startAt' | 'endAt' | 'startWall' | 'timeZone' | 'startDate' | 'endDate'
>

/** The times of the event; for a series, those of its first occurrence. */
export function timesOf(row: TimesRow): Times {
  const { startAt, endAt, startWall, timeZone, startDate, endDate } = row
  if (startDate !== null && endDate !== null) return { allDay: true, startDate, endDate }
  if (startAt === null || endAt === null || startWall === null || timeZone === null) {
    throw new Error('the event has no times')
  }
  return { allDay: false, startAt, endAt, startWall: wallFromText(startWall), timeZone }
}

/** Undefined when the event does not repeat. Callers may leave out extra starts that they do not need. */
export const seriesOf = (
  row: TimesRow & Pick<q.EventRow, 'recurrenceRule'>,
  extras: readonly WallTime[],
): Series | undefined =>
  row.recurrenceRule === null ? undefined : toSeries(timesOf(row), readRule(row.recurrenceRule), extras)

/**
 * The columns for times and rule; extra starts have a table of their own.
 * @throws {AppError} 422 for a rule that cannot repeat these times.
 */
export function toColumns(times: Times, ruleText: string | null, extras: readonly WallTime[] = []) {
  const text = ruleText?.replace(/^RRULE:/i, '') ?? null
  const rule = text === null ? undefined : readRule(text)
  const refusal = rule && refusalOfRule(times, rule)
  if (refusal) throw refusal
  return {
    allDay: times.allDay,
    ...startAndEnd(times),
    startWall: times.allDay ? null : wallToText(times.startWall),
    timeZone: times.allDay ? null : times.timeZone,
    recurrenceRule: text,
    ...lastEndOf(times, rule, extras),
  }
}

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
  { event, invitation }: EventAccess,
  occurrenceStart: string,
): Promise<FoundOccurrence> {
  const extras = event.recurrenceRule === null ? [] : await extraStartsOfOne(db, event.id)
  const series = seriesOf(event, extras)
  const wall = series?.find(occurrenceStart)
  if (!series || wall === undefined) throw notFound('Occurrence')
  const override = await q.findOverride(db, event.id, wallToText(wall))
  if (override?.isCancelled) throw notFound('Occurrence')
  const response = invitation ? await q.findResponse(db, invitation.id, wallToText(wall)) : undefined
  return { series, wall, original: timesAt(series.first, wall), override, response }
}

/** The times from the override, or else those that the series gives. */
export function timesOfOccurrence({ original, override }: Occurrence): Times {
  if (!override) return original
  const { startAt, endAt, startDate, endDate } = override
  if (original.allDay) {
    return startDate !== null && endDate !== null ? { ...original, startDate, endDate } : original
  }
  if (startAt === null || endAt === null) return original
  return { ...original, startAt, endAt, startWall: wallIn(original.timeZone, startAt) }
}

/** The times of the event or, when given, of its occurrence. */
export const timesIn = ({ event }: EventAccess<Shown>, occurrence?: Occurrence): Times =>
  occurrence ? timesOfOccurrence(occurrence) : timesOf(event)

/** Callers that already know the `times` pass them. Written without spreads, as lists hold thousands of views. */
export function toView(
  serverZone: string,
  seen: EventAccess<Shown>,
  occurrence?: Occurrence,
  times: Times = timesIn(seen, occurrence),
): EventView {
  const { event, calendar, access, invitation } = seen
  const texts = textsOf(event, occurrence?.override?.changes)
  const shownIn = calendar ?? NO_CALENDAR
  const when = toTimesView(serverZone, times)
  return {
    id: event.id,
    calendar_id: shownIn.id,
    calendar_name: shownIn.name,
    calendar_color: shownIn.color,
    title: texts.title,
    description: texts.description,
    location: texts.location,
    all_day: when.all_day,
    start_at: when.start_at,
    end_at: when.end_at,
    time_zone: when.time_zone,
    start_date: when.start_date,
    end_date: when.end_date,
    recurrence_rule: event.recurrenceRule,
    recurrence_unsupported: event.recurrenceUnsupported,
    reminder_minutes: texts.reminderMinutes,
    access,
    my_invitation: invitation && {
      id: invitation.id,
      response: occurrence?.response ?? invitation.response,
      display_calendar_id: invitation.displayCalendarId,
    },
    is_virtual: false,
    occurrence_start: occurrence ? formatStart(serverZone, occurrence.original) : null,
    is_override: occurrence?.override !== undefined,
    version: event.version,
    created_at: formatInstant(serverZone, event.createdAt),
    updated_at: formatInstant(serverZone, event.updatedAt),
  }
}

const NO_CALENDAR = { id: null, name: null, color: null }

const toTimesView = (serverZone: string, times: Times) => ({
  all_day: times.allDay,
  start_at: times.allDay ? null : formatInstant(serverZone, times.startAt),
  end_at: times.allDay ? null : formatInstant(serverZone, times.endAt),
  time_zone: times.allDay ? null : times.timeZone,
  start_date: times.allDay ? times.startDate : null,
  end_date: times.allDay ? times.endDate : null,
})

/** A day, or a date-time in the zone of the server. */
const formatStart = (serverZone: string, times: Times): string =>
  times.allDay ? times.startDate : formatInstant(serverZone, times.startAt)

/** The public name of an occurrence, from the wall time under which the database stores it. */
export const toOccurrenceStart = (serverZone: string, series: TimesRow, wall: string): string =>
  formatStart(serverZone, timesAt(timesOf(series), wallFromText(wall)))

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

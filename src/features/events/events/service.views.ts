import type { Access, VisibleCalendar } from '../../../access/calendars/rules'
import type { InvitationResponse } from '../../../db/schema'
import { formatInstant } from '../../../lib/time/time'
import { wallFromText, wallIn, type WallTime, wallToText } from '../../../lib/time/wall-time'
import type { EventView } from './model'
import type * as q from './queries'
import { lastEndOf, readRule, refusalOfRule, type Series, toSeries } from './rules.recurrence'
import { textsOf } from './rules.texts'
import { startAndEnd, type Times, timesAt } from './rules.times'
import { isMasked, isOthersPrivate, MASKED, maskedOverride } from './rules.visibility'

/** The columns that views of an event and of its invitations need. */
export type Shown = Omit<q.EventRow, 'allDay' | 'uid' | 'objectName' | 'lastEndAt' | 'lastEndDate'>
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
  /** Whether the user sees its times alone: `event` has no texts then, and nothing else of it may be shown. */
  readonly isMasked: boolean
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

/**
 * How a user with these calendars sees an event; undefined when they cannot see it. Everything that shows events takes them from
 * here, without what the user may not know (contract: events.visibility).
 */
export function accessTo<E extends Shown>(
  calendars: readonly VisibleCalendar[],
  event: E,
  invitation: ShownInvitation | null,
): EventAccess<E> | undefined {
  const named = (wanted: number | null) => calendars.find(({ id }) => id === wanted) ?? null
  const home = named(event.calendarId)
  if (!home && !invitation) return undefined
  const calendar = (invitation && named(invitation.displayCalendarId)) ?? home
  const seen = { event, calendar, home, access: accessIn(home, event), invitation, isMasked: false }
  const { visibility } = event
  return isMasked({ visibility, access: home && home.access, isInvited: invitation !== null })
    ? masked(seen)
    : seen
}

/** Whoever sees an event by invitation alone cannot change it, nor can members a private one. */
const accessIn = (home: VisibleCalendar | null, { visibility }: Shown): Access =>
  !home || isOthersPrivate({ visibility, access: home.access }) ? 'read' : home.access

/** The event with its times alone. */
export const masked = <E extends Shown>(seen: EventAccess<E>): EventAccess<E> => ({
  ...seen,
  event: { ...seen.event, ...MASKED, visibility: 'private' },
  access: 'read',
  isMasked: true,
})

/** The override as the user sees it; undefined when it says nothing to them. */
export const overrideFor = <O extends ShownOverride>(
  seen: Pick<EventAccess<Shown>, 'isMasked'>,
  override: O | undefined,
): O | undefined => (seen.isMasked && override ? maskedOverride(override) : override)

/** Whether the event is already in that calendar, for the user or for its owner. */
export const isIn = ({ event, calendar }: EventAccess, calendarId: number): boolean =>
  calendarId === event.calendarId || calendarId === calendar?.id

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
  const override = overrideFor(seen, occurrence?.override)
  const texts = textsOf(event, override?.changes)
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
    visibility: event.visibility,
    access,
    my_invitation: invitation && {
      id: invitation.id,
      response: occurrence?.response ?? invitation.response,
      display_calendar_id: invitation.displayCalendarId,
    },
    is_virtual: false,
    occurrence_start: occurrence ? formatStart(serverZone, occurrence.original) : null,
    is_override: override !== undefined,
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
export const formatStart = (serverZone: string, times: Times): string =>
  times.allDay ? times.startDate : formatInstant(serverZone, times.startAt)

/** The public name of an occurrence, from the wall time under which the database stores it. */
export const toOccurrenceStart = (serverZone: string, series: TimesRow, wall: string): string =>
  formatStart(serverZone, timesAt(timesOf(series), wallFromText(wall)))

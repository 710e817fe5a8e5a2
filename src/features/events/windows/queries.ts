import { and, eq, exists, gt, gte, isNotNull, isNull, lt, ne, not, or, type SQL, sql } from 'drizzle-orm'
import { among, idText } from '../../../db/among'
import type { Db, Tx } from '../../../db/client'
import { type Folding, foldingFor, mentions } from '../../../db/mentions'
import { prepared } from '../../../db/prepared'
import { eventInvitations, eventOccurrences, events } from '../../../db/schema'
import { SHORT_BYTES } from '../occurrences/rules.sizes'
import type { Span } from '../events/rules.recurrence'

// Placeholders of the prepared statements.
const USER = sql.placeholder('userId')
const IDS = sql.placeholder('ids')
const FROM = sql.placeholder('from')
const TO = sql.placeholder('to')
const FROM_DAY = sql.placeholder('fromDay')
const TO_DAY = sql.placeholder('toDay')
const Q = sql.placeholder('q')

const isSingle = isNull(events.recurrenceRule)
const isSeries = isNotNull(events.recurrenceRule)

/** The event, or its series as a whole, may overlap the span. Written as ranges that the indexes support. */
const mayOverlap = or(
  and(lt(events.startAt, TO), or(gte(events.lastEndAt, FROM), isNull(events.lastEndAt))),
  and(lt(events.startDate, TO_DAY), or(gte(events.lastEndDate, FROM_DAY), isNull(events.lastEndDate))),
)

const isMovedInto = or(
  and(lt(eventOccurrences.startAt, TO), gte(eventOccurrences.endAt, FROM)),
  and(lt(eventOccurrences.startDate, TO_DAY), gte(eventOccurrences.endDate, FROM_DAY)),
)

const hasOccurrence = (db: Db | Tx, condition: SQL | undefined) =>
  exists(
    db
      .select({ one: sql`1` })
      .from(eventOccurrences)
      .where(and(eq(eventOccurrences.eventId, events.id), condition)),
  )

/** A series with an occurrence that was moved into the span, wherever its other occurrences are. */
const hasMovedInto = (db: Db | Tx) => and(isSeries, hasOccurrence(db, isMovedInto))

const isNamed = (folding: Folding) =>
  or(
    mentions(events.title, Q, folding),
    mentions(events.location, Q, folding),
    mentions(events.description, Q, folding),
  )

const own = (field: string) => sql`(${eventOccurrences.changes} ->> ${sql.raw(`'${field}'`)})`

/** An override whose own texts match; texts that it does not set are those of the series. */
const isNamedByOverride = (folding: Folding) =>
  or(
    mentions(own('title'), Q, folding),
    mentions(own('location'), Q, folding),
    mentions(own('description'), Q, folding),
  )

/** Filters by `q`. */
const isWanted = (db: Db | Tx, folding: Folding) =>
  folding === ''
    ? undefined
    : or(isNamed(folding), and(isSeries, hasOccurrence(db, isNamedByOverride(folding))))

const isUndeclined = or(isNull(eventInvitations.response), ne(eventInvitations.response, 'Declined'))

// With thousands of events every column costs; long descriptions are read only for events in the response.
const seen = (folding: Folding) => ({
  event: {
    id: events.id,
    calendarId: events.calendarId,
    title: events.title,
    description: sql<
      string | null
    >`case when octet_length(${events.description}) <= ${sql.raw(String(SHORT_BYTES))} then ${events.description} end`,
    descriptionBytes: sql<number>`coalesce(octet_length(${events.description}), 0)`,
    isNamed: folding === '' ? sql<boolean>`true` : sql<boolean>`${isNamed(folding)}`,
    location: events.location,
    startAt: events.startAt,
    endAt: events.endAt,
    startWall: events.startWall,
    timeZone: events.timeZone,
    startDate: events.startDate,
    endDate: events.endDate,
    recurrenceRule: events.recurrenceRule,
    recurrenceUnsupported: events.recurrenceUnsupported,
    reminderMinutes: events.reminderMinutes,
    version: events.version,
    createdAt: events.createdAt,
    updatedAt: events.updatedAt,
  },
  invitation: {
    id: eventInvitations.id,
    response: eventInvitations.response,
    displayCalendarId: eventInvitations.displayCalendarId,
  },
})

const isInvited = and(eq(eventInvitations.eventId, events.id), eq(eventInvitations.userId, USER))
const isDisplayed = among(eventInvitations.displayCalendarId, IDS)

/** Invitees see the event only in the calendar that they chose. */
const inCalendars = (db: Db | Tx, folding: Folding, condition: SQL | undefined) =>
  db
    .select(seen(folding))
    .from(events)
    .leftJoin(eventInvitations, isInvited)
    .where(
      and(
        among(events.calendarId, IDS),
        or(isNull(eventInvitations.displayCalendarId), isDisplayed),
        condition,
        isWanted(db, folding),
      ),
    )

const isDayWithin = and(lt(events.startDate, TO_DAY), gte(events.lastEndDate, FROM_DAY))

// An event that ends as the span begins is outside, unless it also begins then.
const isTimeWithin = and(
  lt(events.startAt, TO),
  gte(events.lastEndAt, FROM),
  or(gt(events.lastEndAt, FROM), gte(events.startAt, FROM)),
)

const singles = prepared((db, folding: Folding, withDeclined: boolean, limit: number) => {
  const isShown = and(isSingle, or(isTimeWithin, isDayWithin), withDeclined ? undefined : isUndeclined)
  return inCalendars(db, folding, isShown).limit(limit).prepare('event_windows_singles')
})

const allDaySingles = prepared((db, limit: number) =>
  inCalendars(db, '', and(isSingle, isDayWithin, isUndeclined))
    .orderBy(events.startDate, events.id)
    .limit(limit)
    .prepare('event_windows_all_day_singles'),
)

const timedSingles = prepared((db, limit: number) =>
  inCalendars(db, '', and(isSingle, isTimeWithin, isUndeclined))
    .orderBy(events.startAt, events.id)
    .limit(limit)
    .prepare('event_windows_timed_singles'),
)

const isLater = gt(events.id, sql.placeholder('afterId'))

const rangedSeries = prepared((db, folding: Folding, limit: number) =>
  inCalendars(db, folding, and(isSeries, mayOverlap, isLater))
    // Keeps the planner from using the index of ids, which knows nothing of calendars.
    .orderBy(sql`${events.id} + 0`)
    .limit(limit)
    .prepare('event_windows_ranged_series'),
)

const movedSeries = prepared((db, folding: Folding, limit: number) =>
  inCalendars(db, folding, and(sql`(${mayOverlap}) is not true`, hasMovedInto(db), isLater))
    .orderBy(sql`${events.id} + 0`)
    .limit(limit)
    .prepare('event_windows_moved_series'),
)

const startInOrder = sql`coalesce(${events.startAt},
  ${sql.placeholder('midnight')}::timestamptz + (${events.startDate} - ${FROM_DAY}::date) * interval '1 day')`

/**
 * Sorts answered invitations first, then series before single events, these by time, so that a limit cuts off the least
 * important.
 */
const invited = prepared((db, folding: Folding, withDeclined: boolean, limit: number) => {
  const isFree = and(
    isNull(eventInvitations.displayCalendarId),
    sql`${sql.placeholder('showsFree')}::boolean`,
  )
  return db
    .select(seen(folding))
    .from(events)
    .innerJoin(eventInvitations, isInvited)
    .where(
      and(
        not(among(events.calendarId, IDS)),
        or(isDisplayed, isFree),
        or(mayOverlap, hasMovedInto(db)),
        withDeclined ? undefined : or(isSeries, isUndeclined),
        isWanted(db, folding),
      ),
    )
    .orderBy(isNull(eventInvitations.response), isSingle, startInOrder, events.id)
    .limit(limit)
    .prepare('event_windows_invited')
})

/** The most series in one query, and the most invitations. */
export const SERIES_PAGE = 1000
export const MAX_INVITED = 6000

/** The filters of a window query. */
export interface Search {
  readonly userId: number
  readonly calendarIds: readonly number[]
  /** Whether to include invitations that are in no calendar. */
  readonly showsFree: boolean
  readonly span: Span
  /** The instant at which the first day begins. */
  readonly midnight: Date
  readonly q: string | undefined
  readonly withDeclined: boolean
}

const valuesOf = ({ userId, calendarIds, showsFree, span, midnight, q }: Search) => ({
  userId,
  ids: idText(calendarIds),
  showsFree,
  from: span.from.toISOString(),
  to: span.to.toISOString(),
  fromDay: span.fromDay,
  toDay: span.toDay,
  midnight: midnight.toISOString(),
  q: q ?? '',
})

/** Returns the next series of the calendars that may have occurrences in the span, by id. */
export const series = (db: Db, search: Search, afterId: number) =>
  rangedSeries(db, foldingFor(search.q), SERIES_PAGE).execute({ ...valuesOf(search), afterId })

/** Returns the next series outside the span with an occurrence that was moved into it, by id. */
export const moved = (db: Db, search: Search, afterId: number) =>
  movedSeries(db, foldingFor(search.q), SERIES_PAGE).execute({ ...valuesOf(search), afterId })

/** Returns up to `limit` events that do not repeat. */
export const once = (db: Db, search: Search, limit: number) =>
  singles(db, foldingFor(search.q), search.withDeclined, limit).execute(valuesOf(search))

/** The same without declined events, sorted: up to `limit` all-day and `limit` timed ones. */
export async function firstOnce(db: Db, search: Search, limit: number) {
  const values = valuesOf(search)
  const [allDay, timed] = await Promise.all([
    allDaySingles(db, limit).execute(values),
    timedSingles(db, limit).execute(values),
  ])
  return [...allDay, ...timed]
}

/** Returns the events that the user sees only by invitation. */
export const byInvitation = (db: Db, search: Search) =>
  invited(db, foldingFor(search.q), search.withDeclined, MAX_INVITED).execute(valuesOf(search))

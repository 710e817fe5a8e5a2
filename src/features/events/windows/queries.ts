import {
  and,
  eq,
  exists,
  gt,
  gte,
  isNotNull,
  isNull,
  lt,
  ne,
  not,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
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
    visibility: events.visibility,
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
const isInCalendars = (
  db: Db | Tx,
  folding: Folding,
  condition: SQL | undefined,
  calendarId: SQLWrapper = events.calendarId,
) =>
  and(
    among(calendarId, IDS),
    or(isNull(eventInvitations.displayCalendarId), isDisplayed),
    condition,
    isWanted(db, folding),
  )

const inCalendars = (db: Db | Tx, folding: Folding, condition: SQL | undefined, calendarId?: SQLWrapper) =>
  db
    .select(seen(folding))
    .from(events)
    .leftJoin(eventInvitations, isInvited)
    .where(isInCalendars(db, folding, condition, calendarId))

const isDayWithin = and(lt(events.startDate, TO_DAY), gte(events.lastEndDate, FROM_DAY))

// An event that ends as the span begins is outside, unless it also begins then.
const isTimeWithin = and(
  lt(events.startAt, TO),
  gte(events.lastEndAt, FROM),
  or(gt(events.lastEndAt, FROM), gte(events.startAt, FROM)),
)

const unless = (withDeclined: boolean) => (withDeclined ? undefined : isUndeclined)

const singles = prepared((db, folding: Folding, withDeclined: boolean, limit: number) =>
  inCalendars(db, folding, and(isSingle, or(isTimeWithin, isDayWithin), unless(withDeclined)))
    .limit(limit)
    .prepare('event_windows_singles'),
)

const firstAllDay = prepared((db, limit: number) =>
  inCalendars(db, '', and(isSingle, isDayWithin, isUndeclined))
    .orderBy(events.startDate, events.id)
    .limit(limit)
    .prepare('event_windows_first_all_day'),
)

const firstTimed = prepared((db, limit: number) =>
  inCalendars(db, '', and(isSingle, isTimeWithin, isUndeclined))
    .orderBy(events.startAt, events.id)
    .limit(limit)
    .prepare('event_windows_first_timed'),
)

const isRanged = and(isSeries, mayOverlap)
/** A series outside the span with an occurrence that was moved into it. */
const isMoved = (db: Db | Tx) => and(sql`(${mayOverlap}) is not true`, hasMovedInto(db))

const startInOrder = sql`coalesce(${events.startAt},
  ${sql.placeholder('midnight')}::timestamptz + (${events.startDate} - ${FROM_DAY}::date) * interval '1 day')`

/** More series than these are read by their ids. */
export const MAX_SERIES_AT_ONCE = 1000
/** The most invitations. */
export const MAX_INVITED = 6000

const someSeries = prepared((db, folding: Folding, areMoved: boolean) =>
  inCalendars(db, folding, areMoved ? isMoved(db) : isRanged)
    .limit(MAX_SERIES_AT_ONCE + 1)
    .prepare('event_windows_series'),
)

/**
 * Sorts answered invitations first, then series before single events, these by time, so that a limit cuts off the least
 * important.
 */
const invited = prepared((db, folding: Folding, withDeclined: boolean) => {
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
    .limit(MAX_INVITED)
    .prepare('event_windows_invited')
})

const idsOfSeries = prepared((db, folding: Folding) => {
  const of = (condition: SQL | undefined) =>
    db
      .select({ id: events.id })
      .from(events)
      .leftJoin(eventInvitations, isInvited)
      .where(isInCalendars(db, folding, condition))
  const both = unionAll(of(isRanged), of(isMoved(db))).as('both')
  return db
    .select({ ids: sql<string | null>`string_agg(${both.id}::text, ',' order by ${both.id})` })
    .from(both)
    .prepare('event_windows_series_ids')
})

const seriesWithIds = prepared((db, folding: Folding) =>
  inCalendars(
    db,
    folding,
    among(events.id, sql.placeholder('seriesIds')),
    // Keeps the planner from using the index of calendars, which would find all series for each page.
    sql`${events.calendarId} + 0`,
  ).prepare('event_windows_series_by_id'),
)

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

/**
 * Returns the events that may have occurrences in the span: up to `limit` that do not repeat, more than `MAX_SERIES_AT_ONCE`
 * series when there are too many to read at once, and what the user sees only by invitation.
 */
export const nearby = (db: Db, search: Search, limit: number) =>
  beside(db, search, [singles(db, foldingFor(search.q), search.withDeclined, limit)])

/** The same without declined events; of those that do not repeat, the first `limit` all-day and the first `limit` timed ones. */
export const firstNearby = (db: Db, search: Search, limit: number) =>
  beside(db, search, [firstAllDay(db, limit), firstTimed(db, limit)])

/** Adds the series and the invitations to those that do not repeat. */
async function beside(db: Db, search: Search, single: ReadonlyArray<ReturnType<typeof singles>>) {
  const [folding, values] = [foldingFor(search.q), valuesOf(search)]
  const parts = await Promise.all([
    ...single.map((one) => one.execute(values)),
    someSeries(db, folding, false).execute(values),
    someSeries(db, folding, true).execute(values),
    invited(db, folding, search.withDeclined).execute(values),
  ])
  return parts.flat()
}

/** Returns the ids of the series in the calendars that may have occurrences in the span. */
export async function seriesIds(db: Db, search: Search): Promise<number[]> {
  const [row] = await idsOfSeries(db, foldingFor(search.q)).execute(valuesOf(search))
  return row?.ids?.split(',').map(Number) ?? []
}

/** Returns those of the series that are still in the calendars. */
export const seriesBy = (db: Db, search: Search, ids: readonly number[]) =>
  seriesWithIds(db, foldingFor(search.q)).execute({ ...valuesOf(search), seriesIds: idText(ids) })

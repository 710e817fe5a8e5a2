import { and, between, eq, exists, gt, gte, isNotNull, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import { among, idText } from '../../db/among'
import type { Db, Tx } from '../../db/client'
import { prepared } from '../../db/prepared'
import { eventInvitations, eventOccurrences, events, occurrenceResponses } from '../../db/schema'
import type { Span } from '../events/rules.recurrence'

export type OccurrenceRow = typeof eventOccurrences.$inferSelect

// Of the prepared statements, given when they run.
const USER = sql.placeholder('userId')
const IDS = sql.placeholder('ids')
const FROM = sql.placeholder('from')
const TO = sql.placeholder('to')
const FROM_DAY = sql.placeholder('fromDay')
const TO_DAY = sql.placeholder('toDay')

const valuesOf = ({ from, to, fromDay, toDay }: Span) => ({
  from: from.toISOString(),
  to: to.toISOString(),
  fromDay,
  toDay,
})

/** Where it, or the whole of its series, may overlap the span: ranges that the indexes know. */
const mayOverlap = or(
  and(lt(events.startAt, TO), or(gte(events.lastEndAt, FROM), isNull(events.lastEndAt))),
  and(lt(events.startDate, TO_DAY), or(gte(events.lastEndDate, FROM_DAY), isNull(events.lastEndDate))),
)

const isMovedInto = or(
  and(lt(eventOccurrences.startAt, TO), gte(eventOccurrences.endAt, FROM)),
  and(lt(eventOccurrences.startDate, TO_DAY), gte(eventOccurrences.endDate, FROM_DAY)),
)

/** A series of which an occurrence was moved into the span, wherever its rule is. */
const hasMovedInto = (db: Db | Tx) =>
  and(
    isNotNull(events.recurrenceRule),
    exists(
      db
        .select({ one: sql`1` })
        .from(eventOccurrences)
        .where(and(eq(eventOccurrences.eventId, events.id), isMovedInto)),
    ),
  )

const isInvited = and(eq(eventInvitations.eventId, events.id), eq(eventInvitations.userId, USER))

// Of thousands of events each column costs.
const seen = {
  event: {
    id: events.id,
    calendarId: events.calendarId,
    title: events.title,
    description: events.description,
    location: events.location,
    startAt: events.startAt,
    endAt: events.endAt,
    startWall: events.startWall,
    timeZone: events.timeZone,
    startDate: events.startDate,
    endDate: events.endDate,
    recurrenceRule: events.recurrenceRule,
    recurrenceUnsupported: events.recurrenceUnsupported,
    extraStarts: events.extraStarts,
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
}

interface Shelf {
  readonly userId: number
  readonly calendarIds: readonly number[]
}

const inCalendars = (db: Db | Tx, condition: SQL | undefined) =>
  db
    .select(seen)
    .from(events)
    .leftJoin(eventInvitations, isInvited)
    .where(and(among(events.calendarId, IDS), condition))

const ranged = prepared((db) => inCalendars(db, mayOverlap).prepare('event_windows_ranged'))

const rangedSeries = prepared((db) =>
  inCalendars(db, and(isNotNull(events.recurrenceRule), mayOverlap)).prepare('event_windows_ranged_series'),
)

const moved = prepared((db) => inCalendars(db, hasMovedInto(db)).prepare('event_windows_moved'))

const isOnce = and(
  isNull(events.recurrenceRule),
  or(isNull(eventInvitations.response), ne(eventInvitations.response, 'Declined')),
)

const allDaySingles = prepared((db, limit: number) =>
  inCalendars(db, and(isOnce, lt(events.startDate, TO_DAY), gte(events.lastEndDate, FROM_DAY)))
    .orderBy(events.startDate, events.id)
    .limit(limit)
    .prepare('event_windows_all_day_singles'),
)

// What ends as the span begins is not in it, unless it begins then too.
const isWithin = and(
  lt(events.startAt, TO),
  gte(events.lastEndAt, FROM),
  or(gt(events.lastEndAt, FROM), gte(events.startAt, FROM)),
)

const timedSingles = prepared((db, limit: number) =>
  inCalendars(db, and(isOnce, isWithin))
    .orderBy(events.startAt, events.id)
    .limit(limit)
    .prepare('event_windows_timed_singles'),
)

const invited = prepared((db) =>
  db
    .select(seen)
    .from(events)
    .innerJoin(eventInvitations, isInvited)
    .where(or(mayOverlap, hasMovedInto(db)))
    .prepare('event_windows_invited'),
)

/** What may have occurrences in the span: in these calendars, or by invitation. Some may stand there twice. */
export async function candidates(db: Db, { userId, calendarIds }: Shelf, span: Span) {
  const values = { ...valuesOf(span), userId, ids: idText(calendarIds) }
  const rows = await Promise.all([
    ranged(db).execute(values),
    moved(db).execute(values),
    invited(db).execute(values),
  ])
  return rows.flat()
}

/**
 * The same for who wants the first `limit` of a span of whole days and no declined ones: of what takes place once no more are
 * read. There must be few limits.
 */
export async function firstCandidates(db: Db, { userId, calendarIds }: Shelf, span: Span, limit: number) {
  const values = { ...valuesOf(span), userId, ids: idText(calendarIds) }
  const rows = await Promise.all([
    allDaySingles(db, limit).execute(values),
    timedSingles(db, limit).execute(values),
    rangedSeries(db).execute(values),
    moved(db).execute(values),
    invited(db).execute(values),
  ])
  return rows.flat()
}

const differing = prepared((db) =>
  db
    .select()
    .from(eventOccurrences)
    .where(
      and(
        among(eventOccurrences.eventId, IDS),
        or(
          between(eventOccurrences.occurrenceStart, sql.placeholder('fromWall'), sql.placeholder('toWall')),
          isMovedInto,
        ),
      ),
    )
    .prepare('event_windows_overrides'),
)

/** The overrides and exceptions whose original or own times may be in the span; wall times are `YYYY-MM-DDTHH:MM:SS`. */
export const overrides = (
  db: Db,
  eventIds: readonly number[],
  { fromWall, toWall, ...span }: Span & { readonly fromWall: string; readonly toWall: string },
): Promise<OccurrenceRow[]> =>
  differing(db).execute({ ...valuesOf(span), fromWall, toWall, ids: idText(eventIds) })

const answers = prepared((db) =>
  db
    .select({
      invitationId: occurrenceResponses.invitationId,
      occurrenceStart: occurrenceResponses.occurrenceStart,
      response: occurrenceResponses.response,
    })
    .from(occurrenceResponses)
    .where(among(occurrenceResponses.invitationId, IDS))
    .prepare('event_windows_responses'),
)

/** What these invitations answer for single occurrences. */
export const responses = (db: Db, invitationIds: readonly number[]) =>
  answers(db).execute({ ids: idText(invitationIds) })

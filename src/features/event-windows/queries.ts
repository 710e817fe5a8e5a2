import {
  and,
  between,
  eq,
  exists,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  ne,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import type { Db } from '../../db/client'
import { manyRows } from '../../db/prepared'
import { eventInvitations, eventOccurrences, events, occurrenceResponses } from '../../db/schema'
import type { Span } from '../events/rules.recurrence'

export type OccurrenceRow = typeof eventOccurrences.$inferSelect

/** Where it, or the whole of its series, may overlap the span: ranges that the indexes know. */
const mayOverlap = ({ from, to, fromDay, toDay }: Span) =>
  or(
    and(lt(events.startAt, to), or(gte(events.lastEndAt, from), isNull(events.lastEndAt))),
    and(lt(events.startDate, toDay), or(gte(events.lastEndDate, fromDay), isNull(events.lastEndDate))),
  )

const isMovedInto = ({ from, to, fromDay, toDay }: Span) =>
  or(
    and(lt(eventOccurrences.startAt, to), gte(eventOccurrences.endAt, from)),
    and(lt(eventOccurrences.startDate, toDay), gte(eventOccurrences.endDate, fromDay)),
  )

/** A series of which an occurrence was moved into the span, wherever its rule is. */
const hasMovedInto = (db: Db, span: Span) =>
  and(
    isNotNull(events.recurrenceRule),
    exists(
      db
        .select({ one: sql`1` })
        .from(eventOccurrences)
        .where(and(eq(eventOccurrences.eventId, events.id), isMovedInto(span))),
    ),
  )

const invitationOf = (userId: number) =>
  and(eq(eventInvitations.eventId, events.id), eq(eventInvitations.userId, userId))

const seen = { event: events, invitation: eventInvitations }

interface Shelf {
  readonly userId: number
  readonly calendarIds: readonly number[]
}

const inCalendars = (db: Db, { userId, calendarIds }: Shelf, condition: SQL | undefined) =>
  db
    .select(seen)
    .from(events)
    .leftJoin(eventInvitations, invitationOf(userId))
    .where(and(inArray(events.calendarId, [...calendarIds]), condition))

/** The first of what takes place once, is in a span of whole days, and was not declined: all-day, or timed. */
async function firstSingles(db: Db, shelf: Shelf, { from, to, fromDay, toDay }: Span, limit: number) {
  const isOnce = and(
    isNull(events.recurrenceRule),
    or(isNull(eventInvitations.response), ne(eventInvitations.response, 'Declined')),
  )
  const isOnDays = and(lt(events.startDate, toDay), gte(events.lastEndDate, fromDay))
  // What ends as the span begins is not in it, unless it begins then too.
  const isWithin = and(
    lt(events.startAt, to),
    gte(events.lastEndAt, from),
    or(gt(events.lastEndAt, from), gte(events.startAt, from)),
  )
  const [allDay, timed] = await Promise.all([
    inCalendars(db, shelf, and(isOnce, isOnDays)).orderBy(events.startDate, events.id).limit(limit),
    inCalendars(db, shelf, and(isOnce, isWithin)).orderBy(events.startAt, events.id).limit(limit),
  ])
  return [...allDay, ...timed]
}

const invited = (db: Db, userId: number, span: Span) =>
  db
    .select(seen)
    .from(events)
    .innerJoin(eventInvitations, invitationOf(userId))
    .where(or(mayOverlap(span), hasMovedInto(db, span)))

/** What may have occurrences in the span: in these calendars, or by invitation. Some may stand there twice. */
export async function candidates(db: Db, shelf: Shelf, span: Span) {
  const [ranged, moved, asked] = await Promise.all([
    manyRows(db, inCalendars(db, shelf, mayOverlap(span))),
    inCalendars(db, shelf, hasMovedInto(db, span)),
    manyRows(db, invited(db, shelf.userId, span)),
  ])
  return [...ranged, ...moved, ...asked]
}

/** The same for who wants the first `limit` of a span of whole days and no declined ones: of singles no more are read. */
export async function firstCandidates(db: Db, shelf: Shelf, span: Span, limit: number) {
  const isSeries = and(isNotNull(events.recurrenceRule), mayOverlap(span))
  const [singles, ranged, moved, asked] = await Promise.all([
    firstSingles(db, shelf, span, limit),
    inCalendars(db, shelf, isSeries),
    inCalendars(db, shelf, hasMovedInto(db, span)),
    invited(db, shelf.userId, span),
  ])
  return [...singles, ...ranged, ...moved, ...asked]
}

/** The overrides and exceptions whose original or own times may be in the span; wall times are `YYYY-MM-DDTHH:MM:SS`. */
export const overrides = (
  db: Db,
  eventIds: readonly number[],
  span: Span & { readonly fromWall: string; readonly toWall: string },
): Promise<OccurrenceRow[]> =>
  db
    .select()
    .from(eventOccurrences)
    .where(
      and(
        inArray(eventOccurrences.eventId, [...eventIds]),
        or(between(eventOccurrences.occurrenceStart, span.fromWall, span.toWall), isMovedInto(span)),
      ),
    )

/** What these invitations answer for single occurrences. */
export const responses = (db: Db, invitationIds: readonly number[]) =>
  db
    .select({
      invitationId: occurrenceResponses.invitationId,
      occurrenceStart: occurrenceResponses.occurrenceStart,
      response: occurrenceResponses.response,
    })
    .from(occurrenceResponses)
    .where(inArray(occurrenceResponses.invitationId, [...invitationIds]))

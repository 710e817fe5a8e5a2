import { and, eq, exists, ne, or, type SQL, sql } from 'drizzle-orm'
import { among } from '../../../db/among'
import type { Tx } from '../../../db/client'
import { eventInvitations, events, occurrenceResponses, users } from '../../../db/schema'

interface Audience {
  readonly eventId: number
  /** The user who makes the change, and is not told. */
  readonly actorId: number
}

const recipient = { invitationId: eventInvitations.id, userId: eventInvitations.userId }

/** Locks the recipients' rows, so that they still exist when the notifications are written. */
const HELD = ['key share', { of: users }] as const

const invitees = ({ eventId, actorId }: Audience) =>
  and(eq(eventInvitations.eventId, eventId), ne(eventInvitations.userId, actorId))

/** Going, Tentative or unanswered; for a series, at least for one occurrence. */
const expectsIt = (tx: Tx) =>
  or(
    sql`coalesce(${eventInvitations.response}, '') <> 'Declined'`,
    exists(
      tx
        .select({ one: sql`1` })
        .from(occurrenceResponses)
        .where(
          and(
            eq(occurrenceResponses.invitationId, eventInvitations.id),
            ne(occurrenceResponses.response, 'Declined'),
          ),
        ),
    ),
  )

/** Invitees who did not decline the whole event. */
export const ofEvent = (tx: Tx, audience: Audience) =>
  tx
    .select(recipient)
    .from(eventInvitations)
    .innerJoin(users, eq(users.id, eventInvitations.userId))
    .where(and(invitees(audience), expectsIt(tx)))
    .orderBy(eventInvitations.id)
    .for(...HELD)

/** Invitees who did not decline that occurrence. */
export const ofOccurrence = (tx: Tx, audience: Audience, occurrenceStart: string) =>
  tx
    .select(recipient)
    .from(eventInvitations)
    .innerJoin(users, eq(users.id, eventInvitations.userId))
    .leftJoin(
      occurrenceResponses,
      and(
        eq(occurrenceResponses.invitationId, eventInvitations.id),
        eq(occurrenceResponses.occurrenceStart, occurrenceStart),
      ),
    )
    .where(
      and(
        invitees(audience),
        sql`coalesce(${occurrenceResponses.response}, ${eventInvitations.response}, '') <> 'Declined'`,
      ),
    )
    .orderBy(eventInvitations.id)
    .for(...HELD)

interface UpcomingAudience {
  readonly actorId: number
  readonly now: Date
}

/** Invitees who did not decline one of these events, if it is not over yet. */
const ofUpcoming = (tx: Tx, which: SQL | undefined, { actorId, now }: UpcomingAudience) =>
  tx
    .select({ ...recipient, eventId: events.id, title: events.title })
    .from(eventInvitations)
    .innerJoin(users, eq(users.id, eventInvitations.userId))
    .innerJoin(events, eq(events.id, eventInvitations.eventId))
    .where(
      and(
        which,
        ne(eventInvitations.userId, actorId),
        expectsIt(tx),
        sql`coalesce(${events.lastEndAt}, ${events.lastEndDate} + 1, 'infinity') > ${now.toISOString()}::timestamptz`,
      ),
    )
    .orderBy(eventInvitations.id)
    .for(...HELD)

/** Invitees who did not decline an event of the calendar that is not over yet. */
export const ofCalendar = (tx: Tx, calendarId: number, audience: UpcomingAudience) =>
  ofUpcoming(tx, eq(events.calendarId, calendarId), audience)

/** The same for events by id. */
export const ofEvents = (tx: Tx, eventIds: readonly number[], audience: UpcomingAudience) =>
  ofUpcoming(tx, among(events.id, eventIds), audience)

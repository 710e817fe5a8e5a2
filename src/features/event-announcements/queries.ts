import { and, eq, exists, ne, or, sql } from 'drizzle-orm'
import type { Tx } from '../../db/client'
import { eventInvitations, occurrenceResponses } from '../../db/schema'

interface Audience {
  readonly eventId: number
  /** Who does it, and need not be told. */
  readonly actorId: number
}

const recipient = { invitationId: eventInvitations.id, userId: eventInvitations.userId }

const invitees = ({ eventId, actorId }: Audience) =>
  and(eq(eventInvitations.eventId, eventId), ne(eventInvitations.userId, actorId))

/** Who did not decline the whole event; of a series, all of its occurrences. */
export const ofEvent = (tx: Tx, audience: Audience) =>
  tx
    .select(recipient)
    .from(eventInvitations)
    .where(
      and(
        invitees(audience),
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
        ),
      ),
    )
    .orderBy(eventInvitations.id)

/** Who did not decline that occurrence. */
export const ofOccurrence = (tx: Tx, audience: Audience, occurrenceStart: string) =>
  tx
    .select(recipient)
    .from(eventInvitations)
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

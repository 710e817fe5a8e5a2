import { type SQL, sql } from 'drizzle-orm'
import { bytesOf } from './fitting'
import { eventInvitations, eventOccurrences, events, occurrenceResponses } from './schema'

/** Bytes that an exception, an invitation and an answer to an occurrence take in a response, besides texts of the event. */
const [EXCEPTION, INVITATION, ANSWER] = [40, 400, 100]

/** The bytes that a row of `events` takes in a response with all that belongs to it; each override repeats its texts. */
export function bytesOfEvent(): SQL<number> {
  const own = bytesOf(events.title, events.description, events.location, events.recurrenceRule)
  const overrides = sql`select sum(case when ${eventOccurrences.isCancelled} then ${EXCEPTION}
    else ${own} + octet_length(${eventOccurrences.changes}::text) end) from ${eventOccurrences} where ${eventOccurrences.eventId} = ${events.id}`
  const invitations = sql`select sum(${INVITATION}::integer + octet_length(${events.title}) + ${ANSWER}::integer * (
    select count(*) from ${occurrenceResponses} where ${occurrenceResponses.invitationId} = ${eventInvitations.id}
  )) from ${eventInvitations} where ${eventInvitations.eventId} = ${events.id}`
  return sql<number>`(${own} + coalesce((${overrides}), 0) + coalesce((${invitations}), 0))::integer`
}

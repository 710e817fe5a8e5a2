import { and, eq, inArray } from 'drizzle-orm'
import type { Tx } from '../../../db/client'
import { eventInvitations, eventOccurrences, occurrenceResponses } from '../../../db/schema'

export type StoredOverride = typeof eventOccurrences.$inferSelect

const isAt = (eventId: number, occurrenceStart: string) =>
  and(eq(eventOccurrences.eventId, eventId), eq(eventOccurrences.occurrenceStart, occurrenceStart))

/** Counts the overrides and exceptions of the event. */
export const count = (tx: Tx, eventId: number): Promise<number> =>
  tx.$count(eventOccurrences, eq(eventOccurrences.eventId, eventId))

/** Replaces an earlier override or exception of the occurrence. */
export async function putOverride(
  tx: Tx,
  row: typeof eventOccurrences.$inferInsert,
): Promise<StoredOverride> {
  const { isCancelled, changes, startAt, endAt, startDate, endDate, timeZone, updatedAt } = row
  const [written] = await tx
    .insert(eventOccurrences)
    .values(row)
    .onConflictDoUpdate({
      target: [eventOccurrences.eventId, eventOccurrences.occurrenceStart],
      set: { isCancelled, changes, startAt, endAt, startDate, endDate, timeZone, updatedAt },
    })
    .returning()
  if (!written) throw new Error('insert returned no row')
  return written
}

export const removeOverride = async (tx: Tx, eventId: number, occurrenceStart: string): Promise<void> => {
  await tx.delete(eventOccurrences).where(isAt(eventId, occurrenceStart))
}

/** Deletes the answers to one occurrence. */
export async function removeResponses(tx: Tx, eventId: number, occurrenceStart: string): Promise<void> {
  const invitations = tx
    .select({ id: eventInvitations.id })
    .from(eventInvitations)
    .where(eq(eventInvitations.eventId, eventId))
  await tx
    .delete(occurrenceResponses)
    .where(
      and(
        inArray(occurrenceResponses.invitationId, invitations),
        eq(occurrenceResponses.occurrenceStart, occurrenceStart),
      ),
    )
}

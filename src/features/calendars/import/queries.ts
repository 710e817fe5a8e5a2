import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/client'
import { events, eventSources } from '../../../db/schema'

/** The hashes of known events at their last import, by UID; null when the event was not imported. */
export async function findHashes(db: Db | Tx, calendarId: number, uids: readonly string[]) {
  const rows = await db
    .select({ uid: events.uid, hash: eventSources.hash })
    .from(events)
    .leftJoin(eventSources, eq(eventSources.eventId, events.id))
    .where(and(eq(events.calendarId, calendarId), inArray(events.uid, [...uids])))
  return new Map(rows.map(({ uid, hash }) => [uid, hash]))
}

/** Remembers what was imported. */
export const putSources = async (
  tx: Tx,
  rows: ReadonlyArray<{ readonly eventId: number; readonly hash: string }>,
): Promise<void> => {
  await tx
    .insert(eventSources)
    .values(rows.map((row) => ({ ...row, kept: [] })))
    .onConflictDoUpdate({
      target: eventSources.eventId,
      set: { hash: sql`excluded.hash`, kept: sql`excluded.kept` },
    })
}

import { and, asc, sql } from 'drizzle-orm'
import { among, idArray } from '../../../db/among'
import type { Db, Tx } from '../../../db/client'
import { eventExtraStarts } from '../../../db/schema'

export interface ExtraStart {
  readonly eventId: number
  /** A wall time. */
  readonly start: string
}

/** Returns the next `limit` extra starts of the events after `after`, by event and time. */
export const page = (db: Db | Tx, eventIds: readonly number[], after: ExtraStart, limit: number) =>
  db
    .select()
    .from(eventExtraStarts)
    .where(
      and(
        among(eventExtraStarts.eventId, eventIds),
        sql`(${eventExtraStarts.eventId}, ${eventExtraStarts.start}) > (${after.eventId}, ${after.start}::timestamp)`,
      ),
    )
    .orderBy(asc(eventExtraStarts.eventId), asc(eventExtraStarts.start))
    .limit(limit)

export async function removeAll(tx: Tx, eventIds: readonly number[]): Promise<void> {
  await tx.delete(eventExtraStarts).where(among(eventExtraStarts.eventId, eventIds))
}

export async function insert(tx: Tx, rows: readonly ExtraStart[]): Promise<void> {
  const ids = idArray(rows.map(({ eventId }) => eventId))
  const starts = sql`${`{${rows.map(({ start }) => start).join()}}`}::timestamp[]`
  await tx.execute(
    sql`insert into ${eventExtraStarts} (event_id, start) select * from unnest(${ids}, ${starts})`,
  )
}

import { and, inArray, lt, ne, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../db/client'
import { history, syncState } from '../../db/schema'

/** Says to the triggers whether to keep what changes. Returns whether that is new. */
export async function setKeeping(db: Db, keepsHistory: boolean): Promise<boolean> {
  const changed = await db
    .update(syncState)
    .set({ keepsHistory })
    .where(ne(syncState.keepsHistory, keepsHistory))
    .returning({ keepsHistory: syncState.keepsHistory })
  return changed.length > 0
}

/** Deletes those of the `limit` oldest rows that are older. Returns how many. Rows are numbered as they come. */
export async function purge(tx: Tx, before: Date, limit: number): Promise<number> {
  const oldest = tx.select({ id: history.id }).from(history).orderBy(history.id).limit(limit)
  const deleted = await tx
    .delete(history)
    .where(and(inArray(history.id, oldest), lt(history.at, before)))
    .returning({ id: history.id })
  return deleted.length
}

/** Estimates how many rows the history has, without counting them, and what they and their indexes take on the disk. */
export async function estimateSize(db: Db): Promise<{ readonly rows: number; readonly bytes: number }> {
  const [row] = await db.execute<{ rows: number; bytes: number }>(sql`
    select greatest(reltuples, 0)::float8 as rows, pg_total_relation_size(oid)::float8 as bytes
    from pg_class where oid = 'public.history'::regclass`)
  return row ?? { rows: 0, bytes: 0 }
}

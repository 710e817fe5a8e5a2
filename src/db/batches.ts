import { inArray, type SQL } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db, Tx } from './client'
import { inTransaction } from './transaction'

const ROWS = 1000

interface Deletion {
  readonly from: PgTable
  /** The primary key. */
  readonly key: AnyPgColumn
  readonly where: SQL
}

/** Deletes up to `limit` of the rows; answers how many. */
export async function deleteSome(tx: Tx, { from, key, where }: Deletion, limit: number): Promise<number> {
  const some = tx.select({ key }).from(from).where(where).limit(limit)
  const deleted = await tx.delete(from).where(inArray(key, some)).returning({ key })
  return deleted.length
}

/** Whether the instance is stopping: what is left waits for the next. */
export type IsStopping = () => boolean

/** Runs `deleteBatch` in one short transaction after the other until nothing is left; answers how many rows it was. */
export async function inBatches(
  db: Db,
  deleteBatch: (tx: Tx, limit: number) => Promise<number>,
  isStopping: IsStopping = () => false,
): Promise<number> {
  for (let total = 0; ;) {
    const deleted = await inTransaction(db, (tx) => deleteBatch(tx, ROWS))
    total += deleted
    if (deleted < ROWS || isStopping()) return total
  }
}

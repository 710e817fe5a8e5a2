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

/** Deletes up to `limit` of the rows. Returns how many it deleted. */
export async function deleteSome(tx: Tx, { from, key, where }: Deletion, limit: number): Promise<number> {
  const some = tx.select({ key }).from(from).where(where).limit(limit)
  const deleted = await tx.delete(from).where(inArray(key, some)).returning({ key })
  return deleted.length
}

/** Whether the instance is stopping; the next run then deletes the rest. */
export type IsStopping = () => boolean

/** Runs `deleteBatch` in a series of short transactions until nothing is left. Returns the number of deleted rows. */
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

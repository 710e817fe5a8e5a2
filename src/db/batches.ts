import type { Db, Tx } from './client'
import { inTransaction } from './transaction'

const ROWS = 1000

/** Runs `deleteSome` in one short transaction after the other until nothing is left; answers how many rows it was. */
export async function inBatches(
  db: Db,
  deleteSome: (tx: Tx, limit: number) => Promise<number>,
): Promise<number> {
  for (let total = 0; ;) {
    const deleted = await inTransaction(db, (tx) => deleteSome(tx, ROWS))
    total += deleted
    if (deleted < ROWS) return total
  }
}

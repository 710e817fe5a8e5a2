import type { Db, Tx } from './client'
import { inTransaction } from './transaction'

const ROWS = 1000

/** Whether the instance is stopping: what is left waits for the next. */
export type IsStopping = () => boolean

/** Runs `deleteSome` in one short transaction after the other until nothing is left; answers how many rows it was. */
export async function inBatches(
  db: Db,
  deleteSome: (tx: Tx, limit: number) => Promise<number>,
  isStopping: IsStopping = () => false,
): Promise<number> {
  for (let total = 0; ;) {
    const deleted = await inTransaction(db, (tx) => deleteSome(tx, ROWS))
    total += deleted
    if (deleted < ROWS || isStopping()) return total
  }
}

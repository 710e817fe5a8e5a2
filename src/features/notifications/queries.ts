import type { Tx } from '../../db/client'
import { notifications } from '../../db/schema'

export const insert = async (tx: Tx, row: typeof notifications.$inferInsert): Promise<void> => {
  await tx.insert(notifications).values(row)
}

import type { Tx } from '../../db/client'
import { settings } from '../../db/schema'

export const insert = async (tx: Tx, row: typeof settings.$inferInsert): Promise<void> => {
  await tx.insert(settings).values(row)
}

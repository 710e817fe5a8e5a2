import type { Tx } from '../../db/client'
import { auditLog } from '../../db/schema'

export const insert = async (tx: Tx, row: typeof auditLog.$inferInsert): Promise<void> => {
  await tx.insert(auditLog).values(row)
}

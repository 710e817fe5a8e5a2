import type { Tx } from '../../db/client'
import { mfaTokens } from '../../db/schema'

export const insert = async (tx: Tx, row: typeof mfaTokens.$inferInsert): Promise<void> => {
  await tx.insert(mfaTokens).values(row)
}

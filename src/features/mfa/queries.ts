import { eq } from 'drizzle-orm'
import type { Tx } from '../../db/client'
import { mfaTokens } from '../../db/schema'

export const insert = async (tx: Tx, row: typeof mfaTokens.$inferInsert): Promise<void> => {
  await tx.insert(mfaTokens).values(row)
}

export const deleteByUser = async (tx: Tx, userId: number): Promise<void> => {
  await tx.delete(mfaTokens).where(eq(mfaTokens.userId, userId))
}

import { eq } from 'drizzle-orm'
import type { Tx } from '../../../db/client'
import { users } from '../../../db/schema'

export const recordLogin = async (tx: Tx, id: number, now: Date): Promise<void> => {
  await tx.update(users).set({ lastLoginAt: now }).where(eq(users.id, id))
}

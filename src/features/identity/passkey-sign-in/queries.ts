import { eq } from 'drizzle-orm'
import type { Tx } from '../../../db/client'
import { users } from '../../../db/schema'

/**
 * Keeps the user from being deleted while a row that refers to them is written. Returns their id, or null when they no longer
 * exist.
 */
export const keepUser = async (tx: Tx, id: number): Promise<number | null> =>
  (await tx.select({ id: users.id }).from(users).where(eq(users.id, id)).for('key share'))[0]?.id ?? null

export const recordLogin = async (tx: Tx, id: number, now: Date): Promise<void> => {
  await tx.update(users).set({ lastLoginAt: now }).where(eq(users.id, id))
}

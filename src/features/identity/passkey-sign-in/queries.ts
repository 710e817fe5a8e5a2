import { eq } from 'drizzle-orm'
import type { Tx } from '../../../db/client'
import { users } from '../../../db/schema'

/** Holds the user while a challenge is bound to them; answers their id, null where they are gone. */
export const keepUser = async (tx: Tx, id: number): Promise<number | null> =>
  (await tx.select({ id: users.id }).from(users).where(eq(users.id, id)).for('key share'))[0]?.id ?? null

export const recordLogin = async (tx: Tx, id: number, now: Date): Promise<void> => {
  await tx.update(users).set({ lastLoginAt: now }).where(eq(users.id, id))
}

import { eq } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/client'
import { users } from '../../../db/schema'

/** False when the user no longer exists. */
export const findIsEnabled = async (db: Db, userId: number): Promise<boolean> =>
  (await db.select({ isEnabled: users.passwordlessEnabled }).from(users).where(eq(users.id, userId)))[0]
    ?.isEnabled ?? false

export async function setEnabled(tx: Tx, userId: number, enabled: boolean, now: Date): Promise<void> {
  await tx.update(users).set({ passwordlessEnabled: enabled, updatedAt: now }).where(eq(users.id, userId))
}

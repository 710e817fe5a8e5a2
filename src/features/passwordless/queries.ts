import { eq } from 'drizzle-orm'
import type { Db, Tx } from '../../db/client'
import { users } from '../../db/schema'

const isEnabled = { isEnabled: users.passwordlessEnabled }

export const findIsEnabled = async (db: Db | Tx, userId: number): Promise<boolean> =>
  (await db.select(isEnabled).from(users).where(eq(users.id, userId)))[0]?.isEnabled ?? false

/** Locks the user's row; false where the user is gone. */
export const lockIsEnabled = async (tx: Tx, userId: number): Promise<boolean> =>
  (await tx.select(isEnabled).from(users).where(eq(users.id, userId)).for('no key update'))[0]?.isEnabled ??
  false

export async function setEnabled(tx: Tx, userId: number, enabled: boolean, now: Date): Promise<void> {
  await tx.update(users).set({ passwordlessEnabled: enabled, updatedAt: now }).where(eq(users.id, userId))
}

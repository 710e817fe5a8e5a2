import { eq } from 'drizzle-orm'
import type { Tx } from '../../db/client'
import { users } from '../../db/schema'

const user = {
  id: users.id,
  isActive: users.isActive,
  lockedUntil: users.lockedUntil,
  mfaLockedUntil: users.mfaLockedUntil,
  failedMfaCount: users.failedMfaCount,
  mfaEnforcePending: users.mfaEnforcePending,
  totpEnabled: users.totpEnabled,
  mustChangePassword: users.mustChangePassword,
}

/** Undefined where the user is gone. */
export const lockUser = async (tx: Tx, id: number) =>
  (await tx.select(user).from(users).where(eq(users.id, id)).for('no key update'))[0]

export type UserRow = NonNullable<Awaited<ReturnType<typeof lockUser>>>

/** Holds the user while a challenge is bound to them; answers their id, null where they are gone. */
export const holdUser = async (tx: Tx, id: number): Promise<number | null> =>
  (await tx.select({ id: users.id }).from(users).where(eq(users.id, id)).for('key share'))[0]?.id ?? null

export const recordLogin = async (tx: Tx, id: number, now: Date): Promise<void> => {
  await tx.update(users).set({ lastLoginAt: now }).where(eq(users.id, id))
}

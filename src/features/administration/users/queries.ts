import { eq } from 'drizzle-orm'
import type { Tx } from '../../../db/client'
import { users } from '../../../db/schema'

export const find = async (tx: Tx, userId: number) =>
  (
    await tx
      .select({ username: users.username, totpEnabled: users.totpEnabled })
      .from(users)
      .where(eq(users.id, userId))
  )[0]

type Changes = Partial<
  Pick<
    typeof users.$inferInsert,
    | 'role'
    | 'isActive'
    | 'mfaRequired'
    | 'passwordlessEnabled'
    | 'mustChangePassword'
    | 'temporaryPasswordExpiresAt'
    | 'passwordByOperator'
    | 'failedLoginCount'
    | 'lockedUntil'
    | 'failedMfaCount'
    | 'mfaLockedUntil'
  >
>

export async function change(tx: Tx, userId: number, changes: Changes, now: Date): Promise<void> {
  await tx
    .update(users)
    .set({ ...changes, updatedAt: now })
    .where(eq(users.id, userId))
}

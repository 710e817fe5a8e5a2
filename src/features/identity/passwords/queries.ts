import { and, eq, isNull, lte, or, sql } from 'drizzle-orm'
import type { Tx } from '../../../db/client'
import { prepared } from '../../../db/prepared'
import { users } from '../../../db/schema'
import type { Locks } from './rules'

interface PasswordFailure {
  readonly now: Date
  readonly lockUntil: Date
  readonly maxFailures: number
}

/**
 * Counts a wrong password in a single guarded statement: parallel guesses count one each, and none counts once the
 * account is locked. After an expired lock the count restarts at one. Returns whether it counted.
 */
export async function countFailure(
  tx: Tx,
  userId: number,
  { now, lockUntil, maxFailures }: PasswordFailure,
): Promise<boolean> {
  const failures = sql`case when ${users.lockedUntil} is null then ${users.failedLoginCount} + 1 else 1 end`
  const counted = await tx
    .update(users)
    .set({
      failedLoginCount: failures,
      lockedUntil: sql`case when ${failures} >= ${maxFailures} then ${lockUntil.toISOString()}::timestamptz end`,
    })
    .where(
      and(
        eq(users.id, userId),
        or(isNull(users.lockedUntil), lte(users.lockedUntil, now)),
        or(isNull(users.mfaLockedUntil), lte(users.mfaLockedUntil, now)),
      ),
    )
    .returning({ id: users.id })
  return counted.length > 0
}

export const findStored = prepared((db) =>
  db
    .select({ passwordHash: users.passwordHash, passwordByOperator: users.passwordByOperator })
    .from(users)
    .where(eq(users.id, sql.placeholder('userId')))
    .prepare('passwords_find_stored'),
)

/** Resets the count of wrong passwords. */
export async function recordSuccess(tx: Tx, userId: number, passwordHash: string): Promise<void> {
  await tx
    .update(users)
    .set({ passwordHash, failedLoginCount: 0, lockedUntil: null })
    .where(eq(users.id, userId))
}

export async function replaceHash(tx: Tx, userId: number, passwordHash: string, now: Date): Promise<void> {
  await tx
    .update(users)
    .set({
      passwordHash,
      lastPasswordChangeAt: now,
      mustChangePassword: false,
      temporaryPasswordExpiresAt: null,
      passwordByOperator: false,
      updatedAt: now,
    })
    .where(eq(users.id, userId))
}

export const findLocks = async (tx: Tx, userId: number): Promise<Locks | undefined> =>
  (
    await tx
      .select({ lockedUntil: users.lockedUntil, mfaLockedUntil: users.mfaLockedUntil })
      .from(users)
      .where(eq(users.id, userId))
  )[0]

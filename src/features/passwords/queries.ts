import { and, eq, isNull, lte, or, sql } from 'drizzle-orm'
import type { Tx } from '../../db/client'
import { users } from '../../db/schema'

interface Failure {
  readonly now: Date
  readonly lockUntil: Date
  readonly maxFailures: number
}

/**
 * Counts one wrong password in one guarded statement: guesses that race count one each, and once the account is locked
 * none counts any more. After an expired lock the count restarts at one. Answers whether it counted.
 */
export async function countFailure(
  tx: Tx,
  userId: number,
  { now, lockUntil, maxFailures }: Failure,
): Promise<boolean> {
  const failures = sql`case when ${users.lockedUntil} is null then ${users.failedLoginCount} + 1 else 1 end`
  const counted = await tx
    .update(users)
    .set({
      failedLoginCount: failures,
      lockedUntil: sql`case when ${failures} >= ${maxFailures} then ${lockUntil.toISOString()}::timestamptz end`,
    })
    .where(and(eq(users.id, userId), or(isNull(users.lockedUntil), lte(users.lockedUntil, now))))
    .returning({ id: users.id })
  return counted.length > 0
}

export async function findLockedUntil(tx: Tx, userId: number): Promise<Date | null> {
  const [row] = await tx.select({ lockedUntil: users.lockedUntil }).from(users).where(eq(users.id, userId))
  return row?.lockedUntil ?? null
}

import { eq, sql } from 'drizzle-orm'
import type { Tx } from '../../../db/client'
import { prepared } from '../../../db/prepared'
import { users } from '../../../db/schema'

/** Finds the data for the password check, ignoring the username's case. */
export const findCredentials = prepared((db) =>
  db
    .select({
      id: users.id,
      passwordHash: users.passwordHash,
      passwordByOperator: users.passwordByOperator,
    })
    .from(users)
    .where(eq(sql`lower(${users.username})`, sql`lower(${sql.placeholder('username')})`))
    .prepare('sign_in_find_credentials'),
)

interface Admission {
  readonly now: Date
  readonly passwordHash: string
}

/** Step 7 of the sign-in. */
export async function recordLogin(tx: Tx, id: number, { now, passwordHash }: Admission): Promise<void> {
  await tx
    .update(users)
    .set({ passwordHash, failedLoginCount: 0, lockedUntil: null, lastLoginAt: now })
    .where(eq(users.id, id))
}

import { eq, sql } from 'drizzle-orm'
import type { Tx } from '../../../db/client'
import { prepared } from '../../../db/prepared'
import { users } from '../../../db/schema'

/** What the password check needs, without regard to the username's case. */
export const findCredentials = prepared((db) =>
  db
    .select({ id: users.id, passwordHash: users.passwordHash })
    .from(users)
    .where(eq(sql`lower(${users.username})`, sql`lower(${sql.placeholder('username')})`))
    .prepare('sign_in_find_credentials'),
)

interface Admission {
  readonly now: Date
  readonly passwordHash: string
}

/** Login step 7. */
export async function recordLogin(tx: Tx, id: number, { now, passwordHash }: Admission): Promise<void> {
  await tx
    .update(users)
    .set({ passwordHash, failedLoginCount: 0, lockedUntil: null, lastLoginAt: now })
    .where(eq(users.id, id))
}

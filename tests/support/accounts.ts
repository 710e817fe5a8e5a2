import { eq } from 'drizzle-orm'
import { auditLog, sessions, users } from '../../src/db/schema'
import { type Harness, PASSWORD } from './harness'

export const NEW_PASSWORD = 'a whole new password'

/** The body of a registration, or of a setup. */
export const newcomer = (username: string) => ({
  username,
  password: PASSWORD,
  email: `${username}@example.com`,
  date_of_birth: '1990-02-28',
})

export const login = (
  h: Harness,
  username: string,
  password = PASSWORD,
  headers: Record<string, string> = {},
) => h.request('POST', '/api/auth/login', { body: { username, password }, headers })

/** The user as the database has them. */
export async function userOf(h: Harness, id: number) {
  const [row] = await h.db.select().from(users).where(eq(users.id, id))
  if (!row) throw new Error('no such user')
  return row
}

export async function sessionOf(h: Harness, id: string) {
  const [row] = await h.db.select().from(sessions).where(eq(sessions.id, id))
  if (!row) throw new Error('no such session')
  return row
}

export const sessionsOf = (h: Harness, userId: number) =>
  h.db.select().from(sessions).where(eq(sessions.userId, userId))

/** What the audit log says of what a user did, oldest first. */
export const auditOf = (h: Harness, actorId: number) =>
  h.db
    .select({ action: auditLog.action, detail: auditLog.detail, ip: auditLog.ip })
    .from(auditLog)
    .where(eq(auditLog.actorId, actorId))
    .orderBy(auditLog.id)

export const actionsOf = async (h: Harness, actorId: number) =>
  (await auditOf(h, actorId)).map(({ action }) => action)

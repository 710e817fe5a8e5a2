import { eq } from 'drizzle-orm'
import { auditLog, sessions, users } from '../../../src/db/schema'
import { type Actor, type Harness, PASSWORD, startHarness } from '../../support/harness'

export const NEW_PASSWORD = 'a whole new password'

/** A harness whose requests come from a local address, which the rate limit spares. */
export async function startUnlimited(options: Parameters<typeof startHarness>[0] = {}) {
  const h = await startHarness(options)
  h.peer.address = '127.0.0.1'
  return h
}

/** The body of a registration, or of a setup. */
export const newcomer = (username: string) => ({
  username,
  password: PASSWORD,
  email: `${username}@example.com`,
  date_of_birth: '1990-02-28',
})

export const login = (h: Harness, username: string, password = PASSWORD, headers = {}) =>
  h.request('POST', '/api/auth/login', { body: { username, password }, headers })

export const register = (h: Harness, username: string) =>
  h.request('POST', '/api/auth/register', { body: newcomer(username) })

/** Changes the system configuration, as an administrator does. */
export async function configure(h: Harness, flags: Record<string, boolean>) {
  const admin = await h.signedIn({ role: 'admin' })
  await admin.request('PUT', '/api/admin/config', { body: flags })
}

/** The three operations that the limit of failed password checks names (contract: accounts.lockout). */
export const PASSWORD_CHECKS = [
  {
    operation: 'login',
    wrong: 'Incorrect username or password',
    attempt: (h: Harness, { row }: Actor, password: string) => login(h, row.username, password),
  },
  {
    operation: 'verify-password',
    wrong: 'Incorrect password',
    attempt: (_: Harness, actor: Actor, password: string) =>
      actor.request('POST', '/api/auth/verify-password', { body: { password } }),
  },
  {
    operation: 'change-password',
    wrong: 'Incorrect password',
    attempt: (_: Harness, actor: Actor, password: string) =>
      actor.request('POST', '/api/auth/change-password', {
        body: { old_password: password, new_password: NEW_PASSWORD },
      }),
  },
]

/** To compare its instants use `toEqual`: `toMatchObject` of Bun 1.4.5 takes any two dates for equal. */
export async function userRow(h: Harness, id: number) {
  const [row] = await h.db.select().from(users).where(eq(users.id, id))
  if (!row) throw new Error('no such user')
  return row
}

export async function sessionRow(h: Harness, id: string) {
  const [row] = await h.db.select().from(sessions).where(eq(sessions.id, id))
  if (!row) throw new Error('no such session')
  return row
}

export const sessionsOf = (h: Harness, userId: number) =>
  h.db.select().from(sessions).where(eq(sessions.userId, userId))

export const auditOf = (h: Harness, actorId: number) =>
  h.db
    .select({ action: auditLog.action, detail: auditLog.detail, ip: auditLog.ip })
    .from(auditLog)
    .where(eq(auditLog.actorId, actorId))
    .orderBy(auditLog.id)

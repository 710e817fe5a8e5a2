import { hashPassword } from '../../src/adapters/password-hash'
import { hashEngine } from '../../src/adapters/password-hash.engines'
import { createTokenSigner } from '../../src/adapters/token-signer'
import { connect, type Db } from '../../src/db/client'
import { sessions, settings, systemConfig, users } from '../../src/db/schema'
import { addDays, epochSeconds } from '../../src/lib/time/time'

export const SECRET = 'bench:bench-bench-bench-bench-bench-bench'
export const PASSWORD = 'correct horse battery'
const USERS = 16

export interface Session {
  readonly id: string
  readonly userId: number
  readonly cookie: string
}

/** Users with a session each, of whom the first is the one that loads. */
export async function seedUsers(url: string): Promise<[Session, Session, Session, ...Session[]]> {
  const { db, close } = connect(url, { pool: 1 })
  const now = new Date()
  const passwordHash = await hashPassword(
    hashEngine('wasm'),
    PASSWORD,
    crypto.getRandomValues(new Uint8Array(16)),
  )
  const stamps = { createdAt: now, updatedAt: now }
  await db.insert(systemConfig).values({ updatedAt: now }).onConflictDoNothing()
  const rows = await db
    .insert(users)
    .values(
      Array.from({ length: USERS }, (_, i) => ({
        username: `user${i}`,
        networkName: `user${i}`,
        passwordHash,
        role: 'standard' as const,
        ...stamps,
      })),
    )
    .returning({ userId: users.id })
  await db.insert(settings).values(rows.map((row) => ({ ...row, ...stamps })))
  const opened = await openSessions(
    db,
    rows.map(({ userId }) => userId),
  )
  await close()
  const [first, second, third, ...others] = opened
  if (!first || !second || !third) throw new Error('there are too few users')
  return [first, second, third, ...others]
}

/** A session of each of the users. */
export async function openSessions(db: Db, userIds: readonly number[]): Promise<Session[]> {
  const now = new Date()
  const expiresAt = addDays(now, 7)
  const [kid = '', secret = ''] = SECRET.split(':')
  const signer = createTokenSigner([{ id: kid, secret }])
  const exp = epochSeconds(expiresAt)
  const opened = userIds.map((userId) => {
    const id = crypto.randomUUID().replaceAll('-', '')
    return { id, userId, cookie: signer.sign({ uid: userId, sid: id, iat: exp - 1, exp }) }
  })
  const times = { createdAt: now, lastSeenAt: now, authenticatedAt: now, expiresAt }
  await db
    .insert(sessions)
    .values(opened.map(({ id, userId }) => ({ id, userId, authMethod: 'password' as const, ...times })))
  return opened
}

import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { passkeys, sessions, users } from '../../../../src/db/schema'
import { actionsOf, sessionOf, sessionsOf, userOf } from '../../../support/accounts'
import type { Authenticator, Lies } from '../../../support/authenticator'
import { type Actor, setCookieOf } from '../../../support/harness'
import { begin, complete, register, type Sender } from '../../../support/passkeys'
import { useHarness } from '../../../support/use-harness'

const h = useHarness({ env: { AUTH_RATE_LIMIT: 'off' } })

const UNLOCKED = { authenticated: true, unlocked: true }
const FAILED = { detail: 'Passkey authentication failed' }

/** A user with a passkey, whose session is locked and not recent. */
async function locked() {
  const ada = await h.signedIn()
  const { authenticator, passkey } = await register(ada)
  await ada.request('POST', '/api/auth/lock')
  await h.db
    .update(sessions)
    .set({ authenticatedAt: new Date(0) })
    .where(eq(sessions.id, ada.sid))
  return { ada, authenticator, passkey }
}

interface By {
  readonly authenticator: Authenticator
  /** Who began. */
  readonly from: Sender
  readonly lies?: Lies
}

const unlock = async (as: Sender, { authenticator, from, lies }: By) =>
  complete(as, { credential: await authenticator.get(await begin(from), lies), unlock: true })

describe('a passkey', () => {
  test.each(['bound to the user', 'bound to nobody'] as const)(
    'unlocks the session that asks with a challenge %s, and opens none',
    async (kind) => {
      const { ada, authenticator, passkey } = await locked()
      const from = kind === 'bound to nobody' ? h : ada
      const answered = await unlock(ada, { authenticator, from })
      expect([answered.status, answered.body]).toEqual([200, UNLOCKED])
      expect(setCookieOf(answered.headers)).toBeUndefined()
      const [session, ...others] = await sessionsOf(h, ada.row.id)
      expect(session).toMatchObject({ id: ada.sid, isLocked: false, lockedAt: null, revoked: false })
      expect([session?.authenticatedAt, others]).toEqual([h.clock.now(), []])
      expect((await ada.request('GET', '/api/settings')).status).toBe(200)
      expect((await actionsOf(h, ada.row.id)).at(-1)).toBe('auth.session_unlocked')
      const [used] = await h.db.select().from(passkeys).where(eq(passkeys.id, passkey.id))
      expect([used?.signCount, used?.lastUsedAt]).toEqual([1, h.clock.now()])
      expect((await userOf(h, ada.row.id)).lastLoginAt).toBeNull()
    },
  )

  test('makes a session recent that is not locked', async () => {
    const { ada, authenticator } = await locked()
    await h.db.update(sessions).set({ isLocked: false }).where(eq(sessions.id, ada.sid))
    expect((await unlock(ada, { authenticator, from: ada })).body).toEqual(UNLOCKED)
    const proved = (await sessionsOf(h, ada.row.id)).map(({ authenticatedAt }) => authenticatedAt)
    expect(proved).toEqual([h.clock.now()])
    expect(await actionsOf(h, ada.row.id)).not.toContain('auth.session_unlocked')
  })

  test('unlocks while the account is locked, and leaves that lock', async () => {
    const { ada, authenticator } = await locked()
    const lockedUntil = new Date(h.clock.now().getTime() + 60_000)
    await h.db.update(users).set({ lockedUntil }).where(eq(users.id, ada.row.id))
    expect((await unlock(ada, { authenticator, from: ada })).body).toEqual(UNLOCKED)
    expect((await userOf(h, ada.row.id)).lockedUntil).toEqual(lockedUntil)
  })

  test('unlocks no other session of its user', async () => {
    const { ada, authenticator } = await locked()
    const other = await h.session(ada.row.id, { isLocked: true })
    await unlock(ada, { authenticator, from: ada })
    expect((await sessionOf(h, other.id)).isLocked).toBe(true)
  })

  test.each([{}, { unlock: false }])(
    'signs in anew, and leaves the lock, where it is not asked to unlock: %j',
    async (more) => {
      const { ada, authenticator } = await locked()
      const credential = await authenticator.get(await begin(ada))
      const answered = await complete(ada, { credential, ...more })
      expect(answered.body).toEqual({ authenticated: true })
      expect(await sessionsOf(h, ada.row.id)).toHaveLength(2)
      expect((await sessionOf(h, ada.sid)).isLocked).toBe(true)
    },
  )
})

describe('a session stays locked', () => {
  const stays = async (ada: Actor) => {
    const rows = await sessionsOf(h, ada.row.id)
    const states = rows.map(({ isLocked, authenticatedAt }) => [isLocked, authenticatedAt])
    expect(states).toEqual([[true, new Date(0)]])
  }

  test('Another user’s passkey unlocks no session, whoever began', async () => {
    const [{ ada }, { ada: eve, authenticator }] = [await locked(), await locked()]
    for (const from of [h, ada, eve]) {
      const answered = await unlock(ada, { authenticator, from })
      expect([answered.status, answered.body]).toEqual([401, FAILED])
    }
    await stays(ada)
    await stays(eve)
  })

  test('A challenge that another user asked for unlocks no session', async () => {
    const [{ ada, authenticator }, { ada: eve }] = [await locked(), await locked()]
    expect((await unlock(ada, { authenticator, from: eve })).body).toEqual(FAILED)
    await stays(ada)
  })

  test('An assertion that is not honest unlocks no session', async () => {
    const { ada, authenticator } = await locked()
    for (const lies of [{ userVerified: false }, { userHandle: null }, { crossOrigin: true }]) {
      expect((await unlock(ada, { authenticator, from: ada, lies })).body).toEqual(FAILED)
    }
    await stays(ada)
  })
})

describe('unlocking without a session', () => {
  test('answers the checks of a session after a valid assertion, and opens none', async () => {
    const { ada, authenticator } = await locked()
    const revoked = await h.session(ada.row.id, { revoked: true })
    const cases = [
      [undefined, 'Not authenticated'],
      ['x', 'Invalid or expired session'],
      [revoked.token, 'Session has been revoked or expired'],
    ] as const
    for (const [cookie, detail] of cases) {
      const credential = await authenticator.get(await begin(h))
      const answered = await h.request('POST', '/api/auth/passkeys/login/complete', {
        body: { credential, unlock: true },
        ...(cookie !== undefined && { cookie }),
      })
      expect([answered.status, answered.body]).toEqual([401, { detail }])
      expect(setCookieOf(answered.headers)).toBeUndefined()
    }
    expect((await sessionsOf(h, ada.row.id)).length).toBe(2)
  })

  test('answers for the passkey first', async () => {
    const { authenticator } = await locked()
    expect((await unlock(h, { authenticator, from: h, lies: { userVerified: false } })).body).toEqual(FAILED)
  })

  test('answers a disabled owner as a sign-in does', async () => {
    const { ada, authenticator } = await locked()
    await h.db.update(users).set({ isActive: false }).where(eq(users.id, ada.row.id))
    const answered = await unlock(ada, { authenticator, from: h })
    const detail = 'Account is disabled. Please contact an administrator.'
    expect([answered.status, answered.body]).toEqual([403, { detail }])
  })
})

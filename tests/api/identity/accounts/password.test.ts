import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { mfaTokens, sessions, users } from '../../../../src/db/schema'
import { addDays, addMinutes } from '../../../../src/lib/time/time'
import { actionsOf, login, NEW_PASSWORD, sessionOf, sessionsOf, userOf } from '../../../support/accounts'
import { watchedHasher } from '../../../support/fakes'
import { type Actor, type Harness, PASSWORD, setCookieOf, startHarness } from '../../../support/harness'
import { raceOf, statusesOf } from '../../../support/racing'
import { useHarness } from '../../../support/use-harness'

const h = useHarness({ env: { AUTH_RATE_LIMIT: 'off' } })

const VERIFY = '/api/auth/verify-password'
const CHANGE = '/api/auth/change-password'
const WRONG = { status: 401, body: { detail: 'Incorrect password' } }
const LOCKED = { status: 423, body: { detail: 'Account locked. Try again in 31 minutes.' } }

const verify = (actor: Actor, password: string) => actor.request('POST', VERIFY, { body: { password } })
const change = (actor: Actor, old_password: string, new_password: string) =>
  actor.request('POST', CHANGE, { body: { old_password, new_password } })

/** What every operation that checks a password has in common (contract: accounts.lockout). */
describe.each([
  { method: 'POST', path: VERIFY, status: 200 },
  { method: 'POST', path: CHANGE, status: 200 },
  { method: 'DELETE', path: '/api/auth/account', status: 204 },
  // What they go on with is refused: there is no authenticator that the code is of, and nothing is allowed.
  { method: 'POST', path: '/api/auth/totp/disable', status: 400, code: '000000' },
  { method: 'POST', path: '/api/auth/totp/backup-codes', status: 200 },
  { method: 'PUT', path: '/api/auth/passkeys/passwordless/enable', status: 403 },
])('a password check by $method $path', ({ method, path, status, code }) => {
  const user = (columns: Parameters<Harness['signedIn']>[0] = {}) =>
    h.signedIn({ totpEnabled: path.includes('totp'), ...columns })
  const attempt = (actor: Actor, password: string) =>
    actor.request(method, path, {
      body: { password, code, old_password: password, new_password: NEW_PASSWORD },
    })

  test('counts a wrong one as a failed login and locks at ten', async () => {
    const ada = await user()
    for (let i = 1; i <= 10; i++) {
      expect(await attempt(ada, 'wrong')).toMatchObject(WRONG)
      expect((await userOf(h, ada.row.id)).failedLoginCount).toBe(i)
    }
    expect(await attempt(ada, 'wrong')).toMatchObject(LOCKED)
    expect(await attempt(ada, PASSWORD)).toMatchObject(LOCKED)
    const lockedUntil = addMinutes(h.clock.now(), 30)
    expect(await userOf(h, ada.row.id)).toEqual({ ...ada.row, failedLoginCount: 10, lockedUntil })
    expect((await login(h, ada.row.username, PASSWORD)).status).toBe(423)
  })

  test('shares its count with sign-in, and a right one resets it', async () => {
    const ada = await user({ failedLoginCount: 8 })
    await login(h, ada.row.username, 'wrong')
    expect((await userOf(h, ada.row.id)).failedLoginCount).toBe(9)
    expect((await attempt(ada, PASSWORD)).status).toBe(status)
    const left = await h.db.select().from(users).where(eq(users.id, ada.row.id))
    expect(left.map(({ failedLoginCount }) => failedLoginCount)).toEqual(status === 204 ? [] : [0])
  })

  test('restarts the count after a lock has lapsed', async () => {
    const ada = await user({ failedLoginCount: 10, lockedUntil: h.clock.now() })
    expect(await attempt(ada, 'wrong')).toMatchObject(WRONG)
    expect(await userOf(h, ada.row.id)).toMatchObject({ failedLoginCount: 1, lockedUntil: null })
  })

  test('gives exactly ten 401 of 60 wrong ones at once', async () => {
    const ada = await user()
    const answers = await raceOf(60, () => attempt(ada, 'wrong'))
    expect(answers.filter((answer) => answer.status === 401)).toHaveLength(10)
    expect(answers.filter((answer) => answer.status === 423)).toHaveLength(50)
  })

  test('answers 423 under a lock by wrong second factors too, and counts nothing', async () => {
    const ada = await user({ failedMfaCount: 10, mfaLockedUntil: addMinutes(h.clock.now(), 30) })
    expect(await attempt(ada, PASSWORD)).toMatchObject(LOCKED)
    expect(await attempt(ada, 'wrong')).toMatchObject(LOCKED)
    expect(await userOf(h, ada.row.id)).toEqual(ada.row)
  })

  test.each(['lockedUntil', 'mfaLockedUntil'])(
    'verifies the password once while the account is locked too (%s)',
    async (lock) => {
      const { hasher, verified } = watchedHasher()
      await using watched = await startHarness({ deps: { hasher } })
      const ada = await watched.signedIn({
        totpEnabled: path.includes('totp'),
        [lock]: addMinutes(watched.clock.now(), 5),
      })
      expect((await attempt(ada, PASSWORD)).status).toBe(423)
      expect(verified).toEqual([ada.row.passwordHash])
    },
  )

  test('takes a temporary password whose time is over for a wrong one, and counts nothing', async () => {
    const ada = await user({ failedLoginCount: 3, temporaryPasswordExpiresAt: h.clock.now() })
    expect(await attempt(ada, PASSWORD)).toMatchObject(WRONG)
    expect(await userOf(h, ada.row.id)).toEqual(ada.row)
    expect(await actionsOf(h, ada.row.id)).toEqual([])
  })

  test('asks for a session first, whatever the body', async () => {
    expect(await h.request(method, path, { body: '{' })).toMatchObject({
      status: 401,
      body: { detail: 'Not authenticated' },
    })
  })
})

describe('POST /api/auth/verify-password', () => {
  test('unlocks the session, makes it recent and says so in the audit log', async () => {
    const user = await h.user()
    const { id, token } = await h.session(user.id, { isLocked: true, lockedAt: h.clock.now() })
    h.clock.advance({ minutes: 20 })
    const verified = await h.request('POST', VERIFY, { body: { password: PASSWORD }, cookie: token })
    expect([verified.status, verified.body]).toEqual([200, { verified: true }])
    const { isLocked, lockedAt, authenticatedAt } = await sessionOf(h, id)
    expect([isLocked, lockedAt, authenticatedAt]).toEqual([false, null, h.clock.now()])
    expect((await h.request('GET', '/api/settings', { cookie: token })).status).toBe(200)
    expect(await sessionsOf(h, user.id)).toHaveLength(1)
    expect(await actionsOf(h, user.id)).toEqual(['auth.session_unlocked'])
  })

  test('on a session that is not locked only makes it recent', async () => {
    const ada = await h.signedIn()
    h.clock.advance({ minutes: 20 })
    expect((await verify(ada, PASSWORD)).status).toBe(200)
    expect((await sessionOf(h, ada.sid)).authenticatedAt).toEqual(h.clock.now())
    expect(await actionsOf(h, ada.row.id)).toEqual([])
  })

  test('leaves a locked session locked when the password is wrong', async () => {
    const user = await h.user()
    const { id, token } = await h.session(user.id, { isLocked: true })
    expect(await h.request('POST', VERIFY, { body: { password: 'wrong' }, cookie: token })).toMatchObject(
      WRONG,
    )
    expect(await sessionOf(h, id)).toMatchObject({ isLocked: true })
  })

  test('stores an upgraded hash', async () => {
    const ada = await h.signedIn({ passwordHash: `legacy:${PASSWORD}` })
    expect((await verify(ada, PASSWORD)).status).toBe(200)
    expect((await userOf(h, ada.row.id)).passwordHash).toBe(`fake:${PASSWORD}`)
  })

  test('does not unlock the session of anybody else, the same user included', async () => {
    const user = await h.user()
    const [mine, other] = [
      await h.session(user.id, { isLocked: true }),
      await h.session(user.id, { isLocked: true }),
    ]
    await h.request('POST', VERIFY, { body: { password: PASSWORD }, cookie: mine.token })
    expect(await sessionOf(h, other.id)).toMatchObject({ isLocked: true })
  })
})

describe('POST /api/auth/change-password', () => {
  test('replaces the password, notes when, and lifts the duty to change it', async () => {
    const ada = await h.signedIn({ mustChangePassword: true })
    h.clock.advance({ minutes: 1 })
    expect(await change(ada, 'wrong', NEW_PASSWORD)).toMatchObject(WRONG)
    const { mustChangePassword, lastPasswordChangeAt } = await userOf(h, ada.row.id)
    expect([mustChangePassword, lastPasswordChangeAt]).toEqual([true, null])
    const changed = await change(ada, PASSWORD, NEW_PASSWORD)
    expect([changed.status, changed.body]).toEqual([
      200,
      { message: 'Password changed', sessions_revoked: 0 },
    ])
    const now = h.clock.now()
    expect(await userOf(h, ada.row.id)).toEqual({
      ...ada.row,
      passwordHash: `fake:${NEW_PASSWORD}`,
      mustChangePassword: false,
      lastPasswordChangeAt: now,
      updatedAt: now,
    })
    expect(await actionsOf(h, ada.row.id)).toEqual(['auth.password_changed'])
    expect((await login(h, ada.row.username, PASSWORD)).status).toBe(401)
    expect((await login(h, ada.row.username, NEW_PASSWORD)).body).toEqual({ authenticated: true })
  })

  test('kills every other session at once and moves this one to a new id', async () => {
    const ada = await h.signedIn()
    const others = [await h.session(ada.row.id), await h.session(ada.row.id, { isLocked: true })]
    const expired = await h.session(ada.row.id, { expiresAt: h.clock.now() })
    const bob = await h.signedIn()
    const changed = await change(ada, PASSWORD, NEW_PASSWORD)
    expect(changed.body.sessions_revoked).toBe(2)
    const cookie = setCookieOf(changed.headers)
    expect(cookie?.attributes).toEqual(['Max-Age=604800', 'Path=/', 'HttpOnly', 'SameSite=Lax'])

    const isSignedIn = async (token: string) =>
      (await h.request('GET', '/api/auth/status', { cookie: token })).body.authenticated
    for (const token of [ada.token, expired.token, ...others.map((other) => other.token)]) {
      expect(await isSignedIn(token)).toBe(false)
    }
    expect(await isSignedIn(cookie?.value ?? '')).toBe(true)
    expect(await isSignedIn(bob.token)).toBe(true)
    expect((await sessionsOf(h, ada.row.id)).map(({ id }) => id)).not.toContain(ada.sid)
    const claims = h.deps.tokens.verify(cookie?.value ?? '')
    const { expiresAt, revoked } = await sessionOf(h, String(claims?.['sid']))
    expect([expiresAt, revoked]).toEqual([addDays(h.clock.now(), 7), false])
  })

  test('ends every challenge that is under way', async () => {
    const ada = await h.signedIn()
    await h.db.insert(mfaTokens).values({
      tokenHash: 'x'.repeat(64),
      userId: ada.row.id,
      purpose: 'sign_in',
      createdAt: h.clock.now(),
      expiresAt: addMinutes(h.clock.now(), 5),
    })
    await change(ada, PASSWORD, NEW_PASSWORD)
    expect(await h.db.$count(mfaTokens, eq(mfaTokens.userId, ada.row.id))).toBe(0)
  })

  test.each([
    { why: 'short', password: 'short', detail: 'new_password: must be at least 12 characters' },
    { why: 'common', password: 'qwerty123456', detail: 'new_password: is too common' },
    { why: 'the old one', password: PASSWORD, detail: 'new_password: must differ from the old one' },
  ])(
    'refuses a new password that is $why, changes nothing and keeps the session',
    async ({ password, detail }) => {
      const ada = await h.signedIn({ failedLoginCount: 3 })
      const refused = await change(ada, PASSWORD, password)
      expect([refused.status, refused.body]).toEqual([
        422,
        { detail, errors: [{ field: 'body.new_password', message: detail.split(': ')[1] }] },
      ])
      expect(await userOf(h, ada.row.id)).toMatchObject({
        passwordHash: ada.row.passwordHash,
        failedLoginCount: 0,
      })
      expect((await ada.request('GET', '/api/auth/status')).body).toMatchObject({ authenticated: true })
    },
  )

  test('refuses the username in it', async () => {
    const ada = await h.signedIn({ username: 'Lovelace' })
    const refused = await change(ada, PASSWORD, 'I am lovelace, hello')
    expect(refused.body.detail).toBe('new_password: must not contain the username')
  })

  test('tells what is wrong with the new password only to who knows the old one', async () => {
    const ada = await h.signedIn()
    expect(await change(ada, 'wrong', 'short')).toMatchObject(WRONG)
  })

  test('Of two changes of a password at once one is made, and the session of the other has ended', async () => {
    for (let round = 0; round < 20; round++) {
      const user = await h.user()
      const actors = [await h.session(user.id), await h.session(user.id)]
      const answers = await Promise.all(
        actors.map(({ token }, i) =>
          h.request('POST', CHANGE, {
            body: { old_password: PASSWORD, new_password: `${NEW_PASSWORD} ${i}` },
            cookie: token,
          }),
        ),
      )
      expect(statusesOf(answers)).toEqual([200, 401])
      const live = await h.db.select().from(sessions).where(eq(sessions.userId, user.id))
      expect(live.filter(({ revoked }) => !revoked)).toHaveLength(1)
    }
  })
})

import { beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { auditLog, mfaTokens, users } from '../../../../src/db/schema'
import { sha256Hex } from '../../../../src/lib/text'
import { addDays, addSeconds } from '../../../../src/lib/time/time'
import { auditOf, login, sessionsOf, userOf } from '../../../support/accounts'
import { fakeHasher, watchedHasher } from '../../../support/fakes'
import { PASSWORD, setCookieOf, startHarness } from '../../../support/harness'
import { raceOf } from '../../../support/racing'
import { useHarness } from '../../../support/use-harness'

const LOGIN = '/api/auth/login'
const WRONG = { status: 401, body: { detail: 'Incorrect username or password' } }

const h = useHarness()
beforeAll(() => {
  h.peer.address = '127.0.0.1'
})

describe('a right password', () => {
  test('opens a session, resets the counter, notes the time and is audited', async () => {
    const lapsed = addSeconds(h.clock.now(), -1)
    const user = await h.user({ failedLoginCount: 9, lockedUntil: lapsed })
    const answered = await login(h, user.username, PASSWORD, { 'user-agent': 'Tests/1' })
    expect([answered.status, answered.body]).toEqual([200, { authenticated: true }])
    const ended = { failedLoginCount: 0, lockedUntil: null }
    expect(await userOf(h, user.id)).toEqual({ ...user, ...ended, lastLoginAt: h.clock.now() })
    const opened = await sessionsOf(h, user.id)
    expect(opened).toMatchObject([
      {
        id: expect.stringMatching(/^[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}$/),
        revoked: false,
        ipAddress: '127.0.0.1',
        userAgent: 'Tests/1',
        authMethod: 'password',
      },
    ])
    expect(opened[0]?.expiresAt).toEqual(addDays(h.clock.now(), 7))
    expect(await auditOf(h, user.id)).toEqual([
      { action: 'auth.login_success', detail: null, ip: '127.0.0.1' },
    ])
    const cookie = setCookieOf(answered.headers)
    expect(cookie?.attributes).toEqual(['Max-Age=604800', 'Path=/', 'HttpOnly', 'SameSite=Lax'])
    const status = await h.request('GET', '/api/auth/status', { cookie: cookie?.value ?? '' })
    expect(status.body).toMatchObject({ authenticated: true, username: user.username })
  })

  test('is asked for without regard to the username’s case and the white space around it', async () => {
    const user = await h.user({ username: 'Mixed.Case' })
    for (const typed of ['mixed.case', 'MIXED.CASE', '  Mixed.Case ']) {
      expect((await login(h, typed)).status).toBe(200)
    }
    expect(await sessionsOf(h, user.id)).toHaveLength(3)
  })

  test('is the same in either Unicode form, and never trimmed', async () => {
    const user = await h.user({ password: 'd\u00e9j\u00e0 vu, again' })
    expect((await login(h, user.username, 'de\u0301ja\u0300 vu, again')).status).toBe(200)
    expect(await login(h, user.username, ' d\u00e9j\u00e0 vu, again')).toMatchObject(WRONG)
  })

  test.each([{}, { mfaRequired: true }, { totpEnabled: true }, { mustChangePassword: true }])(
    'of a legacy hash is stored anew and ends a lapsed lock, whatever the sign-in still asks for: %j',
    async (columns) => {
      const lapsed = { failedLoginCount: 10, lockedUntil: h.clock.now() }
      const user = await h.user({ passwordHash: `legacy:${PASSWORD}`, ...lapsed, ...columns })
      expect((await login(h, user.username)).status).toBe(200)
      const kept = { passwordHash: `fake:${PASSWORD}`, failedLoginCount: 0, lockedUntil: null }
      expect(await userOf(h, user.id)).toEqual({ ...user, ...kept, lastLoginAt: h.clock.now() })
    },
  )

  test('The password of a legacy hash signs in everybody who types it at the same moment', async () => {
    for (let round = 0; round < 10; round++) {
      const user = await h.user({ passwordHash: `legacy:${PASSWORD}` })
      const answers = await raceOf(8, () => login(h, user.username))
      expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
      expect(await userOf(h, user.id)).toMatchObject({
        passwordHash: `fake:${PASSWORD}`,
        failedLoginCount: 0,
      })
    }
  })

  test('that was changed while it was being checked opens nothing', async () => {
    const user = await h.user()
    let changed = false
    await using slow = await startHarness({
      deps: {
        db: h.db,
        hasher: {
          ...fakeHasher,
          verify: async (password, hash) => {
            const check = await fakeHasher.verify(password, hash)
            if (!changed)
              await h.db.update(users).set({ passwordHash: 'fake:another one' }).where(eq(users.id, user.id))
            changed = true
            return check
          },
        },
      },
    })
    const body = { username: user.username, password: PASSWORD }
    expect(await slow.request('POST', LOGIN, { body })).toMatchObject(WRONG)
    expect(await sessionsOf(h, user.id)).toEqual([])
  })
})

describe('a refusal', () => {
  test('The refusals of a wrong password and of an unknown user have the same bytes and the same writes', async () => {
    const user = await h.user()
    const before = await h.db.$count(auditLog)
    const wrong = await login(h, user.username, 'wrong')
    const unknown = await login(h, 'nobody-at-all', 'wrong')
    expect(wrong).toMatchObject(WRONG)
    expect(await userOf(h, user.id)).toEqual({ ...user, failedLoginCount: 1 })
    expect([unknown.status, unknown.body]).toEqual([wrong.status, wrong.body])
    expect([...unknown.headers.keys()]).toEqual([...wrong.headers.keys()])
    const written = await h.db.select().from(auditLog).orderBy(auditLog.id).offset(before)
    const failed = { action: 'auth.login_failed', ip: '127.0.0.1' }
    expect(written.map(({ action, actorId, detail, ip }) => ({ action, actorId, detail, ip }))).toEqual([
      { ...failed, actorId: user.id, detail: { reason: 'invalid_password' } },
      { ...failed, actorId: null, detail: { reason: 'unknown_username' } },
    ])
  })

  test('The refusal of an unknown user costs one verification, against a hash of the present parameters', async () => {
    const { hasher, verified } = watchedHasher()
    await using watched = await startHarness({ deps: { hasher } })
    await login(watched, 'nobody')
    expect(verified).toEqual([expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)])
  })

  test('answers no sooner than the floor, a success at once', async () => {
    await using floored = await startHarness({ env: { LOGIN_FAILURE_FLOOR_MS: '500' } })
    floored.peer.address = '127.0.0.1'
    const [ada, inactive] = [await floored.user(), await floored.user({ isActive: false })]
    const took = async (username: string, password: string) => {
      const before = floored.clock.monotonic()
      await floored.request('POST', LOGIN, { body: { username, password } })
      return floored.clock.monotonic() - before
    }
    expect(await took(ada.username, 'wrong')).toBe(500)
    expect(await took('nobody', 'wrong')).toBe(500)
    expect(await took(inactive.username, PASSWORD)).toBe(500)
    expect(await took(ada.username, PASSWORD)).toBe(0)
  })

  test('leaves every floor that may be configured time to end within ten seconds', async () => {
    await using slow = await startHarness({ env: { LOGIN_FAILURE_FLOOR_MS: '10000' } })
    const before = slow.clock.monotonic()
    await slow.request('POST', LOGIN, { body: { username: 'nobody', password: 'x' } })
    expect(slow.clock.monotonic() - before).toBe(9000)
  })

  test('The refusal of a disabled account tells whoever knows the password whom to ask', async () => {
    const lapsed = { failedLoginCount: 3, lockedUntil: h.clock.now() }
    const user = await h.user({ isActive: false, ...lapsed })
    expect(await login(h, user.username)).toMatchObject({
      status: 403,
      body: { detail: 'Account is disabled. Please contact an administrator.' },
    })
    expect(await userOf(h, user.id)).toEqual(user)
    expect(await auditOf(h, user.id)).toEqual([
      { action: 'auth.login_blocked_inactive', detail: { reason: 'account_disabled' }, ip: '127.0.0.1' },
    ])
    expect(await login(h, user.username, 'wrong')).toMatchObject(WRONG)
    expect((await userOf(h, user.id)).failedLoginCount).toBe(1)
  })

  test('The refusal of a passwordless account names the passkey, after the password and the state of the account', async () => {
    const user = await h.user({ passwordlessEnabled: true, failedLoginCount: 3 })
    expect(await login(h, user.username)).toMatchObject({
      status: 403,
      body: { detail: 'Password sign-in is disabled for this account. Use a passkey.' },
    })
    expect(await userOf(h, user.id)).toEqual(user)
    expect(await auditOf(h, user.id)).toMatchObject([
      { action: 'auth.login_blocked_passwordless', detail: { reason: 'passwordless_enabled' } },
    ])
    expect(await login(h, user.username, 'wrong')).toMatchObject(WRONG)
    const inactive = await h.user({ passwordlessEnabled: true, isActive: false })
    expect((await login(h, inactive.username)).body).toEqual({
      detail: 'Account is disabled. Please contact an administrator.',
    })
    expect(await auditOf(h, inactive.id)).toMatchObject([{ action: 'auth.login_blocked_inactive' }])
  })

  test('sets no cookie and opens no session', async () => {
    for (const columns of [{ isActive: false }, { passwordlessEnabled: true }]) {
      const user = await h.user(columns)
      for (const password of [PASSWORD, 'wrong']) {
        expect((await login(h, user.username, password)).headers.getSetCookie()).toEqual([])
      }
      expect(await sessionsOf(h, user.id)).toEqual([])
    }
  })
})

describe('a right password is not enough', () => {
  const token = { mfa_token: expect.stringMatching(/^[\w-]{43}$/) }
  const tokensOf = async (userId: number) =>
    (await h.db.select().from(mfaTokens).where(eq(mfaTokens.userId, userId))).map(
      ({ tokenHash, purpose, expiresAt }) => [tokenHash, purpose, expiresAt],
    )

  test('A sign-in that must set up a second factor first gets a token for that, and no session', async () => {
    const user = await h.user({ mfaRequired: true, mustChangePassword: true })
    const { status, body, headers } = await login(h, user.username)
    expect([status, body]).toEqual([
      200,
      { authenticated: false, mfa_setup_required: true, expires_in: 900, ...token },
    ])
    expect(headers.getSetCookie()).toEqual([])
    expect(await sessionsOf(h, user.id)).toEqual([])
    expect(await auditOf(h, user.id)).toEqual([
      { action: 'auth.mfa_enforce_prompted', detail: null, ip: '127.0.0.1' },
    ])
    expect(await tokensOf(user.id)).toEqual([
      [await sha256Hex(body.mfa_token), 'enforced_setup', addSeconds(h.clock.now(), 900)],
    ])
  })

  test('A sign-in with a second factor gets a token for its code first, also where the password must be changed', async () => {
    for (const columns of [{ mfaRequired: true }, {}, { mustChangePassword: true }]) {
      const user = await h.user({ totpEnabled: true, failedLoginCount: 4, ...columns })
      const { status, body, headers } = await login(h, user.username)
      expect([status, body]).toEqual([
        200,
        { authenticated: false, totp_required: true, expires_in: 300, ...token },
      ])
      expect(headers.getSetCookie()).toEqual([])
      expect(await sessionsOf(h, user.id)).toEqual([])
      expect(await auditOf(h, user.id)).toEqual([])
      expect(await tokensOf(user.id)).toEqual([
        [await sha256Hex(body.mfa_token), 'sign_in', addSeconds(h.clock.now(), 300)],
      ])
    }
  })

  test('A sign-in whose password must be changed opens a session, and is not audited as a success', async () => {
    const user = await h.user({ mustChangePassword: true })
    const { status, body, headers } = await login(h, user.username)
    expect([status, body]).toEqual([200, { authenticated: true, must_change_password: true }])
    expect(headers.getSetCookie()).toHaveLength(1)
    expect(await sessionsOf(h, user.id)).toHaveLength(1)
    expect(await auditOf(h, user.id)).toEqual([])
  })
})

import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { passkeys, users } from '../../../../src/db/schema'
import { auditOf, sessionsOf, userOf } from '../../../support/accounts'
import { Authenticator } from '../../../support/authenticator'
import { PASSWORD, setCookieOf, startHarness } from '../../../support/harness'
import { begin, complete, PASSKEYS, register, signIn } from '../../../support/passkeys'
import { race, raceOf } from '../../../support/racing'
import { useHarness } from '../../../support/use-harness'

const h = useHarness({ env: { AUTH_RATE_LIMIT: 'off' } })

const passkeyOf = async (id: number) => (await h.db.select().from(passkeys).where(eq(passkeys.id, id)))[0]
/** What the audit log says that a user did with the passkeys that they had registered. */
const actsOf = async (userId: number) =>
  (await auditOf(h, userId))
    .map(({ action, detail }) => ({ action, detail }))
    .filter(({ action }) => action !== 'auth.passkey_registered')
const change = (id: number, set: Partial<typeof users.$inferInsert>) =>
  h.db.update(users).set(set).where(eq(users.id, id))

/** A user with a passkey, who is signed in. */
async function withPasskey(options: Parameters<typeof register>[1] = {}) {
  const ada = await h.signedIn()
  return { ada, ...(await register(ada, options)) }
}

describe('POST /api/auth/passkeys/login/begin', () => {
  test('tells a stranger nothing', async () => {
    const { status, body } = await h.request('POST', `${PASSKEYS}/login/begin`)
    expect(status).toBe(200)
    expect(body).toEqual({
      options: {
        rpId: 'localhost',
        challenge: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
        timeout: 300_000,
        userVerification: 'required',
        allowCredentials: [],
      },
    })
  })

  test('with a session, also a locked one, asks for a passkey of its user', async () => {
    const { ada, authenticator } = await withPasskey()
    await withPasskey()
    const own = [{ id: authenticator.credentialId, type: 'public-key', transports: ['internal'] }]
    expect((await begin(ada)).allowCredentials).toEqual(own)
    await ada.request('POST', '/api/auth/lock')
    expect((await begin(ada)).allowCredentials).toEqual(own)
  })

  test('takes the bearer of an invalid cookie for a stranger', async () => {
    const { ada } = await withPasskey()
    const revoked = await h.session(ada.row.id, { revoked: true })
    for (const cookie of ['x', revoked.token, `${ada.token}; session=x`]) {
      const { status, body } = await h.request('POST', `${PASSKEYS}/login/begin`, { cookie })
      expect([status, body.options.allowCredentials]).toEqual([200, []])
    }
  })
})

describe('POST /api/auth/passkeys/login/complete', () => {
  test('opens a session, notes the sign-in and the use of the passkey, and is audited', async () => {
    const { ada, authenticator, passkey } = await withPasskey()
    h.clock.advance({ minutes: 1 })
    const answered = await signIn(h, authenticator)
    expect([answered.status, answered.body]).toEqual([200, { authenticated: true }])
    const cookie = setCookieOf(answered.headers)?.value ?? ''
    expect((await h.request('GET', '/api/auth/status', { cookie })).body).toMatchObject({
      authenticated: true,
      user_id: ada.row.id,
    })
    const opened = (await sessionsOf(h, ada.row.id)).find(({ id }) => id !== ada.sid)
    expect(opened).toMatchObject({
      authMethod: 'passkey',
      ipAddress: '203.0.113.7',
      authenticatedAt: h.clock.now(),
    })
    expect((await userOf(h, ada.row.id)).lastLoginAt).toEqual(h.clock.now())
    expect(await passkeyOf(passkey.id)).toMatchObject({
      lastUsedAt: h.clock.now(),
      signCount: 1,
      backedUp: false,
    })
    expect(await actsOf(ada.row.id)).toEqual([{ action: 'auth.passkey_login_success', detail: null }])
  })

  test('follows whether the passkey is backed up by now', async () => {
    const { authenticator, passkey } = await withPasskey({ backupEligible: true })
    expect((await signIn(h, authenticator, { backedUp: true })).status).toBe(200)
    expect((await passkeyOf(passkey.id))?.backedUp).toBe(true)
    expect((await signIn(h, authenticator, { backedUp: false })).status).toBe(200)
    expect((await passkeyOf(passkey.id))?.backedUp).toBe(false)
  })

  test('lets an authenticator in that does not count, again and again', async () => {
    const { authenticator } = await withPasskey({ counts: false })
    for (let i = 0; i < 3; i++) expect((await signIn(h, authenticator)).status).toBe(200)
  })

  test('works for a user without a password', async () => {
    const { ada, authenticator } = await withPasskey()
    await change(ada.row.id, { passwordlessEnabled: true })
    expect((await signIn(h, authenticator)).body).toEqual({ authenticated: true })
  })

  test('satisfies the second factor and ends its failures, and leaves those of the password alone', async () => {
    const { ada, authenticator } = await withPasskey()
    await change(ada.row.id, { totpEnabled: true, failedLoginCount: 4, failedMfaCount: 3 })
    expect((await signIn(h, authenticator)).body).toEqual({ authenticated: true })
    expect(await userOf(h, ada.row.id)).toMatchObject({ failedLoginCount: 4, failedMfaCount: 0 })
  })

  test('asks for the second factor that an administrator wants set up, as a password does', async () => {
    const { ada, authenticator } = await withPasskey()
    await change(ada.row.id, { mfaRequired: true })
    const { status, body, headers } = await signIn(h, authenticator)
    expect([status, body]).toEqual([
      200,
      { authenticated: false, mfa_setup_required: true, mfa_token: expect.any(String), expires_in: 900 },
    ])
    expect(setCookieOf(headers)).toBeUndefined()
    expect((await sessionsOf(h, ada.row.id)).length).toBe(1)
    expect(await actsOf(ada.row.id)).toMatchObject([{ action: 'auth.mfa_enforce_prompted' }])
  })

  test('says that the password must be changed, as a password does', async () => {
    const { ada, authenticator } = await withPasskey()
    await change(ada.row.id, { mustChangePassword: true })
    const { body, headers } = await signIn(h, authenticator)
    expect(body).toEqual({ authenticated: true, must_change_password: true })
    const cookie = setCookieOf(headers)?.value ?? ''
    const answered = await h.request('GET', PASSKEYS, { cookie })
    expect([answered.status, answered.body.code]).toEqual([403, 'password_change_required'])
  })

  test.each(['lockedUntil', 'mfaLockedUntil'] as const)(
    'answers 423 after a valid assertion while the account is locked (%s), 401 after any other',
    async (lock) => {
      const { ada, authenticator } = await withPasskey()
      await change(ada.row.id, { [lock]: new Date(h.clock.now().getTime() + 60_000), isActive: false })
      const answered = await signIn(h, authenticator)
      expect([answered.status, answered.body]).toEqual([
        423,
        { detail: 'Account locked. Try again in 2 minutes.' },
      ])
      expect((await signIn(h, authenticator, { userVerified: false })).status).toBe(401)
      expect((await sessionsOf(h, ada.row.id)).length).toBe(1)
      expect((await userOf(h, ada.row.id)).lastLoginAt).toBeNull()
      expect(await actsOf(ada.row.id)).toEqual([
        { action: 'auth.passkey_login_failed', detail: { reason: 'account_locked' } },
        { action: 'auth.passkey_login_failed', detail: { reason: 'invalid_assertion' } },
      ])
    },
  )

  test('answers 403 to a disabled owner after a valid assertion, 401 after any other', async () => {
    const { ada, authenticator } = await withPasskey()
    await change(ada.row.id, { isActive: false })
    const answered = await signIn(h, authenticator)
    const detail = 'Account is disabled. Please contact an administrator.'
    expect([answered.status, answered.body]).toEqual([403, { detail }])
    expect((await signIn(h, authenticator, { origin: 'http://evil.example' })).status).toBe(401)
    expect((await userOf(h, ada.row.id)).lastLoginAt).toBeNull()
    expect((await actsOf(ada.row.id))[0]).toEqual({
      action: 'auth.passkey_login_failed',
      detail: { reason: 'account_disabled' },
    })
  })

  test('takes a challenge once, however many requests show it at once', async () => {
    const { ada, authenticator } = await withPasskey({ counts: false })
    for (let round = 0; round < 20; round++) {
      const before = (await sessionsOf(h, ada.row.id)).length
      const credential = await authenticator.get(await begin(h))
      const answers = await raceOf(50, () => complete(h, { credential }))
      const statuses = answers.map(({ status }) => status)
      const count = (wanted: number) => statuses.filter((status) => status === wanted).length
      expect([count(200), count(401)]).toEqual([1, 49])
      expect((await sessionsOf(h, ada.row.id)).length).toBe(before + 1)
    }
  }, 60_000)

  test('of copies of an authenticator that sign in with the same count at once, one gets in', async () => {
    const { authenticator } = await withPasskey()
    for (let round = 0; round < 20; round++) {
      const signCount = round + 1
      const credentials = []
      for (let i = 0; i < 10; i++) credentials.push(await authenticator.get(await begin(h), { signCount }))
      const answers = await race(
        credentials.map((credential) => () => complete(h, { credential })),
        0,
      )
      expect(answers.filter(({ status }) => status === 200).length).toBe(1)
    }
  }, 60_000)

  test('never fails where the account or the passkey is deleted at the same moment', async () => {
    for (let round = 0; round < 20; round++) {
      const { ada, authenticator, passkey } = await withPasskey()
      const credential = await authenticator.get(await begin(h))
      const [answered, deleted] = await Promise.all([
        complete(h, { credential }),
        round % 2
          ? ada.request('DELETE', `${PASSKEYS}/${passkey.id}`)
          : ada.request('DELETE', '/api/auth/account', { body: { password: PASSWORD } }),
        begin(ada),
      ])
      expect([200, 401]).toContain(answered.status)
      expect(deleted.status).toBe(204)
    }
  })
})

test('starting and completing a sign-in share the limit of sign-in attempts', async () => {
  await using limited = await startHarness()
  const credential = await new Authenticator().create({ challenge: 'AA', user: { id: 'AA' } })
  for (let i = 0; i < 6; i++) expect(await begin(limited)).toMatchObject({ challenge: expect.any(String) })
  const answers = [
    await limited.request('POST', `${PASSKEYS}/login/begin`),
    await complete(limited, { credential }),
  ]
  for (const { status, body } of answers)
    expect([status, body]).toEqual([429, { detail: 'Too many requests' }])
})

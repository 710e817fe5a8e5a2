import { beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { sessions, systemConfig, users } from '../../../../src/db/schema'
import { actionsOf, userOf } from '../../../support/accounts'
import { PASSWORD, setCookieOf } from '../../../support/harness'
import { codeAt, wrongCodeAt } from '../../../support/authenticator-app'
import { passwordStep, withTotp } from '../../../support/totp'
import { raceOf } from '../../../support/racing'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()
beforeAll(() => {
  h.peer.address = '127.0.0.1'
})

const begin = async (mfa_token: string) => {
  const { status, body } = await h.request('POST', '/api/auth/mfa-setup/begin', { body: { mfa_token } })
  return { status, body }
}
const send = (mfa_token: string, code: string) =>
  h.request('POST', '/api/auth/mfa-setup/confirm', { body: { mfa_token, code } })
const confirm = async (mfa_token: string, code: string) => {
  const { status, body } = await send(mfa_token, code)
  return { status, body }
}
const refused = (status: number, detail: string) => ({ status, body: { detail } })
const invalidToken = refused(401, 'Invalid or expired MFA token')
const invalidCode = refused(401, 'Invalid verification code')

describe('an enforced set-up', () => {
  test('leads from the password to a session, and asks for the code from then on', async () => {
    const ada = await h.user({ mfaRequired: true })
    const token = await passwordStep(h, ada.username)
    const begun = await begin(token)
    expect([begun.status, begun.body]).toEqual([
      200,
      { secret: expect.any(String), otpauth_uri: expect.stringContaining(ada.username), expires_in: 600 },
    ])
    const answered = await send(token, codeAt(begun.body.secret, h.clock.now()))
    expect(answered.body).toEqual({ authenticated: true, backup_codes: expect.any(Array) })
    expect(answered.body.backup_codes.length).toBe(10)
    const cookie = setCookieOf(answered.headers)?.value ?? ''
    expect((await h.request('GET', '/api/auth/totp/status', { cookie })).body).toEqual({
      enabled: true,
      confirmed_at: '2026-03-04T10:30:00+01:00',
      backup_codes_remaining: 10,
      required: true,
    })
    expect(await userOf(h, ada.id)).toMatchObject({ mfaEnforcePending: false, mfaRequired: true })
    expect(await h.db.select().from(sessions).where(eq(sessions.userId, ada.id))).toMatchObject([
      { authMethod: 'totp' },
    ])
    expect(await actionsOf(h, ada.id)).toEqual([
      'auth.mfa_enforce_prompted',
      'auth.totp_enabled',
      'auth.mfa_success',
      'auth.login_success',
    ])
    const login = { username: ada.username, password: PASSWORD }
    expect((await h.request('POST', '/api/auth/login', { body: login })).body).toMatchObject({
      authenticated: false,
      totp_required: true,
      expires_in: 300,
    })
  })

  test('leads from the registration to a session', async () => {
    const flags = { allowRegistration: true, enforceMfaNewUsers: true, updatedAt: h.clock.now() }
    await h.db.insert(systemConfig).values(flags).onConflictDoUpdate({ target: systemConfig.id, set: flags })
    const registered = await h.request('POST', '/api/auth/register', {
      body: {
        username: 'grace',
        password: PASSWORD,
        email: 'grace@example.com',
        date_of_birth: '1906-12-09',
      },
    })
    expect(registered.body).toMatchObject({ mfa_setup_required: true, expires_in: 900 })
    const token = registered.body.mfa_token
    const { body } = await begin(token)
    expect((await confirm(token, codeAt(body.secret, h.clock.now()))).status).toBe(200)
  })

  test('asks who must change the password for that', async () => {
    const ada = await h.user({ mfaRequired: true, mustChangePassword: true })
    const token = await passwordStep(h, ada.username)
    const { body } = await begin(token)
    expect(await confirm(token, codeAt(body.secret, h.clock.now()))).toMatchObject({
      body: { authenticated: true, must_change_password: true, backup_codes: expect.any(Array) },
    })
    expect(await actionsOf(h, ada.id)).not.toContain('auth.login_success')
  })

  test('refuses in the order: token, not begun, locked, code', async () => {
    const ada = await h.user({ mfaRequired: true })
    const token = await passwordStep(h, ada.username)
    const lock = (lockedUntil: Date | null) =>
      h.db.update(users).set({ lockedUntil }).where(eq(users.id, ada.id))
    await lock(new Date(h.clock.now().getTime() + 60_000))
    expect(await confirm('nonsense', '123456')).toEqual(invalidToken)
    expect(await confirm(token, '123456')).toEqual(refused(409, 'TOTP setup has not been started'))
    const { body } = await begin(token)
    expect(await confirm(token, codeAt(body.secret, h.clock.now()))).toEqual(
      refused(423, 'Account locked. Try again in 2 minutes.'),
    )
    await lock(null)
    expect(await confirm(token, wrongCodeAt(body.secret, h.clock.now()))).toEqual(invalidCode)
    expect((await confirm(token, codeAt(body.secret, h.clock.now()))).status).toBe(200)
    expect(await confirm(token, codeAt(body.secret, h.clock.now(), 1))).toEqual(invalidToken)
  })

  test('ends its token with the fifth wrong code, and counts nothing against the account', async () => {
    const ada = await h.user({ mfaRequired: true })
    const token = await passwordStep(h, ada.username)
    const { body } = await begin(token)
    for (let i = 0; i < 5; i++) {
      expect(await confirm(token, wrongCodeAt(body.secret, h.clock.now()))).toEqual(invalidCode)
    }
    expect(await confirm(token, codeAt(body.secret, h.clock.now()))).toEqual(invalidToken)
    expect(await begin(token)).toEqual(invalidToken)
    expect(await userOf(h, ada.id)).toMatchObject({ failedMfaCount: 0, totpEnabled: false })
  })

  test('lives 15 minutes, and the secret ten', async () => {
    const ada = await h.user({ mfaRequired: true })
    const token = await passwordStep(h, ada.username)
    const { body } = await begin(token)
    h.clock.advance({ minutes: 10 })
    expect(await confirm(token, codeAt(body.secret, h.clock.now()))).toEqual(
      refused(409, 'TOTP setup has not been started'),
    )
    h.clock.advance({ minutes: 4, seconds: 59 })
    expect((await begin(token)).status).toBe(200)
    h.clock.advance({ seconds: 1 })
    expect(await begin(token)).toEqual(invalidToken)
  })

  test('cannot be begun with the token of a sign-in, nor replace an authenticator that is on', async () => {
    const bob = await h.signedIn()
    await withTotp(h, bob)
    expect(await begin(await passwordStep(h, bob.row.username))).toEqual(invalidToken)

    const ada = await h.user({ mfaRequired: true })
    const [first, second] = [await passwordStep(h, ada.username), await passwordStep(h, ada.username)]
    const { body } = await begin(first)
    await confirm(first, codeAt(body.secret, h.clock.now()))
    expect(await begin(second)).toEqual(invalidToken)
    expect(await confirm(second, codeAt(body.secret, h.clock.now(), 1))).toEqual(invalidToken)
  })

  test('Of 50 confirmations of a set-up at once one succeeds', async () => {
    for (let round = 0; round < 20; round++) {
      const ada = await h.user({ mfaRequired: true })
      const tokens = [await passwordStep(h, ada.username), await passwordStep(h, ada.username)]
      const { body } = await begin(tokens[0] ?? '')
      const code = codeAt(body.secret, h.clock.now())
      const answers = await raceOf(50, (i) => confirm(tokens[i % 2] ?? '', code))
      expect(answers.filter(({ status }) => status === 200).length).toBe(1)
      expect(await h.db.$count(sessions, eq(sessions.userId, ada.id))).toBe(1)
    }
  })
})

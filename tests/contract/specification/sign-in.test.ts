import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createPasswordHasher } from '../../../src/adapters/password-hasher'
import { addMinutes } from '../../../src/lib/time/time'
import { codeAt } from '../../support/authenticator-app'
import { fakeHasher } from '../../support/fakes'
import { type Harness, PASSWORD, setCookieOf } from '../../support/harness'
import { passwordStep, withTotp } from '../../support/totp'
import {
  auditOf,
  configure,
  login,
  newcomer,
  PASSWORD_CHECKS,
  register,
  sessionsOf,
  startUnlimited,
  userRow,
} from './acting'

let h: Harness
beforeAll(async () => void (h = await startUnlimited()))
afterAll(() => h[Symbol.asyncDispose]())

const IP = '127.0.0.1'
const verify = (on: Harness, mfa_token: string, code: string) =>
  on.request('POST', '/api/auth/totp/verify', { body: { mfa_token, code } })

describe('4.2 POST /api/auth/login, processing order', () => {
  test('6: passwordless_enabled → 403 and an audit entry, after the password and the active check', async () => {
    const ada = await h.user({ passwordlessEnabled: true, failedLoginCount: 3 })
    expect((await login(h, ada.username)).status).toBe(403)
    expect(await userRow(h, ada.id)).toEqual(ada)
    expect((await login(h, ada.username, 'wrong')).status).toBe(401)
    const disabled = await h.user({ passwordlessEnabled: true, isActive: false })
    await login(h, disabled.username)
    expect(await auditOf(h, ada.id)).toMatchObject([
      { action: 'auth.login_blocked_passwordless', detail: { reason: 'passwordless_enabled' } },
      { action: 'auth.login_failed' },
    ])
    expect(await auditOf(h, disabled.id)).toMatchObject([{ action: 'auth.login_blocked_inactive' }])
  })

  test('7: a replacement hash is stored, the counter reset, locked_until cleared, last_login_at set, whatever is still missing', async () => {
    const before = {
      passwordHash: `legacy:${PASSWORD}`,
      failedLoginCount: 10,
      lockedUntil: h.clock.now(),
    }
    const missing = [{}, { mfaRequired: true }, { totpEnabled: true }, { mustChangePassword: true }]
    for (const columns of missing) {
      const ada = await h.user({ ...before, ...columns })
      expect((await login(h, ada.username)).status).toBe(200)
      const { passwordHash, failedLoginCount, lockedUntil, lastLoginAt } = await userRow(h, ada.id)
      expect([passwordHash, failedLoginCount, lockedUntil, lastLoginAt]).toEqual([
        `fake:${PASSWORD}`,
        0,
        null,
        h.clock.now(),
      ])
    }
  })

  test('8: mfa_enforce_pending and no TOTP → audited, {authenticated: false, mfa_setup_required: true, mfa_token}, no session', async () => {
    const ada = await h.user({ mfaRequired: true, mustChangePassword: true })
    const { status, body } = await login(h, ada.username)
    expect([status, body]).toMatchObject([
      200,
      { authenticated: false, mfa_setup_required: true, mfa_token: expect.any(String) },
    ])
    expect(await auditOf(h, ada.id)).toEqual([{ action: 'auth.mfa_enforce_prompted', detail: null, ip: IP }])
    expect(await sessionsOf(h, ada.id)).toEqual([])
  })

  test('9: else TOTP → {authenticated: false, totp_required: true, mfa_token} (short-lived), no session', async () => {
    const ada = await h.signedIn({ mfaRequired: true })
    const { secret } = await withTotp(h, ada)
    const { body } = await login(h, ada.row.username)
    expect(body).toMatchObject({
      authenticated: false,
      totp_required: true,
      mfa_token: expect.any(String),
    })
    expect(await sessionsOf(h, ada.row.id)).toHaveLength(1)
    h.clock.advance({ minutes: 5 })
    expect((await verify(h, body.mfa_token, codeAt(secret, h.clock.now()))).status).toBe(401)
    const token = await passwordStep(h, ada.row.username)
    expect((await verify(h, token, codeAt(secret, h.clock.now()))).body).toEqual({ authenticated: true })
    expect(await sessionsOf(h, ada.row.id)).toHaveLength(2)
  })

  test('10: else must_change_password → session, cookie, {authenticated: true, must_change_password: true}, no success audit entry', async () => {
    const ada = await h.user({ mustChangePassword: true })
    const { body, headers } = await login(h, ada.username)
    expect(body).toEqual({ authenticated: true, must_change_password: true })
    expect(setCookieOf(headers)?.value).toStartWith('v1.')
    expect(await sessionsOf(h, ada.id)).toHaveLength(1)
    expect(await auditOf(h, ada.id)).toEqual([])
  })

  test('11: else → session, cookie, audit auth.login_success, {authenticated: true}', async () => {
    const ada = await h.user()
    const { body, headers } = await login(h, ada.username)
    expect(body).toEqual({ authenticated: true })
    expect(setCookieOf(headers)?.value).toStartWith('v1.')
    expect(await auditOf(h, ada.id)).toEqual([{ action: 'auth.login_success', detail: null, ip: IP }])
  })
})

test('4.3 POST /api/auth/register, 4: enforce_mfa_new_users → mfa_enforce_pending, no session, {message, authenticated: false, mfa_setup_required: true, mfa_token}', async () => {
  await using enforcing = await startUnlimited()
  await configure(enforcing, { allow_registration: true, enforce_mfa_new_users: true })
  const { body, headers } = await register(enforcing, 'newcomer')
  expect(body).toMatchObject({
    message: expect.any(String),
    authenticated: false,
    mfa_setup_required: true,
    mfa_token: expect.any(String),
  })
  expect(headers.getSetCookie()).toEqual([])
  const row = await enforcing.db.query.users.findFirst({ where: (t, { eq }) => eq(t.username, 'newcomer') })
  expect(row?.mfaEnforcePending).toBe(true)
  expect(await sessionsOf(enforcing, row?.id ?? 0)).toEqual([])
})

describe('5.4 Lockout, hashing, timing', () => {
  test('10 failed password checks lock the account for 30 minutes; N = whole minutes remaining (truncated) plus 1', async () => {
    const ada = await h.user({ failedLoginCount: 9 })
    await login(h, ada.username, 'wrong')
    const remaining = async () => (await login(h, ada.username)).body.detail
    expect(await remaining()).toBe('Account locked. Try again in 31 minutes.')
    h.clock.advance({ ms: 1 })
    expect(await remaining()).toBe('Account locked. Try again in 30 minutes.')
    h.clock.advance({ minutes: 29 })
    expect(await remaining()).toBe('Account locked. Try again in 1 minutes.')
  })

  test('the lock is stored in the database: another instance holds it too', async () => {
    const ada = await h.user({ failedLoginCount: 9 })
    await login(h, ada.username, 'wrong')
    await using another = await startUnlimited({ deps: { db: h.db, clock: h.clock } })
    expect((await login(another, ada.username)).status).toBe(423)
  })

  test('password verification is always performed, even for unknown usernames and locked accounts', async () => {
    const verified: string[] = []
    const hasher = {
      ...fakeHasher,
      verify: (password: string, hash: string) => {
        verified.push(hash)
        return fakeHasher.verify(password, hash)
      },
    }
    await using watched = await startUnlimited({ deps: { hasher } })
    await login(watched, 'nobody-at-all')
    expect(verified).toMatchObject([expect.stringMatching(/^\$argon2id\$/)])
    for (const lock of ['lockedUntil', 'mfaLockedUntil']) {
      const ada = await watched.signedIn({ [lock]: addMinutes(watched.clock.now(), 5) })
      for (const { operation, attempt } of PASSWORD_CHECKS) {
        const before = verified.length
        expect([operation, (await attempt(watched, ada, PASSWORD)).status]).toEqual([operation, 423])
        expect([operation, verified.slice(before)]).toEqual([operation, [ada.row.passwordHash]])
      }
    }
  })

  test('passwords are hashed with Argon2id', async () => {
    const hasher = createPasswordHasher({ workers: 1 })
    try {
      await using hashing = await startUnlimited({ deps: { hasher } })
      await hashing.request('POST', '/api/auth/setup', { body: newcomer('root') })
      const root = await hashing.db.query.users.findFirst()
      expect(root?.passwordHash).toStartWith('$argon2id$v=19$m=19456,t=2,p=1$')
    } finally {
      await hasher.close()
    }
  })

  test('cross-origin requests may send the header X-Requested-With', async () => {
    const origin = 'https://client.example'
    await using listed = await startUnlimited({ env: { CORS_ORIGINS: origin } })
    const { headers } = await listed.request('OPTIONS', '/api/auth/login', {
      headers: { origin, 'access-control-request-method': 'POST' },
    })
    expect(headers.get('access-control-allow-headers')).toMatch(/\bx-requested-with\b/i)
  })

  test('MFA and enforcement tokens are issued by login and registration', async () => {
    await using enforcing = await startUnlimited()
    await configure(enforcing, { allow_registration: true, enforce_mfa_new_users: true })
    const issued = [await register(enforcing, 'newcomer'), await login(enforcing, 'newcomer')]
    for (const { body } of issued) {
      const begin = await enforcing.request('POST', '/api/auth/mfa-setup/begin', {
        body: { mfa_token: body.mfa_token },
      })
      expect(begin.status).toBe(200)
    }
  })
})

describe('6.1 Audit events: action, actor_id, detail and ip', () => {
  test('auth.setup_complete by POST /setup; auth.registration by POST /register', async () => {
    await using fresh = await startUnlimited()
    await fresh.request('POST', '/api/auth/setup', { body: newcomer('root') })
    await configure(fresh, { allow_registration: true })
    await register(fresh, 'newcomer')
    for (const [username, action] of [
      ['root', 'auth.setup_complete'],
      ['newcomer', 'auth.registration'],
    ] as const) {
      const row = await fresh.db.query.users.findFirst({ where: (t, { eq }) => eq(t.username, username) })
      expect(await auditOf(fresh, row?.id ?? 0)).toEqual([{ action, detail: null, ip: IP }])
    }
  })

  test.each([
    {
      action: 'auth.login_failed',
      by: 'a wrong password',
      columns: {},
      password: 'wrong',
      detail: { reason: 'invalid_password' },
    },
    {
      action: 'auth.login_blocked_inactive',
      by: 'a disabled account',
      columns: { isActive: false },
      detail: { reason: 'account_disabled' },
    },
    {
      action: 'auth.mfa_enforce_prompted',
      by: 'MFA setup pending',
      columns: { mfaRequired: true },
      detail: null,
    },
    { action: 'auth.login_success', by: 'normal success', columns: {}, detail: null },
  ])('$action by POST /login, $by', async ({ action, columns, password, detail }) => {
    const ada = await h.user(columns)
    await login(h, ada.username, password)
    expect(await auditOf(h, ada.id)).toEqual([{ action, detail, ip: IP }])
  })

  test('entries are also written by admin user deletion and admin passwordless disable, by the administrator', async () => {
    const [admin, ada] = [await h.signedIn({ role: 'admin' }), await h.user()]
    await admin.request('PUT', `/api/admin/users/${ada.id}/passwordless`, { body: { enabled: false } })
    await admin.request('DELETE', `/api/admin/users/${ada.id}`)
    const detail = { user_id: ada.id, username: ada.username }
    expect(await auditOf(h, admin.row.id)).toEqual([
      { action: 'admin.user_passwordless_disabled', detail, ip: IP },
      { action: 'admin.user_deleted', detail, ip: IP },
    ])
  })
})

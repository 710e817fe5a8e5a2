import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createPasswordHasher } from '../../../src/adapters/password-hasher'
import { addMinutes } from '../../../src/lib/time/time'
import { type Actor, type Harness, PASSWORD } from '../../support/harness'
import { register as registerPasskey } from '../../support/passkeys'
import { withTotp } from '../../support/totp'
import {
  configure,
  login,
  NEW_PASSWORD,
  newcomer,
  PASSWORD_CHECKS,
  register,
  startUnlimited,
  userRow,
} from './acting'

let h: Harness
let admin: Actor
beforeAll(async () => {
  h = await startUnlimited()
  admin = await h.signedIn({ role: 'admin' })
})
afterAll(() => h[Symbol.asyncDispose]())

const shown = async (id: number) => (await admin.request('GET', `/api/admin/users/${id}`)).body
const changePassword = (actor: Actor, old_password: string) =>
  actor.request('POST', '/api/auth/change-password', { body: { old_password, new_password: NEW_PASSWORD } })

describe('2.1 User', () => {
  test('id: integer, primary key', async () => {
    const [ada, bob] = [await h.user(), await h.user()]
    expect([(await shown(ada.id)).username, (await shown(bob.id)).username]).toEqual([
      ada.username,
      bob.username,
    ])
    expect((await shown(ada.id)).id).toBe(ada.id)
    expect(Number.isInteger(ada.id)).toBe(true)
  })

  test('username: unique login name', async () => {
    const ada = await h.user()
    const body = { username: ada.username.toUpperCase(), password: PASSWORD }
    expect((await admin.request('POST', '/api/admin/users', { body })).status).toBe(409)
    expect((await login(h, ada.username)).status).toBe(200)
  })

  test('password_hash: never returned; Argon2id; a bcrypt hash is replaced on the first successful check', async () => {
    const hasher = createPasswordHasher({ workers: 1 })
    try {
      await using hashing = await startUnlimited({ deps: { hasher } })
      await hashing.request('POST', '/api/auth/setup', { body: newcomer('root') })
      const legacy = await Bun.password.hash(PASSWORD, { algorithm: 'bcrypt', cost: 4 })
      for (const { operation, attempt } of PASSWORD_CHECKS) {
        const ada = await hashing.signedIn({ passwordHash: legacy })
        await attempt(hashing, ada, 'wrong')
        expect((await userRow(hashing, ada.row.id)).passwordHash).toBe(legacy)
        const answered = await attempt(hashing, ada, PASSWORD)
        const { passwordHash } = await userRow(hashing, ada.row.id)
        expect([operation, answered.status, passwordHash.slice(0, 10)]).toEqual([
          operation,
          200,
          '$argon2id$',
        ])
        expect(JSON.stringify(answered.body)).not.toMatch(/hash|argon2/i)
      }
    } finally {
      await hasher.close()
    }
    expect(JSON.stringify(await shown(admin.row.id))).not.toMatch(/hash|fake:/i)
  })

  test('role: admin or standard', async () => {
    const ada = await h.user()
    const change = (role: string) =>
      admin.request('PUT', `/api/admin/users/${ada.id}/role`, { body: { role } })
    expect((await change('owner')).status).toBe(422)
    for (const role of ['admin', 'standard']) expect((await change(role)).body.role).toBe(role)
  })

  test('is_active: false means the account is disabled', async () => {
    const ada = await h.signedIn()
    const change = (is_active: boolean) =>
      admin.request('PUT', `/api/admin/users/${ada.row.id}/active`, { body: { is_active } })
    expect((await change(false)).body.is_active).toBe(false)
    expect((await ada.request('GET', '/api/settings')).status).toBe(401)
    expect((await login(h, ada.row.username)).status).toBe(403)
    expect((await change(true)).body.is_active).toBe(true)
    expect((await login(h, ada.row.username)).status).toBe(200)
  })

  test('failed_login_count: consecutive failed password checks', async () => {
    const ada = await h.signedIn()
    for (const { attempt } of PASSWORD_CHECKS) await attempt(h, ada, 'wrong')
    expect((await userRow(h, ada.row.id)).failedLoginCount).toBe(3)
    await login(h, ada.row.username)
    await login(h, ada.row.username, 'wrong')
    expect((await userRow(h, ada.row.id)).failedLoginCount).toBe(1)
  })

  test('locked_until: locked while now is earlier than this', async () => {
    const ada = await h.user({ lockedUntil: addMinutes(h.clock.now(), 1) })
    expect((await shown(ada.id)).locked_until).not.toBeNull()
    h.clock.advance({ minutes: 1, ms: -1 })
    expect((await login(h, ada.username)).status).toBe(423)
    h.clock.advance({ ms: 1 })
    expect((await shown(ada.id)).locked_until).toBeNull()
    expect((await login(h, ada.username)).status).toBe(200)
  })

  test('last_login_at: set on successful login', async () => {
    const ada = await h.user()
    await login(h, ada.username, 'wrong')
    expect((await userRow(h, ada.id)).lastLoginAt).toBeNull()
    await login(h, ada.username)
    expect((await userRow(h, ada.id)).lastLoginAt).toEqual(h.clock.now())
  })

  test('last_password_change_at: set on setup, registration and password change', async () => {
    await using fresh = await startUnlimited()
    await fresh.request('POST', '/api/auth/setup', { body: newcomer('root') })
    await configure(fresh, { allow_registration: true })
    await register(fresh, 'newcomer')
    const made = await fresh.db.query.users.findMany()
    for (const name of ['root', 'newcomer']) {
      const row = made.find(({ username }) => username === name)
      expect([name, row?.lastPasswordChangeAt]).toEqual([name, fresh.clock.now()])
    }
    const ada = await h.signedIn()
    await changePassword(ada, 'wrong')
    expect((await userRow(h, ada.row.id)).lastPasswordChangeAt).toBeNull()
    await changePassword(ada, PASSWORD)
    expect((await userRow(h, ada.row.id)).lastPasswordChangeAt).toEqual(h.clock.now())
  })

  test('must_change_password: set after an admin password reset; cleared by change-password', async () => {
    const { id, username } = await h.user()
    const by = await h.signedIn({ role: 'admin' })
    const { body } = await by.request('POST', `/api/admin/users/${id}/reset-password`)
    expect(await userRow(h, id)).toMatchObject({ mustChangePassword: true })
    expect((await login(h, username, body.temporary_password)).body.must_change_password).toBe(true)
    const { token: cookie } = await h.session(id)
    const sent = { old_password: body.temporary_password, new_password: NEW_PASSWORD }
    expect((await h.request('POST', '/api/auth/change-password', { cookie, body: sent })).status).toBe(200)
    expect(await userRow(h, id)).toMatchObject({ mustChangePassword: false })
    expect((await login(h, username, NEW_PASSWORD)).body).toEqual({ authenticated: true })
  })

  test('mfa_enforce_pending: MFA setup must be completed before login', async () => {
    const ada = await h.user({ mfaRequired: true })
    expect((await shown(ada.id)).mfa_enforce_pending).toBe(true)
    const { body, headers } = await login(h, ada.username)
    expect([body.authenticated, body.mfa_setup_required]).toEqual([false, true])
    expect(headers.getSetCookie()).toEqual([])
  })

  test('totp_enabled: TOTP second factor active', async () => {
    const ada = await h.signedIn()
    expect((await login(h, ada.row.username)).body).toEqual({ authenticated: true })
    await withTotp(h, ada)
    expect((await userRow(h, ada.row.id)).totpEnabled).toBe(true)
    expect((await login(h, ada.row.username)).body).toMatchObject({ totp_required: true })
  })

  test('passwordless_enabled: default false; blocks password login when true', async () => {
    const body = { username: 'by-default', password: PASSWORD }
    expect((await admin.request('POST', '/api/admin/users', { body })).body.passwordless_enabled).toBe(false)
    const ada = await h.user({ passwordlessEnabled: true })
    expect((await login(h, ada.username)).status).toBe(403)
  })

  test('email: required at registration; unique among non-null values', async () => {
    await using open = await startUnlimited()
    await configure(open, { allow_registration: true })
    const { email, ...without } = newcomer('ada')
    expect((await open.request('POST', '/api/auth/register', { body: without })).status).toBe(422)
    expect((await register(open, 'ada')).status).toBe(200)
    const again = { ...newcomer('bob'), email }
    expect((await open.request('POST', '/api/auth/register', { body: again })).status).toBe(400)
    for (const username of ['no-email', 'none-either']) {
      const body = { username, password: PASSWORD }
      expect((await admin.request('POST', '/api/admin/users', { body })).body.email).toBeNull()
    }
  })

  test('date_of_birth: required at registration; editable in settings', async () => {
    await using open = await startUnlimited()
    await configure(open, { allow_registration: true })
    const { date_of_birth: _, ...without } = newcomer('ada')
    expect((await open.request('POST', '/api/auth/register', { body: without })).status).toBe(422)
    const ada = await h.signedIn()
    const body = { date_of_birth: '1990-02-28' }
    expect((await ada.request('PUT', '/api/settings', { body })).body).toMatchObject(body)
    expect(await userRow(h, ada.row.id)).toMatchObject({ dateOfBirth: '1990-02-28' })
  })

  test('connection alias (network_name): public handle', async () => {
    const body = { username: 'Some.Body', password: PASSWORD }
    const { id } = (await admin.request('POST', '/api/admin/users', { body })).body
    expect((await userRow(h, id)).networkName).toBe('some.body')
  })

  test('tables for TOTP usage, backup codes and passkeys exist', async () => {
    const ada = await h.signedIn()
    await registerPasskey(ada)
    const { backupCodes } = await withTotp(h, ada)
    expect(backupCodes).toHaveLength(10)
    const { body } = await ada.request('GET', '/api/auth/totp/status')
    expect(body).toMatchObject({ enabled: true, backup_codes_remaining: 10 })
    expect((await shown(ada.row.id)).passkey_count).toBe(1)
  })
})

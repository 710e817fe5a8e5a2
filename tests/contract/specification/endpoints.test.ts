import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { calendars, passkeys, sessions, settings, systemConfig, users } from '../../../src/db/schema'
import { type Harness, PASSWORD, setCookieOf } from '../../support/harness'
import {
  auditOf,
  configure,
  login,
  NEW_PASSWORD,
  newcomer,
  register,
  sessionRow,
  sessionsOf,
  startUnlimited,
  userRow,
} from './acting'

const NOT_AUTHENTICATED = [401, { detail: 'Not authenticated' }]
const IP = '127.0.0.1'

let h: Harness
beforeAll(async () => void (h = await startUnlimited()))
afterAll(() => h[Symbol.asyncDispose]())

const statusOf = async (cookie?: string, of = h) =>
  (await of.request('GET', '/api/auth/status', cookie === undefined ? {} : { cookie })).body

const addPasskeys = (userId: number, count: number) =>
  h.db.insert(passkeys).values(
    Array.from({ length: count }, (_, n) => ({
      userId,
      name: `Passkey ${n}`,
      credentialId: `credential-${userId}-${n}`,
      publicKey: new Uint8Array([n]),
      signCount: 0,
      transports: [],
      deviceType: 'multiDevice' as const,
      backedUp: true,
      createdAt: h.clock.now(),
    })),
  )

describe('4 Endpoints: the authentication router', () => {
  test('POST /api/auth/setup, auth none, body username and password → {message, authenticated: true}, session cookie set', async () => {
    await using fresh = await startUnlimited()
    const setUp = (username: string) =>
      fresh.request('POST', '/api/auth/setup', { body: { username, password: PASSWORD } })
    const { status, body, headers } = await setUp('root')
    expect([status, body]).toEqual([200, { message: expect.any(String), authenticated: true }])
    expect(await statusOf(setCookieOf(headers)?.value, fresh)).toMatchObject({
      username: 'root',
      role: 'admin',
    })
    const [root] = await fresh.db.select().from(users)
    expect([root?.role, root?.lastPasswordChangeAt]).toEqual(['admin', fresh.clock.now()])
    expect([await fresh.db.$count(settings), await fresh.db.$count(calendars)]).toEqual([1, 2])
    expect(await auditOf(fresh, root?.id ?? 0)).toEqual([
      { action: 'auth.setup_complete', detail: null, ip: IP },
    ])
    expect((await setUp('second')).status).toBe(400)
    expect(await fresh.db.$count(users)).toBe(1)
  })

  test('POST /api/auth/login, auth none, body username and password → see 4.2', async () => {
    const token = { mfa_token: expect.any(String), expires_in: expect.any(Number) }
    for (const { columns, view, actions, opened } of [
      { columns: {}, view: { authenticated: true }, actions: ['auth.login_success'], opened: 1 },
      {
        columns: { mustChangePassword: true },
        view: { authenticated: true, must_change_password: true },
        actions: [],
        opened: 1,
      },
      {
        columns: { totpEnabled: true, mustChangePassword: true },
        view: { authenticated: false, totp_required: true, ...token },
        actions: [],
        opened: 0,
      },
      {
        columns: { mfaRequired: true, mustChangePassword: true },
        view: { authenticated: false, mfa_setup_required: true, ...token },
        actions: ['auth.mfa_enforce_prompted'],
        opened: 0,
      },
    ]) {
      const ada = await h.user(columns)
      const { status, body, headers } = await login(h, ada.username)
      expect([status, body]).toEqual([200, view])
      expect(headers.getSetCookie()).toHaveLength(opened)
      expect(await sessionsOf(h, ada.id)).toHaveLength(opened)
      expect((await auditOf(h, ada.id)).map(({ action }) => action)).toEqual(actions)
    }
  })

  test('POST /api/auth/register, auth none, body username, password, email and date_of_birth → see 4.3', async () => {
    await using open = await startUnlimited()
    await configure(open, { allow_registration: true })
    const { status, body, headers } = await register(open, 'newcomer')
    expect([status, body]).toEqual([200, { message: expect.any(String), authenticated: true }])
    const { user_id } = await statusOf(setCookieOf(headers)?.value, open)
    const user = await userRow(open, user_id)
    expect(user.lastPasswordChangeAt).toEqual(open.clock.now())
    expect(user).toMatchObject({
      username: 'newcomer',
      role: 'standard',
      email: 'newcomer@example.com',
      dateOfBirth: '1990-02-28',
      mfaEnforcePending: false,
    })
    expect(await open.db.$count(settings, eq(settings.userId, user_id))).toBe(1)
    expect(await open.db.$count(calendars, eq(calendars.userId, user_id))).toBe(2)
    expect(await auditOf(open, user_id)).toEqual([{ action: 'auth.registration', detail: null, ip: IP }])
    await configure(open, { enforce_mfa_new_users: true })
    expect((await register(open, 'second')).body).toMatchObject({
      message: expect.any(String),
      authenticated: false,
      mfa_setup_required: true,
      mfa_token: expect.any(String),
    })
  })

  test('POST /api/auth/register without username, password, email or date_of_birth → refused: all are required', async () => {
    await using open = await startUnlimited()
    await configure(open, { allow_registration: true })
    const before = await open.db.$count(users)
    for (const field of ['username', 'password', 'email', 'date_of_birth']) {
      const body = { ...newcomer('newcomer'), [field]: undefined }
      const refused = await open.request('POST', '/api/auth/register', { body })
      expect([refused.status, refused.body.detail]).toEqual([422, expect.stringContaining(`${field}: `)])
    }
    expect(await open.db.$count(users)).toBe(before)
  })

  test('POST /api/auth/logout, cookie optional, no body → {message}', async () => {
    const ada = await h.signedIn()
    for (const sent of [{}, { cookie: 'garbage' }, { cookie: ada.token }]) {
      const { status, body, headers } = await h.request('POST', '/api/auth/logout', sent)
      expect([status, body]).toEqual([200, { message: expect.any(String) }])
      expect(setCookieOf(headers)?.value).toBe('')
    }
    expect(await sessionRow(h, ada.sid)).toMatchObject({ revoked: true })
  })

  test('GET /api/auth/status, cookie optional, no body → see 4.5', async () => {
    const ada = await h.signedIn()
    const fields = {
      authenticated: expect.any(Boolean),
      setup_required: expect.any(Boolean),
      registration_open: expect.any(Boolean),
      is_locked: expect.any(Boolean),
      passkey_count: expect.any(Number),
      has_passkeys: expect.any(Boolean),
      passwordless_enabled: expect.any(Boolean),
    }
    expect(await statusOf()).toMatchObject({ ...fields, role: null, username: null })
    expect(await statusOf('garbage')).toEqual(await statusOf())
    expect(await statusOf(ada.token)).toMatchObject({
      ...fields,
      role: 'standard',
      username: ada.row.username,
    })
  })

  test('POST /api/auth/verify-password, auth session, body password → {verified: true}', async () => {
    const ada = await h.signedIn({ passwordHash: `legacy:${PASSWORD}`, failedLoginCount: 3 })
    const sent = { body: { password: PASSWORD } }
    const anonymous = await h.request('POST', '/api/auth/verify-password', sent)
    expect([anonymous.status, anonymous.body]).toEqual(NOT_AUTHENTICATED)
    const { status, body } = await ada.request('POST', '/api/auth/verify-password', sent)
    expect([status, body]).toEqual([200, { verified: true }])
    expect(await userRow(h, ada.row.id)).toMatchObject({
      passwordHash: `fake:${PASSWORD}`,
      failedLoginCount: 0,
    })
  })

  test('POST /api/auth/change-password, auth session, body old_password and new_password → {message}', async () => {
    const ada = await h.signedIn()
    const sent = { body: { old_password: PASSWORD, new_password: NEW_PASSWORD } }
    const anonymous = await h.request('POST', '/api/auth/change-password', sent)
    expect([anonymous.status, anonymous.body]).toEqual(NOT_AUTHENTICATED)
    const { status, body } = await ada.request('POST', '/api/auth/change-password', sent)
    expect([status, body]).toMatchObject([200, { message: expect.any(String) }])
    expect((await userRow(h, ada.row.id)).lastPasswordChangeAt).toEqual(h.clock.now())
    expect((await login(h, ada.row.username)).status).toBe(401)
    expect((await login(h, ada.row.username, NEW_PASSWORD)).status).toBe(200)
  })

  test('POST /api/auth/lock, auth session, no body → sets the session lock flag', async () => {
    const ada = await h.signedIn()
    const other = await h.session(ada.row.id)
    const anonymous = await h.request('POST', '/api/auth/lock')
    expect([anonymous.status, anonymous.body]).toEqual(NOT_AUTHENTICATED)
    expect((await ada.request('POST', '/api/auth/lock')).status).toBe(200)
    expect(await sessionRow(h, ada.sid)).toMatchObject({ isLocked: true })
    expect(await sessionRow(h, other.id)).toMatchObject({ isLocked: false })
  })
})

describe('4.5 GET /api/auth/status: the response fields', () => {
  test('authenticated: true only when a valid session and an active user exist', async () => {
    const [ada, disabled] = [await h.signedIn(), await h.signedIn({ isActive: false })]
    expect(await statusOf(ada.token)).toMatchObject({ authenticated: true })
    expect(await statusOf(disabled.token)).toMatchObject({ authenticated: false })
    await h.db.update(sessions).set({ revoked: true }).where(eq(sessions.id, ada.sid))
    for (const cookie of [undefined, 'garbage', ada.token]) {
      expect(await statusOf(cookie)).toMatchObject({ authenticated: false })
    }
  })

  test('authenticated: false regardless of cookie when setup is required', async () => {
    const ada = await h.signedIn()
    await using fresh = await startUnlimited()
    expect(await statusOf(ada.token)).toMatchObject({ authenticated: true })
    expect(await statusOf(ada.token, fresh)).toMatchObject({ setup_required: true, authenticated: false })
  })

  test('setup_required: true when the user count is 0', async () => {
    await using fresh = await startUnlimited()
    expect(await statusOf(undefined, fresh)).toMatchObject({ setup_required: true })
    await fresh.request('POST', '/api/auth/setup', { body: newcomer('root') })
    expect(await statusOf(undefined, fresh)).toMatchObject({ setup_required: false })
  })

  test('role: role of the active user when authenticated, else null', async () => {
    for (const role of ['admin', 'standard'] as const) {
      const [active, disabled] = [await h.signedIn({ role }), await h.signedIn({ role, isActive: false })]
      expect(await statusOf(active.token)).toMatchObject({ role })
      expect(await statusOf(disabled.token)).toMatchObject({ role: null })
    }
    expect(await statusOf()).toMatchObject({ role: null })
  })

  test('username: set when authenticated, else null', async () => {
    const ada = await h.signedIn({ username: 'Countess' })
    expect(await statusOf(ada.token)).toMatchObject({ username: 'Countess' })
    expect(await statusOf(`${ada.token}x`)).toMatchObject({ username: null })
  })

  test('registration_open: allow_registration; false when setup is required or configuration is missing', async () => {
    await using fresh = await startUnlimited()
    const isOpen = async () => (await statusOf(undefined, fresh)).registration_open
    await fresh.db.insert(systemConfig).values({ allowRegistration: true, updatedAt: fresh.clock.now() })
    expect(await isOpen()).toBe(false)
    await fresh.user()
    expect(await isOpen()).toBe(true)
    await fresh.db.delete(systemConfig)
    expect(await isOpen()).toBe(false)
    for (const allow_registration of [true, false]) {
      await configure(fresh, { allow_registration })
      expect(await isOpen()).toBe(allow_registration)
    }
  })

  test('is_locked: session lock flag', async () => {
    const ada = await h.signedIn()
    expect(await statusOf(ada.token)).toMatchObject({ is_locked: false })
    await ada.request('POST', '/api/auth/lock')
    expect(await statusOf(ada.token)).toMatchObject({ is_locked: true })
  })

  test('passkey_count: number of passkeys of the user (a full count)', async () => {
    const [ada, bob] = [await h.signedIn(), await h.signedIn()]
    await addPasskeys(ada.row.id, 3)
    expect(await statusOf(ada.token)).toMatchObject({ passkey_count: 3 })
    expect(await statusOf(bob.token)).toMatchObject({ passkey_count: 0 })
  })

  test('has_passkeys: user has at least one passkey', async () => {
    const ada = await h.signedIn()
    expect(await statusOf(ada.token)).toMatchObject({ has_passkeys: false })
    await addPasskeys(ada.row.id, 1)
    expect(await statusOf(ada.token)).toMatchObject({ has_passkeys: true })
  })

  test('passwordless_enabled: user flag', async () => {
    for (const passwordlessEnabled of [true, false]) {
      const ada = await h.signedIn({ passwordlessEnabled })
      expect(await statusOf(ada.token)).toMatchObject({ passwordless_enabled: passwordlessEnabled })
    }
  })
})

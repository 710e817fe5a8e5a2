import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { passkeys, sessions, systemConfig, users } from '../../../../src/db/schema'
import { setCookieOf, startHarness } from '../../../support/harness'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const status = async (cookie?: string) =>
  h.request('GET', '/api/auth/status', cookie === undefined ? {} : { cookie })
const NOBODY = {
  authenticated: false,
  setup_required: false,
  user_id: null,
  role: null,
  username: null,
  registration_open: false,
  is_locked: false,
  passkey_count: 0,
  has_passkeys: false,
  passwordless_enabled: false,
  has_password: false,
  oidc: null,
}
const openRegistration = (allowRegistration: boolean) =>
  h.db
    .insert(systemConfig)
    .values({ allowRegistration, updatedAt: h.clock.now() })
    .onConflictDoUpdate({ target: systemConfig.id, set: { allowRegistration } })

describe('GET /api/auth/status', () => {
  test('asks for setup while there is no user, whatever the cookie and the configuration say', async () => {
    await using empty = await startHarness()
    const token = empty.deps.tokens.sign({ uid: 1, sid: 'x', iat: 0, exp: 9_999_999_999 })
    await empty.db.insert(systemConfig).values({ allowRegistration: true, updatedAt: empty.clock.now() })
    const answered = await empty.request('GET', '/api/auth/status', { cookie: token })
    expect([answered.status, answered.body]).toEqual([200, { ...NOBODY, setup_required: true }])
  })

  test('knows nobody without a valid session, and says so with 200', async () => {
    const ada = await h.signedIn()
    await h.db.update(sessions).set({ revoked: true }).where(eq(sessions.id, ada.sid))
    const inactive = await h.signedIn({ isActive: false })
    for (const cookie of [
      undefined,
      '',
      'garbage',
      `${ada.token}x`,
      ada.token,
      inactive.token,
      `${ada.token}; session=x`,
    ]) {
      const answered = await status(cookie)
      expect([answered.status, answered.body]).toEqual([200, NOBODY])
    }
  })

  test('fails where the session cannot be read, and does not say that there is nobody', async () => {
    const { token } = await h.signedIn()
    await h.db.execute('alter table passkeys rename to unread')
    try {
      expect((await status(token)).status).toBe(500)
    } finally {
      await h.db.execute('alter table unread rename to passkeys')
    }
    expect((await status(token)).body).toMatchObject({ authenticated: true })
  })

  test('says who the caller is', async () => {
    const ada = await h.signedIn({ username: 'Ada', role: 'admin', passwordlessEnabled: true })
    await h.db.insert(passkeys).values(
      [1, 2, 3].map((n) => ({
        userId: ada.row.id,
        name: `Passkey ${n}`,
        credentialId: `credential-${n}`,
        publicKey: new Uint8Array([n]),
        signCount: 0,
        transports: [],
        deviceType: 'multiDevice' as const,
        backedUp: true,
        createdAt: h.clock.now(),
      })),
    )
    const answered = await status(ada.token)
    expect(answered.body).toEqual({
      authenticated: true,
      setup_required: false,
      user_id: ada.row.id,
      role: 'admin',
      username: 'Ada',
      registration_open: false,
      is_locked: false,
      passkey_count: 3,
      has_passkeys: true,
      passwordless_enabled: true,
      has_password: true,
      oidc: null,
    })
    const bob = await h.signedIn()
    expect((await status(bob.token)).body).toMatchObject({
      role: 'standard',
      passkey_count: 0,
      has_passkeys: false,
      passwordless_enabled: false,
    })
  })

  test('tells whether registration is open, to everybody', async () => {
    const ada = await h.signedIn()
    for (const open of [true, false]) {
      await openRegistration(open)
      expect((await status()).body).toMatchObject({ registration_open: open })
      expect((await status(ada.token)).body).toMatchObject({ registration_open: open })
    }
  })

  test('shows a locked session as what it is', async () => {
    const user = await h.user()
    const { token } = await h.session(user.id, { isLocked: true })
    expect((await status(token)).body).toMatchObject({
      authenticated: true,
      is_locked: true,
      username: user.username,
    })
  })

  test('answers whoever must change the password', async () => {
    const ada = await h.signedIn({ mustChangePassword: true })
    expect((await status(ada.token)).body).toMatchObject({ authenticated: true })
  })

  test('slides the session like every other request', async () => {
    const ada = await h.signedIn()
    h.clock.advance({ days: 2 })
    const answered = await status(ada.token)
    const cookie = setCookieOf(answered.headers)
    expect(cookie?.attributes).toContain('Max-Age=604800')
    h.clock.advance({ days: 6 })
    expect((await status(cookie?.value)).body).toMatchObject({ authenticated: true })
  })

  test('holds a change of role and of activity at once', async () => {
    const ada = await h.signedIn()
    await h.db.update(users).set({ role: 'admin' }).where(eq(users.id, ada.row.id))
    expect((await status(ada.token)).body).toMatchObject({ role: 'admin' })
    await h.db.update(users).set({ isActive: false }).where(eq(users.id, ada.row.id))
    expect((await status(ada.token)).body).toEqual(NOBODY)
  })
})

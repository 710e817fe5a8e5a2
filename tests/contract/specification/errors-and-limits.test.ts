import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { settings, users } from '../../../src/db/schema'
import { addMinutes } from '../../../src/lib/time/time'
import { type Harness, PASSWORD, startHarness } from '../../support/harness'
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

const refused = async (answered: ReturnType<Harness['request']>) => {
  const { status, body } = await answered
  return [status, body]
}

describe('7 Errors', () => {
  test('400: setup when a user exists', async () => {
    await h.user()
    const before = await h.db.$count(users)
    const setUp = h.request('POST', '/api/auth/setup', { body: newcomer('root') })
    expect(await refused(setUp)).toEqual([400, { detail: 'Setup has already been completed' }])
    expect(await h.db.$count(users)).toBe(before)
  })

  test('400: register when the username is taken (generic message)', async () => {
    await using open = await startUnlimited()
    await configure(open, { allow_registration: true })
    const { username } = await open.user({ username: 'taken' })
    const before = await open.db.$count(users)
    const [status, body] = await refused(register(open, username))
    expect([status, body]).toEqual([400, { detail: 'Registration could not be completed' }])
    expect(body.detail).not.toMatch(/user|name|taken|exist/i)
    expect(await open.db.$count(users)).toBe(before)
  })

  test('401: wrong username or password on login (same message for unknown user and wrong password)', async () => {
    const { id, username } = await h.user()
    const wrong = await refused(login(h, username, 'wrong'))
    expect(wrong).toEqual([401, { detail: 'Incorrect username or password' }])
    expect(await refused(login(h, 'nobody-at-all', 'wrong'))).toEqual(wrong)
    expect(await auditOf(h, id)).toMatchObject([
      { action: 'auth.login_failed', detail: { reason: 'invalid_password' } },
    ])
  })

  test.each(PASSWORD_CHECKS)('401: wrong password on $operation', async ({ attempt, wrong }) => {
    const ada = await h.signedIn()
    expect(await refused(attempt(h, ada, 'wrong'))).toEqual([401, { detail: wrong }])
    expect(await userRow(h, ada.row.id)).toMatchObject({
      failedLoginCount: 1,
      passwordHash: ada.row.passwordHash,
    })
  })

  test('401: invalid session (see 5.2)', async () => {
    const ada = await h.signedIn()
    await ada.request('POST', '/api/auth/logout')
    for (const cookie of ['garbage', ada.token]) {
      const read = h.request('GET', '/api/settings', { cookie })
      expect(await refused(read)).toEqual([401, { detail: expect.any(String) }])
    }
  })

  test('403: registration closed', async () => {
    await using closed = await startUnlimited()
    const answer = [403, { detail: 'Registration is closed' }]
    expect(await refused(register(closed, 'newcomer'))).toEqual(answer)
    await configure(closed, { allow_registration: false })
    expect(await refused(register(closed, 'newcomer'))).toEqual(answer)
    expect(await closed.db.$count(users, eq(users.username, 'newcomer'))).toBe(0)
  })

  test('403: account disabled (tells the user to contact an administrator)', async () => {
    const { id, username } = await h.user({ isActive: false })
    expect(await refused(login(h, username))).toEqual([
      403,
      { detail: 'Account is disabled. Please contact an administrator.' },
    ])
    expect(await auditOf(h, id)).toMatchObject([
      { action: 'auth.login_blocked_inactive', detail: { reason: 'account_disabled' } },
    ])
    expect(await sessionsOf(h, id)).toEqual([])
  })

  test('403: passwordless account using password login', async () => {
    const { id, username } = await h.user({ passwordlessEnabled: true })
    expect(await refused(login(h, username))).toEqual([
      403,
      { detail: 'Password sign-in is disabled for this account. Use a passkey.' },
    ])
    expect(await auditOf(h, id)).toHaveLength(1)
    expect(await sessionsOf(h, id)).toEqual([])
  })

  test('403: insufficient role', async () => {
    const [ada, admin] = [await h.signedIn(), await h.signedIn({ role: 'admin' })]
    expect(await refused(ada.request('GET', '/api/admin/audit-log'))).toEqual([
      403,
      { detail: 'Insufficient permissions' },
    ])
    expect((await admin.request('GET', '/api/admin/audit-log')).status).toBe(200)
  })

  test.each(PASSWORD_CHECKS)('423: account locked ($operation)', async ({ attempt }) => {
    const ada = await h.signedIn({ lockedUntil: addMinutes(h.clock.now(), 5) })
    expect(await refused(attempt(h, ada, PASSWORD))).toEqual([
      423,
      { detail: 'Account locked. Try again in 6 minutes.' },
    ])
  })

  test('500: user without Settings row', async () => {
    const ada = await h.signedIn()
    await h.db.delete(settings).where(eq(settings.userId, ada.row.id))
    expect(await refused(ada.request('GET', '/api/settings'))).toEqual([
      500,
      { detail: 'Settings not found for user' },
    ])
  })
})

describe('8 Limits', () => {
  test.each(PASSWORD_CHECKS)('failed logins before lock: 10 ($operation)', async ({ attempt }) => {
    const ada = await h.signedIn()
    for (let count = 1; count <= 10; count++) {
      expect((await userRow(h, ada.row.id)).lockedUntil).toBeNull()
      expect([count, (await attempt(h, ada, 'wrong')).status]).toEqual([count, 401])
    }
    expect((await attempt(h, ada, PASSWORD)).status).toBe(423)
  })

  test('lock duration: 30 minutes (account)', async () => {
    const { username } = await h.user({ failedLoginCount: 9 })
    await login(h, username, 'wrong')
    expect(await refused(login(h, username))).toEqual([
      423,
      { detail: 'Account locked. Try again in 31 minutes.' },
    ])
    h.clock.advance({ minutes: 30, ms: -1 })
    expect(await refused(login(h, username))).toEqual([
      423,
      { detail: 'Account locked. Try again in 1 minutes.' },
    ])
    h.clock.advance({ ms: 1 })
    expect((await login(h, username)).status).toBe(200)
  })

  test('proxy rate limit: 10 requests per minute per real client IP, burst 5 (authentication endpoints)', async () => {
    await using limited = await startHarness({ env: { TRUSTED_PROXIES: '127.0.0.0/8' } })
    limited.peer.address = '127.0.0.1'
    const operations = ['login', 'setup', 'register']
    let sent = 0
    const isAdmitted = async (address: string) => {
      const operation = operations[sent++ % operations.length]
      const headers = { 'x-forwarded-for': address }
      const { status } = await limited.request('POST', `/api/auth/${operation}`, { body: {}, headers })
      return status !== 429
    }
    const admittedOf = async (count: number, { secondsApart }: { secondsApart: number }) => {
      let admitted = 0
      for (let i = 0; i < count; i++) {
        limited.clock.advance({ seconds: secondsApart })
        if (await isAdmitted('198.51.100.1')) admitted++
      }
      return admitted
    }
    // The first is within the rate, the next five are the burst.
    expect(await admittedOf(20, { secondsApart: 0 })).toBe(6)
    expect(await admittedOf(60, { secondsApart: 1 })).toBe(10)
    expect(await isAdmitted('198.51.100.1')).toBe(false)
    expect(await isAdmitted('198.51.100.2')).toBe(true)
  })

  test('session ip_address length: 45 characters (session record)', async () => {
    await using proxied = await startUnlimited({ env: { TRUSTED_PROXIES: '127.0.0.0/8' } })
    const longest = '0000:0000:0000:0000:0000:ffff:203.100.113.107'
    for (const address of [longest, `${longest}%interface`]) {
      const { id, username } = await proxied.user()
      expect((await login(proxied, username, PASSWORD, { 'x-forwarded-for': address })).status).toBe(200)
      expect(await sessionsOf(proxied, id)).toMatchObject([{ ipAddress: longest }])
      expect(await auditOf(proxied, id)).toMatchObject([{ ip: longest }])
    }
    expect(longest).toHaveLength(45)
  })

  test('session user_agent length: 255 characters (session record)', async () => {
    const longest = `Tests/${'1'.repeat(249)}`
    for (const userAgent of [longest, `${longest}0`, longest + 'x'.repeat(5000)]) {
      const { id, username } = await h.user()
      expect((await login(h, username, PASSWORD, { 'user-agent': userAgent })).status).toBe(200)
      expect(await sessionsOf(h, id)).toMatchObject([{ userAgent: longest }])
    }
    expect(longest).toHaveLength(255)
  })
})

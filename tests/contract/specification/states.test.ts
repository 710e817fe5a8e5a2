import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { sessions } from '../../../src/db/schema'
import { addDays, addMinutes, epochSeconds } from '../../../src/lib/time/time'
import { type Harness, PASSWORD, setCookieOf } from '../../support/harness'
import {
  auditOf,
  configure,
  login,
  NEW_PASSWORD,
  newcomer,
  PASSWORD_CHECKS,
  register,
  sessionRow,
  sessionsOf,
  startUnlimited,
  userRow,
} from './acting'

const PROTECTED = '/api/settings'
const MAX_AGE_DAYS = 7

let h: Harness
beforeAll(async () => void (h = await startUnlimited()))
afterAll(() => h[Symbol.asyncDispose]())

describe('3.1 States and transitions: account', () => {
  test('account unlocked + failed password check, failed_login_count reaches 10 → account locked: locked_until = now + 30 minutes', async () => {
    const ada = await h.user({ failedLoginCount: 8 })
    expect((await login(h, ada.username, 'wrong')).status).toBe(401)
    expect(await userRow(h, ada.id)).toMatchObject({ failedLoginCount: 9, lockedUntil: null })
    expect((await login(h, ada.username, 'wrong')).status).toBe(401)
    const { failedLoginCount, lockedUntil } = await userRow(h, ada.id)
    expect([failedLoginCount, lockedUntil]).toEqual([10, addMinutes(h.clock.now(), 30)])
  })

  test('account locked + any login or password check, now is before locked_until → locked, HTTP 423', async () => {
    const ada = await h.signedIn({ failedLoginCount: 10, lockedUntil: addMinutes(h.clock.now(), 30) })
    const before = await userRow(h, ada.row.id)
    h.clock.advance({ minutes: 29, seconds: 59, ms: 999 })
    for (const { operation, attempt } of PASSWORD_CHECKS) {
      for (const password of [PASSWORD, 'wrong']) {
        expect([operation, (await attempt(h, ada, password)).status]).toEqual([operation, 423])
      }
    }
    expect(await userRow(h, ada.row.id)).toEqual(before)
    h.clock.advance({ ms: 1 })
    expect((await login(h, ada.row.username)).status).toBe(200)
  })

  test('account (any) + successful login, password valid and account active → unlocked: failed_login_count = 0, locked_until cleared, last_login_at set', async () => {
    const lapsed = { failedLoginCount: 10, lockedUntil: h.clock.now() }
    for (const columns of [{}, { failedLoginCount: 9 }, lapsed]) {
      const ada = await h.user(columns)
      expect((await login(h, ada.username)).status).toBe(200)
      const { failedLoginCount, lockedUntil, lastLoginAt } = await userRow(h, ada.id)
      expect([failedLoginCount, lockedUntil, lastLoginAt]).toEqual([0, null, h.clock.now()])
    }
    const disabled = await h.user({ ...lapsed, isActive: false })
    await login(h, disabled.username)
    expect(await userRow(h, disabled.id)).toEqual(disabled)
  })
})

describe('3.1 States and transitions: session', () => {
  test('no session + login, setup or register, credentials accepted, no MFA step pending → session active, cookie issued', async () => {
    await using fresh = await startUnlimited()
    const opened = [await fresh.request('POST', '/api/auth/setup', { body: newcomer('root') })]
    await configure(fresh, { allow_registration: true })
    opened.push(await register(fresh, 'newcomer'), await login(fresh, 'newcomer'))
    const names = []
    for (const { body, headers } of opened) {
      expect(body.authenticated).toBe(true)
      const cookie = setCookieOf(headers)?.value ?? ''
      names.push((await fresh.request('GET', '/api/auth/status', { cookie })).body.username)
    }
    expect(names).toEqual(['root', 'newcomer', 'newcomer'])
  })

  test('no session + login or register, MFA step pending → no session, no cookie', async () => {
    await using enforcing = await startUnlimited()
    await configure(enforcing, { allow_registration: true, enforce_mfa_new_users: true })
    const before = await enforcing.db.$count(sessions)
    const withTotp = await enforcing.user({ totpEnabled: true })
    const prompted = [
      await register(enforcing, 'newcomer'),
      await login(enforcing, 'newcomer'),
      await login(enforcing, withTotp.username),
    ]
    for (const { status, body, headers } of prompted) {
      expect([status, body.authenticated, headers.getSetCookie()]).toEqual([200, false, []])
    }
    expect(await enforcing.db.$count(sessions)).toBe(before)
  })

  test('session active + POST /logout, valid cookie token → session revoked, cookie deleted', async () => {
    const ada = await h.signedIn()
    const { status, headers } = await ada.request('POST', '/api/auth/logout')
    expect(status).toBe(200)
    expect(setCookieOf(headers)).toMatchObject({
      value: '',
      attributes: expect.arrayContaining(['Max-Age=0']),
    })
    expect(await sessionRow(h, ada.sid)).toMatchObject({ revoked: true })
    expect((await ada.request('GET', PROTECTED)).status).toBe(401)
  })

  test('session active + expiry, expires_at passes → session expired: requests get 401', async () => {
    const [ada, bob] = [await h.signedIn(), await h.signedIn()]
    h.clock.advance({ days: MAX_AGE_DAYS, ms: -1 })
    expect((await ada.request('GET', PROTECTED)).status).toBe(200)
    h.clock.advance({ ms: 1 })
    expect((await bob.request('GET', PROTECTED)).status).toBe(401)
  })

  test('session active + expiry, expires_at passes while the token would hold on → session expired: requests get 401', async () => {
    const ada = await h.signedIn()
    await h.db.update(sessions).set({ expiresAt: h.clock.now() }).where(eq(sessions.id, ada.sid))
    expect((await ada.request('GET', PROTECTED)).status).toBe(401)
  })

  test('session active + authenticated request, remaining lifetime below SESSION_MAX_AGE_DAYS minus 1 day → session active: expires_at = now + SESSION_MAX_AGE_DAYS, cookie re-issued', async () => {
    const ada = await h.signedIn()
    const { expiresAt: before } = await sessionRow(h, ada.sid)
    h.clock.advance({ days: 1 })
    const early = await ada.request('GET', PROTECTED)
    expect([early.status, early.headers.getSetCookie()]).toEqual([200, []])
    expect((await sessionRow(h, ada.sid)).expiresAt).toEqual(before)

    h.clock.advance({ ms: 1 })
    const due = await ada.request('GET', PROTECTED)
    const expiresAt = addDays(h.clock.now(), MAX_AGE_DAYS)
    expect((await sessionRow(h, ada.sid)).expiresAt).toEqual(expiresAt)
    const cookie = setCookieOf(due.headers)?.value ?? ''
    expect(h.deps.tokens.verify(cookie)).toMatchObject({ sid: ada.sid, exp: epochSeconds(expiresAt) })
    h.clock.advance({ days: MAX_AGE_DAYS, seconds: -1 })
    expect((await h.request('GET', PROTECTED, { cookie })).status).toBe(200)
  })

  test('session active + POST /auth/lock, authenticated → session locked (is_locked true), persisted server-side', async () => {
    const ada = await h.signedIn()
    const locked = await ada.request('POST', '/api/auth/lock')
    expect([locked.status, locked.headers.getSetCookie()]).toEqual([200, []])
    const { isLocked, lockedAt } = await sessionRow(h, ada.sid)
    expect([isLocked, lockedAt]).toEqual([true, h.clock.now()])
    await using restarted = await startUnlimited({ deps: { db: h.db, clock: h.clock } })
    const status = await restarted.request('GET', '/api/auth/status', { cookie: ada.token })
    expect(status.body).toMatchObject({ authenticated: true, is_locked: true })
  })

  test('session locked + POST /auth/verify-password, password valid → session active, is_locked cleared', async () => {
    const ada = await h.signedIn()
    const verify = (password: string) =>
      ada.request('POST', '/api/auth/verify-password', { body: { password } })
    await ada.request('POST', '/api/auth/lock')
    expect((await verify('wrong')).status).toBe(401)
    expect(await sessionRow(h, ada.sid)).toMatchObject({ isLocked: true })
    expect((await ada.request('GET', PROTECTED)).status).toBe(423)
    expect((await verify(PASSWORD)).status).toBe(200)
    expect(await sessionRow(h, ada.sid)).toMatchObject({ isLocked: false, revoked: false })
    expect((await ada.request('GET', PROTECTED)).status).toBe(200)
    expect(await sessionsOf(h, ada.row.id)).toHaveLength(1)
    expect((await auditOf(h, ada.row.id)).map(({ action }) => action)).toEqual([
      'auth.session_locked',
      'auth.session_unlocked',
    ])
  })

  test('user with must_change_password true + POST /change-password succeeds → flag false', async () => {
    const ada = await h.signedIn({ mustChangePassword: true })
    const change = (old_password: string) =>
      ada.request('POST', '/api/auth/change-password', { body: { old_password, new_password: NEW_PASSWORD } })
    expect((await change('wrong')).status).toBe(401)
    expect(await userRow(h, ada.row.id)).toMatchObject({ mustChangePassword: true })
    expect((await change(PASSWORD)).status).toBe(200)
    expect(await userRow(h, ada.row.id)).toMatchObject({ mustChangePassword: false })
    expect((await login(h, ada.row.username, NEW_PASSWORD)).body).toEqual({ authenticated: true })
  })
})

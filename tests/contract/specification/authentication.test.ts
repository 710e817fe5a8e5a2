import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { sessions, users } from '../../../src/db/schema'
import type { SessionClaims } from '../../../src/lib/ports/secrets'
import { addDays, epochSeconds } from '../../../src/lib/time/time'
import { type Harness, setCookieOf } from '../../support/harness'
import { guardedOperations } from '../../support/openapi'
import { login, sessionsOf, startUnlimited } from './acting'

let h: Harness
beforeAll(async () => void (h = await startUnlimited()))
afterAll(() => h[Symbol.asyncDispose]())

/** The attributes of the cookie that a login sets on a service with this configuration. */
async function attributesWith(env: Record<string, string>) {
  await using configured = await startUnlimited({ env })
  const { username } = await configured.user()
  return setCookieOf((await login(configured, username)).headers)?.attributes
}

describe('5.1 Session cookie', () => {
  test('name: session', async () => {
    const { username } = await h.user()
    const { headers } = await login(h, username)
    expect(headers.getSetCookie()).toEqual([expect.stringMatching(/^session=[^;]+;/)])
  })

  test('content: signed token holding the user id (uid) and the session id (sid)', async () => {
    const ada = await h.user()
    const token = setCookieOf((await login(h, ada.username)).headers)?.value ?? ''
    const [session] = await sessionsOf(h, ada.id)
    expect(h.deps.tokens.verify(token)).toMatchObject({ uid: ada.id, sid: session?.id })
    const [version, key, , signature] = token.split('.')
    const stranger = Buffer.from(JSON.stringify({ uid: ada.id + 1, sid: session?.id })).toString('base64url')
    const forged = await h.request('GET', '/api/settings', {
      cookie: [version, key, stranger, signature].join('.'),
    })
    expect([forged.status, forged.body]).toEqual([401, { detail: 'Invalid or expired session' }])
  })

  test('HttpOnly: yes', async () => {
    expect(await attributesWith({})).toContain('HttpOnly')
  })

  test('Secure: configurable (COOKIE_SECURE)', async () => {
    expect(await attributesWith({ COOKIE_SECURE: 'true' })).toContain('Secure')
    expect(await attributesWith({ COOKIE_SECURE: 'false' })).not.toContain('Secure')
  })

  test('SameSite: lax', async () => {
    expect(await attributesWith({})).toContain('SameSite=Lax')
  })

  test('Max-Age: SESSION_MAX_AGE_DAYS x 86400 seconds', async () => {
    expect(await attributesWith({ SESSION_MAX_AGE_DAYS: '1' })).toContain('Max-Age=86400')
    expect(await attributesWith({ SESSION_MAX_AGE_DAYS: '30' })).toContain('Max-Age=2592000')
  })
})

describe('5.2 Checks on every protected request, in order', () => {
  const sign = (claims: Partial<SessionClaims>) => h.deps.tokens.sign(claims as SessionClaims)
  const inAWeek = () => epochSeconds(addDays(h.clock.now(), 7))

  /** Every operation that asks for a session refuses `cookie` with 401 and `detail`. */
  async function expectRefused(cookie: string | undefined, detail: string) {
    const operations = await guardedOperations(h.app.fetch)
    expect(operations.length).toBeGreaterThan(5)
    for (const { method, path, id } of operations) {
      const sent = { ...(cookie !== undefined && { cookie }), ...(method !== 'GET' && { body: {} }) }
      const { status, body } = await h.request(method, path, sent)
      expect([id, status, body]).toEqual([id, 401, { detail }])
    }
  }

  test('no cookie → 401 Not authenticated', async () => {
    await expectRefused(undefined, 'Not authenticated')
  })

  test('token invalid or expired → 401 Invalid or expired session', async () => {
    const { row, sid, token } = await h.signedIn()
    await expectRefused(`${token}x`, 'Invalid or expired session')
    const expired = sign({ uid: row.id, sid, exp: epochSeconds(h.clock.now()) })
    await expectRefused(expired, 'Invalid or expired session')
  })

  test('token lacks uid or sid → 401 Malformed session token', async () => {
    const { row, sid } = await h.signedIn()
    await expectRefused(sign({ uid: row.id, exp: inAWeek() }), 'Malformed session token')
    await expectRefused(sign({ sid, exp: inAWeek() }), 'Malformed session token')
  })

  test('no matching session that is unrevoked and unexpired → 401 Session has been revoked or expired', async () => {
    const [ada, bob, cleo] = [await h.signedIn(), await h.signedIn(), await h.signedIn()]
    await h.db.update(sessions).set({ revoked: true }).where(eq(sessions.id, ada.sid))
    await h.db.update(sessions).set({ expiresAt: h.clock.now() }).where(eq(sessions.id, bob.sid))
    const ofAnother = sign({ uid: ada.row.id, sid: cleo.sid, exp: inAWeek() })
    const unknown = sign({ uid: cleo.row.id, sid: 'f'.repeat(32), exp: inAWeek() })
    for (const token of [ada.token, bob.token, ofAnother, unknown]) {
      await expectRefused(token, 'Session has been revoked or expired')
    }
  })

  test('user missing or inactive → 401 User not found or inactive', async () => {
    const ada = await h.signedIn()
    await h.db.update(users).set({ isActive: false }).where(eq(users.id, ada.row.id))
    await expectRefused(ada.token, 'User not found or inactive')
    // A session goes with its user, so that the check before already speaks of a user who is missing.
    await h.db.delete(users).where(eq(users.id, ada.row.id))
    await expectRefused(ada.token, 'Session has been revoked or expired')
  })

  test('of two conditions that hold, the one that stands first in the table answers', async () => {
    const { row, sid } = await h.signedIn({ isActive: false })
    const now = epochSeconds(h.clock.now())
    await expectRefused(sign({ exp: now }), 'Invalid or expired session')
    await h.db.update(sessions).set({ revoked: true }).where(eq(sessions.id, sid))
    await expectRefused(sign({ uid: row.id, exp: inAWeek() }), 'Malformed session token')
    await expectRefused(sign({ uid: row.id, sid, exp: inAWeek() }), 'Session has been revoked or expired')
  })
})

import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { createApp } from '../../../../src/app'
import { auditLog, sessions } from '../../../../src/db/schema'
import { type Harness, setCookieOf } from '../../../support/harness'
import { until } from '../../../support/service'
import { raceOf } from '../../../support/racing'
import { useHarness } from '../../../support/use-harness'
import { useSql } from '../../../support/use-sql'

const h = useHarness()
const blocker = useSql(h)

const logout = (sent: Parameters<Harness['request']>[2] = {}) => h.request('POST', '/api/auth/logout', sent)
const DELETED = { value: '', attributes: ['Max-Age=0', 'Path=/', 'HttpOnly', 'SameSite=Lax'] }
const revoked = async (id: string) =>
  (await h.db.select().from(sessions).where(eq(sessions.id, id)))[0]?.revoked

describe('POST /api/auth/logout', () => {
  test('revokes the session, deletes the cookie and is audited', async () => {
    const ada = await h.signedIn()
    const answered = await logout({ cookie: ada.token })
    expect([answered.status, answered.body]).toEqual([200, { message: 'Signed out' }])
    expect(setCookieOf(answered.headers)).toEqual(DELETED)
    expect(await revoked(ada.sid)).toBe(true)
    const status = await ada.request('GET', '/api/auth/status')
    expect(status.body).toMatchObject({ authenticated: false })
    expect(await h.db.select().from(auditLog).where(eq(auditLog.actorId, ada.row.id))).toMatchObject([
      { action: 'auth.logout', ip: '203.0.113.7' },
    ])
  })

  test('ends this session and no other', async () => {
    const ada = await h.signedIn()
    const other = await h.session(ada.row.id)
    await logout({ cookie: ada.token })
    expect(await revoked(other.id)).toBe(false)
  })

  test('always answers 200 and deletes the cookie, whatever is wrong', async () => {
    const ada = await h.signedIn()
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    for (const sent of [
      {},
      { cookie: 'garbage' },
      { cookie: `${ada.token}x` },
      { cookie: `${ada.token.slice(0, -1)}é` },
      { cookie: ada.token, headers: foreign },
      { cookie: ada.token },
      { cookie: 'x', body: '{', headers: foreign },
      { body: 'x'.repeat(2_000_000) },
      { headers: { 'content-type': 'multipart/form-data' }, body: 'x' },
    ]) {
      const answered = await logout(sent)
      expect([answered.status, answered.body]).toEqual([200, { message: 'Signed out' }])
      expect(setCookieOf(answered.headers)).toEqual(DELETED)
    }
  })

  test('works for a locked session and for an account that was disabled', async () => {
    const [locked, inactive] = [await h.user(), await h.user({ isActive: false })]
    for (const session of [await h.session(locked.id, { isLocked: true }), await h.session(inactive.id)]) {
      await logout({ cookie: session.token })
      expect(await revoked(session.id)).toBe(true)
    }
  })

  test('audits once, however often it is called', async () => {
    const ada = await h.signedIn()
    await raceOf(10, () => logout({ cookie: ada.token }))
    expect(await h.db.$count(auditLog, eq(auditLog.actorId, ada.row.id))).toBe(1)
  })

  test('audits once where another instance has ended the session', async () => {
    const ada = await h.signedIn()
    const other = createApp(h.deps)
    const request = () =>
      new Request('http://localhost/api/auth/logout', {
        method: 'POST',
        headers: { cookie: `session=${ada.token}` },
      })
    expect((await other.fetch(request())).status).toBe(200)
    expect((await logout({ cookie: ada.token })).status).toBe(200)
    expect(await h.db.$count(auditLog, eq(auditLog.actorId, ada.row.id))).toBe(1)
  })

  test('ends every session that the cookies of a request name', async () => {
    const [ada, eve] = [await h.signedIn(), await h.signedIn()]
    await logout({ headers: { cookie: `session=${ada.token}; session=x; session=${eve.token}` } })
    expect([await revoked(ada.sid), await revoked(eve.sid)]).toEqual([true, true])
  })

  test('refuses the session at once where the database does not follow, and revokes it as soon as it does', async () => {
    const ada = await h.signedIn()
    await blocker.begin(async (tx) => {
      await tx`select from users where id = ${ada.row.id} for update`
      expect((await logout({ cookie: ada.token })).status).toBe(200)
      expect(await revoked(ada.sid)).toBe(false)
      expect(await ada.request('GET', '/api/todos')).toMatchObject({
        status: 401,
        body: { detail: 'Session has been revoked or expired' },
      })
    })
    await until(async () => (await revoked(ada.sid)) === true)
  })
})

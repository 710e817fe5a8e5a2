import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { calendarFeeds, sessions } from '../../../../src/db/schema'
import { auditOf, login, sessionOf } from '../../../support/accounts'
import { calendarOf, newCalendar } from '../../../support/calendar-files'
import { type Actor, PASSWORD, setCookieOf } from '../../../support/harness'
import { useHarness } from '../../../support/use-harness'

const SESSIONS = '/api/auth/sessions'
const h = useHarness()

type Listed = { id: string; is_current: boolean }
const isRevoked = async (id: string) => (await sessionOf(h, id)).revoked

describe('GET /api/auth/sessions', () => {
  test('lists the live sessions of the caller alone, the one seen last first, and no session id', async () => {
    const ada = await h.signedIn()
    await h.signedIn()
    const earlier = new Date(h.clock.now().getTime() - 3_600_000)
    const phone = await h.session(ada.row.id, {
      lastSeenAt: earlier,
      createdAt: earlier,
      authMethod: 'passkey',
      ipAddress: '192.0.2.7',
      userAgent: 'Phone',
      isLocked: true,
    })
    const dead = [
      await h.session(ada.row.id, { revoked: true }),
      await h.session(ada.row.id, { expiresAt: h.clock.now() }),
    ]
    const { status, body } = await ada.request('GET', SESSIONS)
    expect([status, body.sessions.length]).toEqual([200, 2])
    expect(body.sessions[0]).toMatchObject({ is_current: true, is_locked: false, auth_method: 'password' })
    expect(body.sessions[1]).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      created_at: '2026-03-04T09:30:00+01:00',
      last_seen_at: '2026-03-04T09:30:00+01:00',
      expires_at: '2026-03-11T10:30:00+01:00',
      ip_address: '192.0.2.7',
      user_agent: 'Phone',
      auth_method: 'passkey',
      is_current: false,
      is_locked: true,
    })
    const text = JSON.stringify(body)
    for (const { id } of [phone, ...dead, { id: ada.sid }]) expect(text).not.toContain(id)
  })

  test('tells whence and how a sign-in came', async () => {
    const ada = await h.user()
    const { headers } = await login(h, ada.username, PASSWORD, { 'user-agent': 'Browser' })
    const cookie = setCookieOf(headers)?.value ?? ''
    expect((await h.request('GET', SESSIONS, { cookie })).body.sessions).toMatchObject([
      { ip_address: '203.0.113.7', user_agent: 'Browser', auth_method: 'password', is_current: true },
    ])
  })
})

describe('DELETE /api/auth/sessions/{id}', () => {
  test('ends that session and no other, and is audited', async () => {
    const ada = await h.signedIn()
    const [other, third] = [await h.session(ada.row.id), await h.session(ada.row.id)]
    const [row] = await h.db.select().from(sessions).where(eq(sessions.id, other.id))
    const answered = await ada.request('DELETE', `${SESSIONS}/${row?.publicId}`)
    expect([answered.status, answered.body]).toEqual([204, ''])
    expect((await h.request('GET', SESSIONS, { cookie: other.token })).status).toBe(401)
    expect(await isRevoked(third.id)).toBe(false)
    expect(await isRevoked(ada.sid)).toBe(false)
    expect(await auditOf(h, ada.row.id)).toMatchObject([
      { action: 'auth.sessions_revoked', detail: { revoked: 1 } },
    ])
    expect((await ada.request('DELETE', `${SESSIONS}/${row?.publicId}`)).body).toEqual({
      detail: 'Session not found',
    })
  })

  test('refuses the session that asks', async () => {
    const ada = await h.signedIn()
    const own = (await ada.request('GET', SESSIONS)).body.sessions.find((s: Listed) => s.is_current)
    const answered = await ada.request('DELETE', `${SESSIONS}/${own.id}`)
    expect([answered.status, answered.body]).toEqual([
      400,
      { detail: 'Use logout to end the current session' },
    ])
    expect(await isRevoked(ada.sid)).toBe(false)
  })

  test('answers the same bytes for somebody else’s session, an absent one, a dead one and nonsense', async () => {
    const [ada, eve] = [await h.signedIn(), await h.signedIn()]
    const foreign = (await ada.request('GET', SESSIONS)).body.sessions[0].id
    const ids = [
      foreign,
      crypto.randomUUID(),
      ada.sid,
      eve.sid,
      '1',
      'x',
      '%00',
      '%FF',
      '%zz',
      '%ED%A0%80',
      "'",
      'a'.repeat(3000),
    ]
    for (const id of ids) {
      const answered = await eve.request('DELETE', `${SESSIONS}/${id}`)
      expect([id, answered.status, answered.body]).toEqual([id, 404, { detail: 'Session not found' }])
    }
    expect(await isRevoked(ada.sid)).toBe(false)
    expect(await auditOf(h, eve.row.id)).toEqual([])
  })
})

describe('DELETE /api/auth/sessions', () => {
  test('ends all others, answers how many lived, and is audited', async () => {
    const [ada, eve] = [await h.signedIn(), await h.signedIn()]
    const others = [await h.session(ada.row.id), await h.session(ada.row.id)]
    await h.session(ada.row.id, { expiresAt: h.clock.now() })
    const answered = await ada.request('DELETE', SESSIONS)
    expect([answered.status, answered.body]).toEqual([200, { message: 'Other sessions ended', revoked: 2 }])
    for (const { id } of others) expect(await isRevoked(id)).toBe(true)
    expect(await isRevoked(ada.sid)).toBe(false)
    expect(await isRevoked(eve.sid)).toBe(false)
    expect(await auditOf(h, ada.row.id)).toMatchObject([
      { action: 'auth.sessions_revoked', detail: { revoked: 2 } },
    ])
    expect((await ada.request('DELETE', SESSIONS)).body.revoked).toBe(0)
  })

  const feedsOf = async (actor: Actor) => {
    const ids = [await calendarOf(actor), await newCalendar(actor)]
    for (const id of ids) await actor.request('POST', `/api/calendars/${id}/feed`)
    return ids
  }
  const countFeeds = (id: number) => h.db.$count(calendarFeeds, eq(calendarFeeds.calendarId, id))

  test('with everything ends the feeds of all own calendars too, answers how many, and audits each', async () => {
    const [ada, eve] = [await h.signedIn(), await h.signedIn()]
    const other = await h.session(ada.row.id)
    const [first = 0, second = 0] = await feedsOf(ada)
    const [foreign = 0] = await feedsOf(eve)
    const answered = await ada.request('DELETE', SESSIONS, { body: { everything: true } })
    expect([answered.status, answered.body]).toEqual([
      200,
      {
        message: 'Other sessions, all feeds and all access tokens ended',
        revoked: 1,
        feeds_ended: 2,
        tokens_revoked: 0,
      },
    ])
    expect([await isRevoked(other.id), await isRevoked(ada.sid)]).toEqual([true, false])
    expect([await countFeeds(first), await countFeeds(second), await countFeeds(foreign)]).toEqual([0, 0, 1])
    const ended = (await auditOf(h, ada.row.id)).filter(({ action }) => action === 'calendar.feed_deleted')
    expect(new Set(ended.map(({ detail }) => detail?.['calendar_id']))).toEqual(new Set([first, second]))
    const again = await ada.request('DELETE', SESSIONS, { body: { everything: true } })
    expect(again.body).toMatchObject({ revoked: 0, feeds_ended: 0 })
  })

  test.each([
    ['no body', {}],
    ['no body under any type', { headers: { 'content-type': 'text/plain' } }],
    ['an empty object', { body: {} }],
    ['unknown fields', { body: { feeds: true } }],
    ['everything: false', { body: { everything: false } }],
  ])('with %s leaves the feeds', async (_, sent) => {
    const ada = await h.signedIn()
    const [id = 0] = await feedsOf(ada)
    await h.session(ada.row.id)
    const answered = await ada.request('DELETE', SESSIONS, sent)
    expect([answered.status, answered.body]).toEqual([200, { message: 'Other sessions ended', revoked: 1 }])
    expect(await countFeeds(id)).toBe(1)
  })

  test.each([
    ['a text for a flag', { body: { everything: 'true' } }, 422, 'everything: must be true or false'],
    ['no JSON', { body: '{' }, 400, 'Malformed JSON body'],
    [
      'another type',
      { body: 'x', headers: { 'content-type': 'text/plain' } },
      415,
      'Content-Type must be application/json',
    ],
  ])('refuses %s and ends nothing', async (_, sent, status, detail) => {
    const ada = await h.signedIn()
    const other = await h.session(ada.row.id)
    const answered = await ada.request('DELETE', SESSIONS, sent)
    expect([answered.status, answered.body.detail]).toEqual([status, detail])
    expect(await isRevoked(other.id)).toBe(false)
  })

  test('One of two sessions that end each other at once remains', async () => {
    for (let round = 0; round < 20; round++) {
      const ada = await h.signedIn()
      const { token, id } = await h.session(ada.row.id)
      await Promise.all([ada.request('DELETE', SESSIONS), h.request('DELETE', SESSIONS, { cookie: token })])
      expect([await isRevoked(ada.sid), await isRevoked(id)].filter(Boolean).length).toBe(1)
    }
  })
})

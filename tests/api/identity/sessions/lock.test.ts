import { describe, expect, test } from 'bun:test'
import { actionsOf, sessionOf } from '../../../support/accounts'
import { startHarness } from '../../../support/harness'
import { guardedOperations } from '../../../support/openapi'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

describe('POST /api/auth/lock', () => {
  test('sets the flag on this session and notes when', async () => {
    const ada = await h.signedIn()
    const other = await h.session(ada.row.id)
    const locked = await ada.request('POST', '/api/auth/lock')
    expect([locked.status, locked.body]).toEqual([200, { message: 'Session locked', is_locked: true }])
    expect(locked.headers.getSetCookie()).toEqual([])
    const { isLocked, lockedAt } = await sessionOf(h, ada.sid)
    expect([isLocked, lockedAt]).toEqual([true, h.clock.now()])
    expect(await sessionOf(h, other.id)).toMatchObject({ isLocked: false })
    expect((await ada.request('GET', '/api/auth/status')).body).toMatchObject({
      authenticated: true,
      is_locked: true,
    })
  })

  test('A session that is locked again keeps its first lock and its one audit entry', async () => {
    const ada = await h.signedIn()
    const first = h.clock.now()
    for (let i = 0; i < 3; i++) {
      expect((await ada.request('POST', '/api/auth/lock')).status).toBe(200)
      h.clock.advance({ minutes: 1 })
    }
    expect((await sessionOf(h, ada.sid)).lockedAt).toEqual(first)
    expect(await actionsOf(h, ada.row.id)).toEqual(['auth.session_locked'])
  })

  test('locks the session for every instance', async () => {
    const ada = await h.signedIn()
    await ada.request('POST', '/api/auth/lock')
    await using another = await startHarness({ deps: { db: h.db, clock: h.clock } })
    const status = await another.request('GET', '/api/auth/status', { cookie: ada.token })
    expect(status.body).toMatchObject({ authenticated: true, is_locked: true })
  })
})

describe('a locked session', () => {
  const EXEMPT = ['verifyPassword', 'lockSession']

  test('is refused by every operation that asks for a session, but for the exempt ones', async () => {
    const operations = await guardedOperations(h.app.fetch)
    expect(operations.length).toBeGreaterThan(5)
    for (const { id, method, path } of operations) {
      const user = await h.user({ role: 'admin' })
      const { token } = await h.session(user.id, { isLocked: true })
      const sent = method === 'GET' ? {} : { body: {} }
      const answered = await h.request(method, path, { cookie: token, ...sent })
      const refused = answered.status === 423 && answered.body.code === 'session_locked'
      expect([id, refused]).toEqual([id, !EXEMPT.includes(id)])
      if (refused) expect(answered.body).toEqual({ detail: 'Session is locked', code: 'session_locked' })
    }
  })

  test('may still tell its status and sign out', async () => {
    const user = await h.user()
    const { id, token } = await h.session(user.id, { isLocked: true })
    expect((await h.request('GET', '/api/auth/status', { cookie: token })).body).toMatchObject({
      is_locked: true,
    })
    expect((await h.request('POST', '/api/auth/logout', { cookie: token })).status).toBe(200)
    expect(await sessionOf(h, id)).toMatchObject({ revoked: true })
  })
})

test('a session whose password must be changed may do only that, prove itself, lock, tell its status and sign out', async () => {
  const EXEMPT = ['verifyPassword', 'lockSession', 'changePassword']
  const operations = await guardedOperations(h.app.fetch)
  expect(operations.length).toBeGreaterThan(5)
  for (const { id, method, path } of operations) {
    const ada = await h.signedIn({ role: 'admin', mustChangePassword: true })
    const answered = await ada.request(method, path, method === 'GET' ? {} : { body: {} })
    expect([id, answered.body.code === 'password_change_required']).toEqual([id, !EXEMPT.includes(id)])
  }
})

import { beforeAll, describe, expect, test } from 'bun:test'
import { calendars, people } from '../../../../src/db/schema'
import { type Actor } from '../../../support/harness'
import { useHarness } from '../../../support/use-harness'

const USERS = '/api/admin/users'
const h = useHarness()
let admin: Actor
beforeAll(async () => {
  admin = await h.signedIn({ role: 'admin' })
})

describe('GET /api/admin/users/{id}', () => {
  test('answers the item of the list, with live sessions and what the user owns', async () => {
    const ada = await h.signedIn({ username: 'ada' })
    await h.session(ada.row.id)
    await h.session(ada.row.id, { revoked: true })
    await h.session(ada.row.id, { expiresAt: h.clock.now() })
    const now = h.clock.now()
    await h.db
      .insert(calendars)
      .values({ userId: ada.row.id, name: 'Work', color: '#000000', createdAt: now, updatedAt: now })
    await h.db
      .insert(people)
      .values([1, 2].map((n) => ({ userId: ada.row.id, nickname: `p${n}`, createdAt: now, updatedAt: now })))
    const as = (method: string, path: string, body: unknown) => ada.request(method, path, { body })
    const at = '2026-03-05T09:00:00Z'
    for (const title of ['one', 'two', 'three']) {
      await as('POST', '/api/events', { title, start_at: at, end_at: at })
    }
    for (const title of ['one', 'two']) await as('POST', '/api/todos', { title })
    await as('POST', '/api/reminders', { title: 'one' })
    for (const name of ['one', 'two']) await as('POST', '/api/projects', { name })
    const [item] = (await admin.request('GET', `${USERS}?q=ada`)).body.users
    expect(await admin.request('GET', `${USERS}/${ada.row.id}`)).toMatchObject({
      status: 200,
      body: {
        ...item,
        active_sessions: 2,
        counts: { calendars: 3, events: 3, todos: 2, reminders: 1, projects: 2, people: 2, address_books: 1 },
      },
    })
  })
})

describe('GET /api/admin/users/{id}/sessions', () => {
  test('lists the live sessions of that user, none of which is the current one', async () => {
    const ada = await h.signedIn()
    await h.session(ada.row.id, { revoked: true })
    const phone = await h.session(ada.row.id, { ipAddress: '192.0.2.7' })
    const { status, body } = await admin.request('GET', `${USERS}/${ada.row.id}/sessions`)
    expect([status, body.sessions.length]).toEqual([200, 2])
    for (const session of body.sessions) expect(session.is_current).toBe(false)
    expect(body.sessions.map((session: { ip_address: string }) => session.ip_address)).toContain('192.0.2.7')
    for (const { id } of [phone, { id: ada.sid }]) expect(JSON.stringify(body)).not.toContain(id)
  })

  test('marks the session that asks', async () => {
    await h.session(admin.row.id, { ipAddress: '192.0.2.9' })
    const { body } = await admin.request('GET', `${USERS}/${admin.row.id}/sessions`)
    const current = body.sessions.filter((session: { is_current: boolean }) => session.is_current)
    expect(body.sessions).toHaveLength(2)
    expect(current).toMatchObject([{ ip_address: null }])
  })
})

test('answers the same bytes for a user who is not there and for what is no id', async () => {
  for (const id of ['2147483647', '0', '-1', 'x', '1.5', '99999999999', '%00']) {
    for (const path of [id, `${id}/sessions`]) {
      const { status, body } = await admin.request('GET', `${USERS}/${path}`)
      expect([path, status, body]).toEqual([path, 404, { detail: 'User not found' }])
    }
  }
})

test('is for administrators only', async () => {
  const ada = await h.signedIn()
  for (const path of [USERS, `${USERS}/${ada.row.id}`, `${USERS}/${ada.row.id}/sessions`]) {
    const { status, body } = await ada.request('GET', path)
    expect([path, status, body]).toEqual([path, 403, { detail: 'Insufficient permissions' }])
    expect((await h.request('GET', path)).status).toBe(401)
  }
})

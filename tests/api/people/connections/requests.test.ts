import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { auditLog, connections, people, users } from '../../../../src/db/schema'
import {
  connectionsOf,
  notificationsOf,
  REQUESTS,
  requestsOf,
  send,
  settle,
  sociable,
} from '../../../support/connecting'
import { useHarness } from '../../../support/use-harness'

const h = useHarness({ per: 'test' })

const ACTIONS = ['accept', 'reject', 'cancel'] as const
const GONE = { detail: 'Connection request not found' }
const SETTLED = { detail: 'This request is no longer pending' }

describe('GET /api/connections/requests', () => {
  test('lists those of the caller alone, newest first, by direction and status', async () => {
    const [ada, bob, carol] = [await sociable(h), await sociable(h), await sociable(h)]
    const first = (await send(ada, bob)).body.id
    h.clock.advance({ minutes: 1 })
    const second = (await send(carol, ada)).body.id
    h.clock.advance({ minutes: 1 })
    await send(carol, bob)
    await settle(ada, 'reject', second)
    const ids = async (query = '') => (await requestsOf(ada, query)).map(({ id }) => id)
    expect(await ids()).toEqual([second, first])
    expect(await ids('?direction=incoming')).toEqual([second])
    expect(await ids('?direction=outgoing')).toEqual([first])
    expect(await ids('?status=rejected')).toEqual([second])
    expect(await ids('?status=pending')).toEqual([first])
    expect(await ids('?direction=outgoing&status=rejected')).toEqual([])
    expect((await requestsOf(ada))[0]).toMatchObject({ responded_at: '2026-03-04T10:32:00+01:00' })
  })

  test('pages without a gap while requests come', async () => {
    const [ada, bob] = [await sociable(h), await sociable(h)]
    const sent = [(await send(bob, ada)).body.id]
    for (let i = 0; i < 4; i++) sent.unshift((await send(await h.signedIn(), ada)).body.id)
    const seen = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const path: string = `${REQUESTS}?limit=2${cursor && `&cursor=${cursor}`}`
      const { body } = await ada.request('GET', path)
      seen.push(...body.requests.map(({ id }: { id: number }) => id))
      cursor = body.next_cursor
      await send(await h.signedIn(), ada)
    }
    expect(seen).toEqual(sent)
  })

  test('refuses an unknown direction, status and cursor', async () => {
    const ada = await h.signedIn()
    for (const query of ['direction=both', 'status=open', 'status=', 'cursor=x', 'limit=0', 'limit=201']) {
      expect([query, (await ada.request('GET', `${REQUESTS}?${query}`)).status]).toEqual([query, 422])
    }
    expect((await ada.request('GET', `${REQUESTS}?status=open`)).body.detail).toBe(
      'status: must be one of pending, accepted, rejected, cancelled',
    )
  })
})

describe('PUT /api/connections/requests/{id}/accept', () => {
  test('connects the two, tells the sender, and marks read what the receiver was told', async () => {
    const [ada, bob] = [await sociable(h, { username: 'ada' }), await sociable(h, { username: 'bob' })]
    const { id } = (await send(ada, bob)).body
    h.clock.advance({ minutes: 1 })
    const accepted = await settle(bob, 'accept', id)
    expect([accepted.status, accepted.body]).toEqual([
      200,
      {
        request: {
          id,
          direction: 'incoming',
          status: 'accepted',
          user: { id: ada.row.id, network_name: 'ada', preferred_name: null },
          message: null,
          created_at: '2026-03-04T10:30:00+01:00',
          responded_at: '2026-03-04T10:31:00+01:00',
        },
        connection: {
          id: expect.any(Number),
          user_id: ada.row.id,
          network_name: 'ada',
          preferred_name: null,
          person_id: expect.any(Number),
          shared_profile: {},
          created_at: '2026-03-04T10:31:00+01:00',
        },
        link_candidates: [],
      },
    ])
    expect(await connectionsOf(bob)).toEqual([accepted.body.connection])
    const [own] = await connectionsOf(ada)
    expect(await notificationsOf(ada)).toMatchObject([
      {
        type: 'connection_accepted',
        title: 'Connection accepted',
        message: 'bob accepted your request: you are connected now.',
        data: { connection_id: own?.id },
        is_read: false,
      },
    ])
    expect(await notificationsOf(bob)).toMatchObject([{ type: 'connection_request', is_read: true }])
  })

  test('works for a sender who was deactivated meanwhile, who finds the connection when they come back', async () => {
    const [ada, bob] = [await sociable(h), await sociable(h)]
    const { id } = (await send(ada, bob)).body
    await h.db.update(users).set({ isActive: false }).where(eq(users.id, ada.row.id))
    expect((await settle(bob, 'accept', id)).status).toBe(200)
    expect(await connectionsOf(bob)).toMatchObject([{ user_id: ada.row.id }])
    await h.db.update(users).set({ isActive: true }).where(eq(users.id, ada.row.id))
    expect(await connectionsOf(ada)).toMatchObject([{ user_id: bob.row.id }])
  })

  test('changes nothing where the two are connected already', async () => {
    const [ada, bob] = [await sociable(h), await sociable(h)]
    const { id } = (await send(ada, bob)).body
    const at = { createdAt: h.clock.now(), updatedAt: h.clock.now() }
    await h.db.insert(connections).values([
      { userId: ada.row.id, otherUserId: bob.row.id, ...at },
      { userId: bob.row.id, otherUserId: ada.row.id, ...at },
    ])
    const refused = await settle(bob, 'accept', id)
    expect([refused.status, refused.body]).toEqual([409, { detail: 'You are already connected' }])
    expect(await requestsOf(bob)).toMatchObject([{ status: 'pending' }])
    expect(await notificationsOf(ada)).toEqual([])
  })
})

describe('PUT /api/connections/requests/{id}/reject', () => {
  test('tells nobody, leaves no trace beside the receiver’s status, and lets the other ask again', async () => {
    const [ada, bob] = [await sociable(h), await sociable(h)]
    const { id } = (await send(ada, bob)).body
    const rejected = await settle(bob, 'reject', id)
    expect([rejected.status, rejected.body]).toMatchObject([
      200,
      { id, direction: 'incoming', status: 'rejected' },
    ])
    expect(await notificationsOf(ada)).toEqual([])
    expect(await notificationsOf(bob)).toMatchObject([{ type: 'connection_request', is_read: true }])
    expect(await requestsOf(ada)).toMatchObject([{ id, status: 'pending', direction: 'outgoing' }])
    expect(await requestsOf(bob)).toMatchObject([{ id, status: 'rejected', direction: 'incoming' }])
    for (const table of [connections, people, auditLog]) expect(await h.db.$count(table)).toBe(0)
    expect((await send(ada, bob)).status).toBe(201)
  })
})

describe('PUT /api/connections/requests/{id}/cancel', () => {
  test('removes silently what the receiver was told, and nothing else, and is audited', async () => {
    const [ada, bob] = [await sociable(h), await sociable(h)]
    const other = (await send(await h.signedIn(), bob)).body.id
    const { id } = (await send(ada, bob)).body
    await bob.request('PUT', '/api/notifications/read-all')
    const cancelled = await settle(ada, 'cancel', id)
    expect([cancelled.status, cancelled.body]).toMatchObject([
      200,
      { id, direction: 'outgoing', status: 'cancelled', responded_at: '2026-03-04T10:30:00+01:00' },
    ])
    expect(await notificationsOf(bob)).toMatchObject([{ data: { request_id: other } }])
    expect(await notificationsOf(ada)).toEqual([])
    expect(await h.db.select().from(auditLog)).toMatchObject([
      {
        action: 'connection.request_cancelled',
        actorId: ada.row.id,
        detail: { request_id: id, receiver_id: bob.row.id },
        ip: '203.0.113.7',
      },
    ])
    expect((await send(ada, bob)).status).toBe(201)
  })
})

describe('a request', () => {
  test('is not there for a stranger, for the wrong side, and under what is no id, all in the same bytes', async () => {
    const [ada, bob, eve] = [await sociable(h), await sociable(h), await sociable(h)]
    const { id } = (await send(ada, bob)).body
    for (const action of ACTIONS) {
      const wrong = action === 'cancel' ? bob : ada
      const attempts = [await settle(eve, action, id), await settle(wrong, action, id)]
      for (const segment of ['2147483647', '2147483648', '0', '-1', 'x', `${id}x`, '%00']) {
        attempts.push(await bob.request('PUT', `${REQUESTS}/${segment}/${action}`))
      }
      for (const refused of attempts) expect([refused.status, refused.body]).toEqual([404, GONE])
    }
    expect(await requestsOf(eve)).toEqual([])
    expect(await requestsOf(ada)).toMatchObject([{ id, status: 'pending' }])
  })

  test.each(['accept', 'cancel'] as const)('is settled for good after %s', async (how) => {
    const [ada, bob] = [await sociable(h), await sociable(h)]
    const { id } = (await send(ada, bob)).body
    const sideOf = (action: (typeof ACTIONS)[number]) => (action === 'cancel' ? ada : bob)
    await settle(sideOf(how), how, id)
    const before = [await notificationsOf(ada), await notificationsOf(bob), await requestsOf(ada)]
    for (const action of ACTIONS) {
      const refused = await settle(sideOf(action), action, id)
      expect([action, refused.status, refused.body]).toEqual([action, 409, SETTLED])
      // Who could never have settled it so learns nothing more by trying late.
      expect((await settle(sideOf(action) === ada ? bob : ada, action, id)).body).toEqual(GONE)
    }
    expect([await notificationsOf(ada), await notificationsOf(bob), await requestsOf(ada)]).toEqual(before)
  })
})

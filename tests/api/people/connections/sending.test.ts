import { describe, expect, test } from 'bun:test'
import { connectionRequests, notifications } from '../../../../src/db/schema'
import {
  connect,
  notificationsOf,
  REQUESTS,
  requestsOf,
  send,
  set,
  settle,
  sociable,
} from '../../../support/connecting'
import { useHarness } from '../../../support/use-harness'

const h = useHarness({ per: 'test' })

describe('POST /api/connections/requests', () => {
  test('asks, and tells the receiver in words that leak nothing', async () => {
    const [ada, bob] = [await h.signedIn({ username: 'ada' }), await sociable(h, { username: 'bob' })]
    await set(h, ada, { preferredName: 'Countess', firstName: 'Augusta' })
    const sent = await send(ada, bob, 'Hello\nBob')
    expect([sent.status, sent.body]).toEqual([
      201,
      {
        id: expect.any(Number),
        direction: 'outgoing',
        status: 'pending',
        user: { id: bob.row.id, network_name: 'bob', preferred_name: null },
        message: 'Hello\nBob',
        created_at: '2026-03-04T10:30:00+01:00',
        responded_at: null,
      },
    ])
    expect(await notificationsOf(bob)).toEqual([
      {
        id: expect.any(Number),
        type: 'connection_request',
        title: 'Connection request',
        message: 'ada would like to connect with you.',
        data: { request_id: sent.body.id },
        is_read: false,
        created_at: '2026-03-04T10:30:00+01:00',
      },
    ])
    expect(await notificationsOf(ada)).toEqual([])
    expect(await requestsOf(bob)).toEqual([
      {
        ...sent.body,
        direction: 'incoming',
        user: { id: ada.row.id, network_name: 'ada', preferred_name: null },
      },
    ])
  })

  test('shows each side the preferred name of the other, as its settings share it at that moment', async () => {
    const [ada, bob] = [await h.signedIn(), await sociable(h)]
    await send(ada, bob)
    const preferredNames = async () => [
      (await requestsOf(bob))[0]?.['user'],
      (await requestsOf(ada))[0]?.['user'],
    ]
    await set(h, ada, { preferredName: 'Countess', sharePreferredName: true })
    await set(h, bob, { preferredName: 'Bobby' })
    expect(await preferredNames()).toMatchObject([{ preferred_name: 'Countess' }, { preferred_name: null }])
    await set(h, ada, { sharePreferredName: false })
    expect(await preferredNames()).toMatchObject([{ preferred_name: null }, { preferred_name: null }])
  })

  test('refuses a second one, in either direction, and one between connected users', async () => {
    const [ada, bob] = [await sociable(h), await sociable(h)]
    const { id } = (await send(ada, bob)).body
    for (const again of [await send(ada, bob), await send(bob, ada)]) {
      expect([again.status, again.body]).toEqual([409, { detail: 'A request is already pending' }])
    }
    await settle(bob, 'accept', id)
    for (const again of [await send(ada, bob), await send(bob, ada)]) {
      expect([again.status, again.body]).toEqual([409, { detail: 'You are already connected' }])
    }
    expect(await h.db.$count(connectionRequests)).toBe(1)
    expect(await h.db.$count(notifications)).toBe(2)
  })

  test('takes a message of at most 500 code points', async () => {
    const [ada, bob] = [await h.signedIn(), await sociable(h)]
    const refused = await send(ada, bob, '💌'.repeat(501))
    expect([refused.status, refused.body.detail]).toEqual([422, 'message: must be at most 500 characters'])
    for (const message of ['', 'a\0b', 7]) {
      const body = { network_name: bob.row.networkName, message }
      expect((await ada.request('POST', REQUESTS, { body })).status).toBe(422)
    }
    expect((await send(ada, bob, '💌'.repeat(500))).status).toBe(201)
    const kept = await send(ada, await sociable(h), ' Cafe\u0301?\n')
    expect(kept.body.message).toBe(' Café?\n')
    expect((await ada.request('POST', REQUESTS, { body: {} })).status).toBe(422)
  })

  test('assigns nothing that the body must not say', async () => {
    const [ada, bob] = [await h.signedIn(), await sociable(h)]
    const body = {
      network_name: bob.row.networkName,
      message: null,
      status: 'accepted',
      sender_id: bob.row.id,
    }
    expect((await ada.request('POST', REQUESTS, { body })).body).toMatchObject({
      status: 'pending',
      direction: 'outgoing',
      message: null,
    })
  })
})

describe('the caps', () => {
  const pending = (from: number, to: number) => ({
    senderId: from,
    receiverId: to,
    createdAt: h.clock.now(),
    updatedAt: h.clock.now(),
  })

  test('let a receiver have 50 pending ones, and more once one is settled', async () => {
    const [ada, bob] = [await h.signedIn(), await sociable(h)]
    const senders = await Promise.all(Array.from({ length: 50 }, () => h.user()))
    await h.db.insert(connectionRequests).values(senders.map(({ id }) => pending(id, bob.row.id)))
    const refused = await send(ada, bob)
    expect([refused.status, refused.body]).toEqual([
      409,
      { detail: 'This user cannot receive more requests' },
    ])
    const [first] = await requestsOf(bob)
    await settle(bob, 'reject', Number(first?.['id']))
    expect((await send(ada, bob)).status).toBe(201)
  })

  test('let a sender have 20 pending ones, and more once one is settled', async () => {
    const [ada, bob] = [await h.signedIn(), await sociable(h)]
    const receivers = await Promise.all(Array.from({ length: 20 }, () => h.user()))
    await h.db.insert(connectionRequests).values(receivers.map(({ id }) => pending(ada.row.id, id)))
    const refused = await send(ada, bob)
    expect([refused.status, refused.body]).toEqual([409, { detail: 'You have too many pending requests' }])
    const [first] = await requestsOf(ada)
    await settle(ada, 'cancel', Number(first?.['id']))
    expect((await send(ada, bob)).status).toBe(201)
    expect((await connect(bob, await sociable(h))).request).toBeGreaterThan(0)
  })
})

test('asking the same person over and over is refused after 20 times within a day', async () => {
  const [ada, bob] = [await h.signedIn(), await sociable(h)]
  for (let i = 0; i < 20; i++) {
    const { status, body } = await send(ada, bob)
    expect(status).toBe(201)
    await settle(ada, 'cancel', body.id)
  }
  h.clock.advance({ hours: 23 })
  const refused = await send(ada, bob)
  expect([refused.status, refused.body]).toEqual([429, { detail: 'Too many connection requests' }])
  expect(refused.headers.get('retry-after')).toBe('3600')
  expect(await notificationsOf(bob)).toEqual([])
  expect((await send(ada, await sociable(h))).status).toBe(201)
  h.clock.advance({ hours: 1 })
  expect((await send(ada, bob)).status).toBe(201)
})

import { describe, expect, test } from 'bun:test'
import { auditLog, notifications } from '../../../../src/db/schema'
import {
  connect,
  notificationsOf,
  REQUESTS,
  requestsOf,
  send,
  settle,
  sociable,
} from '../../../support/connecting'
import { type Actor } from '../../../support/harness'
import { useHarness } from '../../../support/use-harness'

const h = useHarness({ per: 'test' })

const configure = async (actor: Actor, body: object) => {
  const { status } = await actor.request('PUT', '/api/settings', { body })
  if (status !== 200) throw new Error(`not changed: ${status}`)
}

const exported = async (actor: Actor) => (await actor.request('GET', '/api/export')).body.connection_requests

const ask = (from: Actor, network_name: string) => from.request('POST', REQUESTS, { body: { network_name } })

/** What a user is shown of their requests, everywhere. */
const shownTo = async (actor: Actor) => ({
  list: await requestsOf(actor),
  outgoing: await requestsOf(actor, '?direction=outgoing'),
  incoming: await requestsOf(actor, '?direction=incoming'),
  pending: await requestsOf(actor, '?status=pending'),
  accepted: await requestsOf(actor, '?status=accepted'),
  rejected: await requestsOf(actor, '?status=rejected'),
  cancelled: await requestsOf(actor, '?status=cancelled'),
  export: await exported(actor),
  told: await notificationsOf(actor),
})

/** The other goes into hiding: under another name, without accepting connections. */
const hide = (actor: Actor) =>
  configure(actor, { network_name: 'hidden-k229', preferred_name: 'New Name', accept_connections: false })

describe('a request that was rejected', () => {
  /** Ada has asked Bob, who is about to go into hiding. */
  async function asked() {
    const [ada, bob] = [await sociable(h, { username: 'ada' }), await sociable(h, { username: 'bob' })]
    await configure(bob, { preferred_name: 'Bobby', share_preferred_name: true })
    const { id } = (await send(ada, bob, 'It is me')).body
    return { ada, bob, id: Number(id) }
  }

  test('looks to its sender as it did while it was pending, by every call, whatever becomes of the other', async () => {
    const { ada, bob, id } = await asked()
    const before = await shownTo(ada)
    expect(before.list).toMatchObject([
      {
        status: 'pending',
        responded_at: null,
        user: { id: bob.row.id, network_name: 'bob', preferred_name: 'Bobby' },
      },
    ])
    h.clock.advance({ minutes: 1 })
    await settle(bob, 'reject', id)
    expect(await shownTo(ada)).toEqual(before)
    await hide(bob)
    expect(await shownTo(ada)).toEqual(before)
    const admin = await h.signedIn({ role: 'admin' })
    await admin.request('PUT', `/api/admin/users/${bob.row.id}/active`, { body: { is_active: false } })
    expect(await shownTo(ada)).toEqual(before)
  })

  test('is shown to its receiver as settled, under the names of that moment and without a user id', async () => {
    const { ada, bob, id } = await asked()
    await configure(ada, { preferred_name: 'Countess', share_preferred_name: true })
    h.clock.advance({ minutes: 1 })
    await settle(bob, 'reject', id)
    await configure(ada, {
      network_name: 'elsewhere',
      preferred_name: 'Baroness',
      share_preferred_name: false,
    })
    expect(await requestsOf(bob)).toEqual([
      {
        id,
        direction: 'incoming',
        status: 'rejected',
        user: { id: null, network_name: 'ada', preferred_name: 'Countess' },
        message: 'It is me',
        created_at: '2026-03-04T10:30:00+01:00',
        responded_at: '2026-03-04T10:31:00+01:00',
      },
    ])
    expect((await requestsOf(bob, '?status=rejected')).length).toBe(1)
    expect(await requestsOf(bob, '?status=pending')).toEqual([])
  })

  test('is cancelled as one that is pending: the same answer, the same audit entry, nothing left with the other', async () => {
    const world = async (isRejected: boolean) => {
      const [ada, bob] = [await sociable(h), await sociable(h)]
      const { id } = (await send(ada, bob)).body
      if (isRejected) await settle(bob, 'reject', id)
      const cancelled = await settle(ada, 'cancel', id)
      const again = await settle(ada, 'cancel', id)
      const [entry] = await h.db.select().from(auditLog)
      await h.db.execute('alter table audit_log disable trigger all; delete from audit_log')
      const text = JSON.stringify([
        cancelled.status,
        cancelled.body,
        again.status,
        again.body,
        await shownTo(ada),
        await shownTo(bob),
        entry?.action,
        entry?.detail,
      ])
      return text
        .replaceAll(`"request_id":${id}`, '"request_id":0')
        .replaceAll(`"id":${id},`, '"id":0,')
        .replaceAll(`"receiver_id":${bob.row.id}`, '"receiver_id":0')
        .replaceAll(bob.row.networkName, 'bob')
    }
    const [unanswered, rejected] = [await world(false), await world(true)]
    expect(rejected).toBe(unanswered)
    expect(rejected).toContain('connection.request_cancelled')
    expect(rejected).toContain('"status":"cancelled"')
  })

  test('counts among the 20 of its sender, until they cancel it', async () => {
    const ada = await h.signedIn()
    const ids: number[] = []
    for (let at = 0; at < 20; at++) {
      const receiver = await sociable(h)
      ids.push((await send(ada, receiver)).body.id)
      if (at % 2 === 0) await settle(receiver, 'reject', ids[at] ?? 0)
    }
    const other = await sociable(h)
    expect((await send(ada, other)).body).toEqual({ detail: 'You have too many pending requests' })
    await settle(ada, 'cancel', ids[0] ?? 0)
    expect((await send(ada, other)).status).toBe(201)
  })

  test('may be asked again, also by who has 20: the new request replaces it, and the other has one notification', async () => {
    const { ada, bob, id } = await asked()
    for (let at = 0; at < 19; at++) await send(ada, await sociable(h))
    await settle(bob, 'reject', id)
    const told = await h.db.$count(notifications)
    let newest = id
    for (let round = 0; round < 3; round++) {
      const again = await send(ada, bob)
      expect([again.status, again.body.status]).toEqual([201, 'pending'])
      const mine = (await requestsOf(ada)).filter(({ id: one }) => one === newest)
      expect(mine).toMatchObject([{ status: 'cancelled' }])
      expect(await requestsOf(bob)).toMatchObject([{ id: again.body.id, status: 'pending' }])
      expect(await notificationsOf(bob)).toMatchObject([
        { type: 'connection_request', is_read: false, data: { request_id: again.body.id } },
      ])
      newest = again.body.id
      await settle(bob, 'reject', newest)
    }
    expect(await h.db.$count(notifications)).toBe(told)
  })

  test('refuses who asks again as one that is pending does, while the other cannot be found', async () => {
    const unanswered = await asked()
    await configure(unanswered.bob, { accept_connections: false })
    const expected = await ask(unanswered.ada, 'bob')
    await settle(unanswered.bob, 'reject', unanswered.id)
    for (const become of [
      () => configure(unanswered.bob, { preferred_name: 'New' }),
      () => hide(unanswered.bob),
    ]) {
      await become()
      const refused = await ask(unanswered.ada, 'Bob')
      expect([refused.status, refused.body]).toEqual([expected.status, expected.body])
    }
    expect(expected.body).toEqual({ detail: 'A request is already pending' })
    // The name that they have taken since stays theirs.
    expect((await ask(unanswered.ada, 'hidden-k229')).body).toEqual({ detail: 'User not found' })
    const stranger = await h.signedIn()
    expect((await ask(stranger, 'bob')).body).toEqual({ detail: 'User not found' })
  })

  test('is over once the two are connected', async () => {
    const { ada, bob, id } = await asked()
    await settle(bob, 'reject', id)
    await connect(bob, ada)
    expect(await requestsOf(ada)).toMatchObject([{ status: 'accepted' }, { id, status: 'cancelled' }])
    expect(await requestsOf(ada, '?status=pending')).toEqual([])
    expect((await requestsOf(bob)).map(({ status }) => status)).toEqual(['accepted'])
  })
})

describe('a request that was cancelled', () => {
  test('shows its receiver nothing, and its sender the names of that moment without a user id', async () => {
    const [ada, bob] = [await sociable(h), await sociable(h, { username: 'bob' })]
    const nothing = await shownTo(bob)
    const { id } = (await send(ada, bob, 'It is me')).body
    await settle(ada, 'cancel', id)
    await hide(bob)
    expect(await shownTo(bob)).toEqual(nothing)
    const named = { status: 'cancelled', user: { id: null, network_name: 'bob', preferred_name: null } }
    expect(await requestsOf(ada)).toMatchObject([named])
    expect(await requestsOf(ada, '?status=cancelled')).toMatchObject([named])
    expect(await exported(ada)).toMatchObject([named])
  })
})

describe('a request that was accepted', () => {
  test('shows the names of that moment, and the user id as long as the two are connected', async () => {
    const [ada, bob] = [await sociable(h, { username: 'ada' }), await sociable(h, { username: 'bob' })]
    for (const actor of [ada, bob]) {
      await configure(actor, { preferred_name: `Dear ${actor.row.username}`, share_preferred_name: true })
    }
    const { own } = await connect(ada, bob)
    for (const actor of [ada, bob]) {
      await configure(actor, { network_name: `new-${actor.row.username}`, preferred_name: 'New' })
    }
    const named = (name: string, id: number | null) => [
      { status: 'accepted', user: { id, network_name: name, preferred_name: `Dear ${name}` } },
    ]
    expect(await requestsOf(ada)).toMatchObject(named('bob', bob.row.id))
    expect(await requestsOf(bob)).toMatchObject(named('ada', ada.row.id))
    await ada.request('DELETE', `/api/connections/${own}`)
    await configure(bob, { accept_connections: false, share_preferred_name: false })
    expect(await requestsOf(ada)).toMatchObject(named('bob', null))
    expect(await requestsOf(bob)).toMatchObject(named('ada', null))
    expect(await exported(ada)).toMatchObject(named('bob', null))
  })
})

import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import {
  auditLog,
  connectionRequests,
  connections,
  notifications,
  people,
  users,
} from '../../../../src/db/schema'
import {
  connect,
  connectionsOf,
  notificationsOf,
  requestsOf,
  send,
  set,
  settle,
  sociable,
} from '../../../support/connecting'
import { type Actor, PASSWORD } from '../../../support/harness'
import { useHarness } from '../../../support/use-harness'

const CONNECTIONS = '/api/connections'
const GONE = { detail: 'Connection not found' }

const h = useHarness({ per: 'test' })

const sharing = (actor: Actor, id: number | string, body?: unknown) =>
  actor.request(body === undefined ? 'GET' : 'PUT', `${CONNECTIONS}/${id}/sharing`, { body })
const disconnect = (actor: Actor, id: number | string) => actor.request('DELETE', `${CONNECTIONS}/${id}`)
const profileOf = async (actor: Actor) => (await connectionsOf(actor))[0]?.shared_profile

describe('GET /api/connections', () => {
  test('lists those of the caller alone, by network name, in pages without a gap', async () => {
    const [ada, eve] = [await sociable(h), await sociable(h)]
    for (const networkName of ['dora', 'b-lue', 'b.lue', 'carl', 'b10', 'b2', 'b_lue']) {
      await connect(ada, await sociable(h, { networkName }))
    }
    await connect(eve, await sociable(h, { networkName: 'aaron' }))
    const seen = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const path: string = `${CONNECTIONS}?limit=2${cursor && `&cursor=${cursor}`}`
      const { body } = await ada.request('GET', path)
      seen.push(...body.connections.map((one: { network_name: string }) => one.network_name))
      cursor = body.next_cursor
    }
    expect(seen).toEqual(['b-lue', 'b.lue', 'b10', 'b2', 'b_lue', 'carl', 'dora'])
    expect(await connectionsOf(eve)).toMatchObject([{ network_name: 'aaron' }])
  })

  test('refuses a cursor of another list, and one that no list has written', async () => {
    const ada = await h.signedIn()
    const forged = [[1], ['a', 1], ['a\0'], ['\ud800'], {}, null].map((key) => btoa(JSON.stringify(key)))
    for (const cursor of ['x', ...forged.map((text) => text.replaceAll('=', ''))]) {
      const refused = await ada.request('GET', `${CONNECTIONS}?cursor=${encodeURIComponent(cursor)}`)
      expect([cursor, refused.status]).toEqual([cursor, 422])
    }
  })

  test('goes on showing a user who was deactivated, and their new network name', async () => {
    const [ada, bob] = [await sociable(h), await sociable(h)]
    await connect(ada, bob)
    await h.db.update(users).set({ isActive: false, networkName: 'robert' }).where(eq(users.id, bob.row.id))
    expect(await connectionsOf(ada)).toMatchObject([{ user_id: bob.row.id, network_name: 'robert' }])
  })
})

describe('what a user shows another', () => {
  const NOTHING_SET = {
    share_first_name: null,
    share_last_name: null,
    share_preferred_name: null,
    share_email: null,
    share_phone: null,
    share_mobile: null,
    share_birthday: null,
    share_address: null,
    share_company: null,
    share_job_title: null,
  }

  test('follows the settings, and a toggle of the connection before them, at once and on that side alone', async () => {
    const [ada, carol] = [await sociable(h), await sociable(h)]
    const bob = await sociable(h, { email: 'bob@example.org', dateOfBirth: '1980-02-29' })
    await set(h, bob, { firstName: 'Robert', phone: '+1' })
    const { theirs } = await connect(ada, bob)
    await connect(carol, bob)
    expect((await sharing(bob, theirs)).body).toEqual(NOTHING_SET)
    expect(await profileOf(ada)).toEqual({})

    const changed = await sharing(bob, theirs, {
      share_email: true,
      share_phone: false,
      share_birthday: true,
    })
    const overrides = { ...NOTHING_SET, share_email: true, share_phone: false, share_birthday: true }
    expect([changed.status, changed.body]).toEqual([200, overrides])
    expect((await sharing(bob, theirs)).body).toEqual(overrides)
    expect(await profileOf(ada)).toEqual({ email: 'bob@example.org', birthday: '1980-02-29' })
    expect(await profileOf(carol)).toEqual({})

    const shareAll = { share_phone: true, share_first_name: true, share_last_name: true }
    await bob.request('PUT', '/api/settings', { body: shareAll })
    expect(await profileOf(ada)).toEqual({
      email: 'bob@example.org',
      birthday: '1980-02-29',
      first_name: 'Robert',
      last_name: null,
    })
    expect(await profileOf(carol)).toEqual({ phone: '+1', first_name: 'Robert', last_name: null })

    await sharing(bob, theirs, { share_email: null, share_first_name: false })
    expect(await profileOf(ada)).toEqual({ birthday: '1980-02-29', last_name: null })
    await bob.request('PUT', '/api/settings', { body: { share_last_name: false } })
    expect(await profileOf(ada)).toEqual({ birthday: '1980-02-29' })
  })

  test.each([
    'first_name',
    'last_name',
    'preferred_name',
    'email',
    'phone',
    'mobile',
    'birthday',
    'address',
    'company',
    'job_title',
  ])('has a toggle for %s that moves nothing else', async (field) => {
    const [ada, bob] = [await sociable(h), await sociable(h)]
    const values = {
      first_name: 'F',
      last_name: 'L',
      preferred_name: 'P',
      email: 'bob@example.org',
      phone: '1',
      mobile: '2',
      address: 'A',
      company: 'C',
      job_title: 'J',
    }
    await bob.request('PUT', '/api/settings', { body: { ...values, date_of_birth: '1980-02-29' } })
    const all: Record<string, string> = { ...values, birthday: '1980-02-29' }
    const { theirs } = await connect(ada, bob)
    await sharing(bob, theirs, { [`share_${field}`]: true })
    expect(await profileOf(ada)).toEqual({ [field]: all[field] ?? '' })
    await bob.request('PUT', '/api/settings', { body: { [`share_${field}`]: true } })
    await sharing(bob, theirs, { [`share_${field}`]: false })
    expect(await profileOf(ada)).toEqual({})
    await sharing(bob, theirs, { [`share_${field}`]: null })
    expect(await profileOf(ada)).toEqual({ [field]: all[field] ?? '' })
  })

  test('is gone at once everywhere that it was shown', async () => {
    const [ada, bob] = [await sociable(h), await sociable(h)]
    await set(h, bob, { preferredName: 'Bobby', sharePreferredName: true })
    const { theirs } = await connect(ada, bob)
    const everywhere = async () =>
      JSON.stringify([
        await connectionsOf(ada),
        await requestsOf(ada),
        await notificationsOf(ada),
        (
          await ada.request('POST', '/api/connections/search', {
            body: { network_name: bob.row.networkName },
          })
        ).body,
      ])
    expect((await everywhere()).match(/Bobby/g)).toHaveLength(4)
    await sharing(bob, theirs, { share_preferred_name: false })
    expect(await everywhere()).not.toContain('Bobby')
    expect(await connectionsOf(ada)).toMatchObject([{ network_name: bob.row.networkName }])
  })

  test('is theirs alone to read and change: the other side and a stranger find the same as nothing', async () => {
    const [ada, bob, eve] = [await sociable(h), await sociable(h), await sociable(h)]
    const { own, theirs } = await connect(ada, bob)
    const attempts = [
      [ada, theirs],
      [bob, own],
      [eve, own],
      [eve, theirs],
      [ada, 2_147_483_647],
      [ada, 'x'],
      [ada, 0],
    ] as const
    for (const [actor, id] of attempts) {
      for (const refused of [await sharing(actor, id), await sharing(actor, id, { share_email: true })]) {
        expect([id, refused.status, refused.body]).toEqual([id, 404, GONE])
      }
    }
    for (const side of [await sharing(ada, own), await sharing(bob, theirs)])
      expect(side.body).toEqual(NOTHING_SET)
  })

  test('takes true, false and null, and leaves what is not given', async () => {
    const [ada, bob] = [await sociable(h), await sociable(h)]
    const { own } = await connect(ada, bob)
    for (const value of ['true', 1, 'null', {}]) {
      expect((await sharing(ada, own, { share_email: value })).status).toBe(422)
    }
    await sharing(ada, own, { share_email: true })
    const unchanged = await sharing(ada, own, { share_phone: false, network_name: true, user_id: bob.row.id })
    expect(unchanged.body).toEqual({ ...NOTHING_SET, share_email: true, share_phone: false })
    expect((await sharing(ada, own, {})).body).toEqual(unchanged.body)
  })
})

describe('DELETE /api/connections/{id}', () => {
  test('ends both directions, keeps the person records without the link, and tells nobody', async () => {
    const [ada, bob, carol] = [await sociable(h), await sociable(h), await sociable(h)]
    const { own, theirs } = await connect(ada, bob)
    await connect(ada, carol)
    h.clock.advance({ minutes: 1 })
    const answered = await disconnect(bob, theirs)
    expect([answered.status, answered.body]).toEqual([204, ''])
    expect(await connectionsOf(ada)).toMatchObject([{ user_id: carol.row.id }])
    expect(await connectionsOf(bob)).toEqual([])
    const rows = await h.db.select().from(people).orderBy(people.id)
    expect(
      rows.map(({ userId, linkedUserId, nickname, version }) => ({
        userId,
        linkedUserId,
        nickname,
        version,
      })),
    ).toEqual([
      { userId: ada.row.id, linkedUserId: null, nickname: bob.row.networkName, version: 2 },
      { userId: bob.row.id, linkedUserId: null, nickname: ada.row.networkName, version: 2 },
      { userId: ada.row.id, linkedUserId: carol.row.id, nickname: carol.row.networkName, version: 1 },
      { userId: carol.row.id, linkedUserId: ada.row.id, nickname: ada.row.networkName, version: 1 },
    ])
    // What pointed to the connection is gone with it; that there was a request is history.
    expect(await notificationsOf(ada)).toMatchObject([
      { type: 'connection_accepted', message: expect.stringContaining(carol.row.networkName) },
    ])
    expect(await notificationsOf(bob)).toMatchObject([{ type: 'connection_request', is_read: true }])
    for (const [actor, id] of [
      [bob, theirs],
      [ada, own],
    ] as const) {
      expect((await disconnect(actor, id)).body).toEqual(GONE)
      expect((await sharing(actor, id)).body).toEqual(GONE)
    }
  })

  test('forgets what was shown: who connects again starts from the settings', async () => {
    const [ada, bob] = [await sociable(h, { email: 'ada@example.org' }), await sociable(h)]
    const { own } = await connect(ada, bob)
    await sharing(ada, own, { share_email: true })
    await disconnect(ada, own)
    await connect(bob, ada)
    expect(await profileOf(bob)).toEqual({})
    expect(await h.db.$count(people, eq(people.userId, bob.row.id))).toBe(2)
  })

  test('answers the same bytes for the other side’s id, a stranger’s, an absent one and nonsense', async () => {
    const [ada, bob, eve] = [await sociable(h), await sociable(h), await sociable(h)]
    const { own, theirs } = await connect(ada, bob)
    const attempts = [
      [ada, theirs],
      [bob, own],
      [eve, own],
      [eve, theirs],
      [ada, 2_147_483_647],
      [ada, 'requests'],
      [ada, '%00'],
    ] as const
    for (const [actor, id] of attempts) {
      const refused = await disconnect(actor, id)
      expect([id, refused.status, refused.body]).toEqual([id, 404, GONE])
    }
    expect(await h.db.$count(connections)).toBe(2)
  })
})

test('deleting an account takes it out of everybody else’s lists, persons and notifications', async () => {
  const [ada, bob, carol, dan] = [await sociable(h), await sociable(h), await sociable(h), await sociable(h)]
  await connect(bob, ada)
  await connect(ada, carol)
  await send(ada, dan)
  const rejected = (await send(ada, await sociable(h))).body
  await settle(ada, 'cancel', rejected.id)
  await connect(bob, carol)
  const removed = await ada.request('DELETE', '/api/auth/account', { body: { password: PASSWORD } })
  expect(removed.status).toBe(204)
  expect(await connectionsOf(bob)).toMatchObject([{ user_id: carol.row.id }])
  expect(await connectionsOf(carol)).toMatchObject([{ user_id: bob.row.id }])
  expect(await requestsOf(dan)).toEqual([])
  expect(await h.db.select().from(connectionRequests)).toMatchObject([
    { senderId: bob.row.id, receiverId: carol.row.id },
  ])
  expect(await notificationsOf(dan)).toEqual([])
  expect(await notificationsOf(bob)).toMatchObject([
    { type: 'connection_accepted', message: expect.stringContaining(carol.row.networkName) },
  ])
  expect(await notificationsOf(carol)).toMatchObject([
    { type: 'connection_request', message: expect.stringContaining(bob.row.networkName) },
  ])
  const left = await h.db.select().from(people).where(eq(people.nickname, ada.row.networkName))
  expect(left.map(({ userId, linkedUserId, version }) => ({ userId, linkedUserId, version }))).toEqual([
    { userId: bob.row.id, linkedUserId: null, version: 2 },
    { userId: carol.row.id, linkedUserId: null, version: 2 },
  ])
  expect(await h.db.$count(notifications)).toBe(2)
  expect(await h.db.$count(auditLog)).toBe(2)
})

import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { eventInvitations, users } from '../../../../src/db/schema'
import { connect, notificationsOf } from '../../../support/connecting'
import { befriend, friends, invitedTo, person } from '../../../support/inviting'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const SINGLE = { title: 'Choir', start_at: '2026-03-10T09:00', end_at: '2026-03-10T10:00' }
const NO_CONNECTION = { detail: 'Connection not found' }
const TOO_MANY = { detail: 'An event can have at most 20 invitations' }

const invitedIds = async (eventId: number) =>
  (await h.db.select().from(eventInvitations).where(eq(eventInvitations.eventId, eventId))).map(
    ({ userId }) => userId,
  )

describe('an organiser invites', () => {
  test('a connected user, who is told once and sees the event', async () => {
    const { ada, bob } = await friends(h)
    const event = await ada.create(SINGLE)
    expect((await bob.read(event.id)).status).toBe(404)
    const answered = await ada.invite(event.id, bob)
    expect(answered.status).toBe(201)
    expect(answered.body).toEqual({
      invitations: [
        {
          id: expect.any(Number),
          event_id: event.id,
          event_title: 'Choir',
          user_id: bob.row.id,
          network_name: bob.row.networkName,
          response: null,
          display_calendar_id: null,
          created_at: '2026-03-04T10:30:00+01:00',
        },
      ],
    })
    const { id } = answered.body.invitations[0]
    const [told, ...more] = (await notificationsOf(bob)).filter(({ type }) => type === 'event_invite')
    expect(more).toEqual([])
    expect(told).toMatchObject({
      title: 'Event invitation',
      message: `${ada.row.networkName} invited you to “Choir”.`,
      data: { event_id: event.id, invitation_id: id },
      is_read: false,
    })
    expect(await ada.heard()).toEqual([])
    expect((await bob.read(event.id)).body).toMatchObject({
      access: 'read',
      calendar_id: null,
      my_invitation: { id, response: null, display_calendar_id: null },
    })
    expect((await ada.read(event.id)).body).toEqual(event)
  })

  test('several at once, each once, and tells nobody a second time', async () => {
    const { ada, bob } = await friends(h)
    const cyd = await person(h)
    await connect(ada, cyd)
    const { id } = await ada.create(SINGLE)
    const first = (await ada.invite(id, bob)).body.invitations
    const again = await ada.invite(id, cyd, bob, bob, cyd)
    expect(again.status).toBe(201)
    expect(again.body.invitations.map((one: { user_id: number }) => one.user_id)).toEqual([
      bob.row.id,
      cyd.row.id,
    ])
    expect(again.body.invitations[0]).toEqual(first[0])
    await bob.respond(first[0].id, 'Declined')
    const third = await ada.invite(id, bob)
    expect(third).toMatchObject({ status: 201, body: { invitations: [{ response: 'Declined' }] } })
    expect((await ada.invitationsTo(id)).body.invitations.length).toBe(2)
    expect([(await bob.heard()).length, (await cyd.heard()).length]).toEqual([1, 1])
  })

  test('a connected user whose account is inactive, for when they come back', async () => {
    const { ada, bob } = await friends(h)
    const { id } = await ada.create(SINGLE)
    await h.db.update(users).set({ isActive: false }).where(eq(users.id, bob.row.id))
    expect((await ada.invite(id, bob)).status).toBe(201)
    await h.db.update(users).set({ isActive: true }).where(eq(users.id, bob.row.id))
    expect((await bob.invitations()).body.invitations).toMatchObject([{ event_id: id }])
  })
})

describe('an invitation of several users', () => {
  test.each(['a stranger', 'a former connection', 'oneself', 'nobody', 'no id', 'beyond ids'] as const)(
    'is refused whole when it names %s',
    async (who) => {
      const { ada, bob } = await friends(h)
      const [stranger, former] = [await person(h), await person(h)]
      const { own } = await connect(ada, former)
      await ada.disconnect(own)
      const { id } = await ada.create(SINGLE)
      const ids = {
        'a stranger': stranger.row.id,
        'a former connection': former.row.id,
        oneself: ada.row.id,
        nobody: 2_147_483_647,
        'no id': -1,
        'beyond ids': 1e15,
      }
      const refused = await ada.inviteIds(id, [bob.row.id, ids[who]])
      expect([refused.status, refused.body]).toEqual([404, NO_CONNECTION])
      expect(await invitedIds(id)).toEqual([])
      for (const one of [ada, bob, stranger, former]) expect(await one.heard()).toEqual([])
    },
  )

  test('is refused from an invitee', async () => {
    const { ada, bob, event } = await invitedTo(h, SINGLE)
    const cyd = await person(h)
    await connect(bob, cyd)
    for (const guests of [[cyd], [ada], [bob]]) {
      const refused = await bob.invite(event.id, ...guests)
      expect([refused.status, refused.body]).toEqual([403, { detail: 'Insufficient permissions' }])
    }
    expect(await invitedIds(event.id)).toEqual([bob.row.id])
    expect(await cyd.heard()).toEqual([])
  })

  test('is answered alike for an event that its sender cannot see and for one that does not exist', async () => {
    const { ada, bob } = await friends(h)
    const { id } = await ada.create(SINGLE)
    for (const absent of [id, 2_147_483_647]) {
      const refused = await bob.invite(absent, ada)
      expect([refused.status, refused.body]).toEqual([404, { detail: 'Event not found' }])
    }
    expect(
      (await ada.request('POST', '/api/events/0/invitations', { body: { user_ids: [1] } })).body,
    ).toEqual({
      detail: 'Event not found',
    })
    expect(await ada.heard()).toEqual([])
  })

  test.each([
    ['none', []],
    ['text', ['1']],
    ['a fraction', [1.5]],
    ['null', null],
    ['no list', 1],
    ['nothing', undefined],
    ['far too many', Array(201).fill(1)],
  ])('is refused where the ids are %s', async (_, ids) => {
    const ada = await person(h)
    const { id } = await ada.create(SINGLE)
    expect((await ada.inviteIds(id, ids)).status).toBe(422)
  })
})

test('an event has at most 20 invitations, also in several requests, and a request beyond that adds none', async () => {
  const ada = await person(h)
  const guests = await Promise.all(Array.from({ length: 21 }, () => person(h)))
  await befriend(h, ada, guests)
  const { id } = await ada.create(SINGLE)
  const all = await ada.invite(id, ...guests)
  expect([all.status, all.body]).toEqual([409, TOO_MANY])
  expect(await invitedIds(id)).toEqual([])
  expect((await ada.invite(id, ...guests.slice(0, 19))).status).toBe(201)
  const two = await ada.invite(id, ...guests.slice(19))
  expect([two.status, two.body]).toEqual([409, TOO_MANY])
  expect((await ada.invite(id, ...guests.slice(0, 20))).body.invitations.length).toBe(20)
  expect((await ada.invite(id, ...guests.slice(0, 20))).status).toBe(201)
  expect((await ada.invite(id, ...guests.slice(20))).status).toBe(409)
  expect((await invitedIds(id)).length).toBe(20)
  expect(await guests[20]?.heard()).toEqual([])
  const [{ id: left }] = (await ada.invitationsTo(id)).body.invitations
  await ada.uninvite(id, left)
  expect((await ada.invite(id, ...guests.slice(20))).status).toBe(201)
})

import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { eventInvitations, notifications, sentInvitations } from '../../../../src/db/schema'
import { at } from '../../../support/events'
import { befriend, person, type Person } from '../../../support/inviting'
import { sharedWith } from '../../../support/sharing'
import { useHarness } from '../../../support/use-harness'

const h = useHarness({ per: 'test' })

const REFUSED = { detail: 'Too many invitations' }
const TIMES = { start_at: '2026-03-10T09:00', end_at: '2026-03-10T10:00' }

async function friends(count: number): Promise<[Person, ...Person[]]> {
  const ada = await person(h)
  const others: Person[] = []
  for (let i = 0; i < count; i++) others.push(await person(h))
  await befriend(h, ada, others)
  return [ada, ...others]
}

/** Invites to one event and takes it back, so often; answers the last answer. */
async function inviteAgain(ada: Person, bob: Person, times: number, eventId: number) {
  let answered = await ada.invite(eventId, bob)
  for (let i = 1; i < times; i++) {
    await ada.uninvite(eventId, answered.body.invitations[0].id)
    answered = await ada.invite(eventId, bob)
  }
  if (answered.status === 201) await ada.uninvite(eventId, answered.body.invitations[0].id)
  return answered
}

const invitationsOf = ({ row }: Person) => h.db.$count(eventInvitations, eq(eventInvitations.userId, row.id))
const toldTo = ({ row }: Person) => h.db.$count(notifications, eq(notifications.userId, row.id))

describe('the bound of 20 invitations of one user to another within a day', () => {
  test('refuses the 21st until the first is a day old, and counts invitations that were taken back', async () => {
    const [ada, bob, eve] = await friends(2)
    if (!bob || !eve) throw new Error('nobody')
    const { id } = await ada.create(TIMES)
    expect((await inviteAgain(ada, bob, 20, id)).status).toBe(201)
    h.clock.advance({ hours: 1 })
    const refused = await ada.invite(id, bob)
    expect([refused.status, refused.body]).toEqual([429, REFUSED])
    expect(refused.headers.get('retry-after')).toBe(String(23 * 3600))
    expect(await invitationsOf(bob)).toBe(0)
    // Others are not concerned, unless they are invited together.
    expect((await ada.invite(id, eve, bob)).status).toBe(429)
    expect(await invitationsOf(eve)).toBe(0)
    expect(await toldTo(eve)).toBe(0)
    expect((await ada.invite(id, eve)).status).toBe(201)
    const own = await bob.create(TIMES)
    expect((await bob.invite(own.id, ada)).status).toBe(201)
    h.clock.advance({ hours: 23 })
    expect((await ada.invite(id, bob)).status).toBe(201)
  })

  test('counts nothing for a user who is invited already', async () => {
    const [ada, bob] = await friends(1)
    if (!bob) throw new Error('nobody')
    const { id } = await ada.create(TIMES)
    for (let i = 0; i < 25; i++) expect((await ada.invite(id, bob)).status).toBe(201)
    expect(await h.db.$count(sentInvitations, eq(sentInvitations.receiverId, bob.row.id))).toBe(1)
    expect(await toldTo(bob)).toBe(1)
  })

  test('takes 20 of 30 that come at once', async () => {
    const [ada, bob] = await friends(1)
    if (!bob) throw new Error('nobody')
    const ids: number[] = []
    for (let i = 0; i < 30; i++) ids.push((await ada.create(TIMES)).id)
    const answers = await Promise.all(ids.map((id) => ada.invite(id, bob)))
    const statuses = Map.groupBy(answers, ({ status }) => status)
    expect([statuses.get(201)?.length, statuses.get(429)?.length]).toEqual([20, 10])
    expect([await invitationsOf(bob), await toldTo(bob)]).toEqual([20, 20])
  })

  test('counts invitations to events and to calendars together', async () => {
    const { ada, bob, calendar, member } = await sharedWith(h, 'read')
    const { id } = await ada.create(TIMES)
    await inviteAgain(ada, bob, 18, id)
    await ada.dismiss(calendar.id, member.id)
    const last = await ada.share(calendar.id, bob)
    expect(last.status).toBe(201)
    await ada.dismiss(calendar.id, last.body.id)
    for (const refused of [await ada.share(calendar.id, bob), await ada.invite(id, bob)]) {
      expect([refused.status, refused.body]).toEqual([429, REFUSED])
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect((await ada.members(calendar.id)).body.members).toEqual([])
  })
})

describe('the announcement of an unanswered invitation', () => {
  test('comes once, whatever becomes of the event and however often it is sent, and again after it was taken back', async () => {
    const [ada, bob] = await friends(1)
    if (!bob) throw new Error('nobody')
    const { id } = await ada.create({ ...TIMES, recurrence_rule: 'FREQ=DAILY' })
    const announced = async () => (await bob.heard()).filter((line) => line.startsWith('event_invite:'))
    await ada.invite(id, bob)
    await ada.invite(id, bob)
    await ada.change(id, { start_at: '2026-03-11T09:00' })
    await ada.change(id, { title: 'Other', description: 'Other' })
    await ada.change(id, { start_at: '2026-03-12T11:00' }, at('2026-03-12T09:00'))
    expect(await announced()).toHaveLength(1)
    const [{ id: invitationId }] = (await ada.invitationsTo(id)).body.invitations
    await ada.uninvite(id, invitationId)
    expect(await announced()).toEqual([])
    await ada.invite(id, bob)
    expect(await announced()).toHaveLength(1)
  })

  test('comes once also where its series is divided', async () => {
    const [ada, bob] = await friends(1)
    if (!bob) throw new Error('nobody')
    const { id } = await ada.create({ ...TIMES, recurrence_rule: 'FREQ=DAILY' })
    await ada.invite(id, bob)
    const following = at('2026-03-14T09:00', 'following')
    expect((await ada.change(id, { title: 'Later' }, following)).status).toBe(200)
    expect((await bob.heard()).filter((line) => line.startsWith('event_invite:'))).toHaveLength(1)
  })
})

import { expect, test } from 'bun:test'
import { eq, inArray } from 'drizzle-orm'
import {
  calendarMembers,
  connections,
  eventInvitations,
  events,
  notifications,
  sentInvitations,
} from '../../../../src/db/schema'
import { connect, ROUNDS, sorted } from '../../../support/connecting'
import { type Answered, befriend } from '../../../support/inviting'
import { raceInTurn } from '../../../support/racing'
import { lent, type Sharer, sharedWith, sharer } from '../../../support/sharing'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const SINGLE = { title: 'Choir', start_at: '2026-03-10T09:00', end_at: '2026-03-10T10:00' }

async function together(round: number, attempts: ReadonlyArray<() => Promise<Answered>>) {
  const answers = await raceInTurn({ h, round, allowed503: 0 }, attempts)
  for (const { status } of answers) expect(status).toBeLessThan(500)
  return answers
}

const membersOf = (calendarId: number) =>
  h.db.$count(calendarMembers, eq(calendarMembers.calendarId, calendarId))
const toldOf = async (...people: readonly Sharer[]) =>
  (await Promise.all(people.map((one) => one.told()))).flat().map(({ type }) => type)

/** Two who are connected, and a calendar that the first has offered to the second. */
async function offered() {
  const [ada, bob] = [await sharer(h), await sharer(h)]
  const connection = await connect(ada, bob)
  const calendar = await ada.createCalendar('Choir')
  const member = (await ada.share(calendar.id, bob, 'write')).body
  return { ada, bob, connection, calendar, member }
}

test('one of several requests that share a calendar with the same user at once succeeds, and is told once', async () => {
  const { ada, bob } = await sharedWith(h, 'read')
  for (let round = 0; round < ROUNDS; round++) {
    const calendar = await ada.createCalendar(`c${round}`)
    await h.db.delete(notifications)
    // More rounds are more invitations than a day takes.
    await h.db.delete(sentInvitations)
    const answers = await together(round, [
      () => ada.share(calendar.id, bob, 'read'),
      () => ada.share(calendar.id, bob, 'write'),
    ])
    expect(sorted(answers)).toEqual([201, 409])
    expect([await membersOf(calendar.id), await toldOf(bob)]).toEqual([1, ['calendar_invite']])
  }
}, 60_000)

test('an invite that is accepted several times at once is accepted once, and its owner is told once', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { ada, bob, calendar, member } = await offered()
    const answers = await together(round, [
      () => bob.accept(member.id),
      () => bob.accept(member.id),
      () => bob.reject(member.id),
    ])
    const statuses = sorted(answers)
    expect([
      [200, 404, 404],
      [204, 404, 404],
    ]).toContainEqual(statuses)
    const isAccepted = statuses[0] === 200
    expect(await membersOf(calendar.id)).toBe(isAccepted ? 1 : 0)
    expect(await toldOf(ada)).toEqual(isAccepted ? ['calendar_invite_accepted'] : [])
  }
}, 60_000)

test('nobody has a calendar that was offered or accepted while the connection ended', async () => {
  const outcomes = new Set<number>()
  for (let round = 0; round < ROUNDS; round++) {
    const { ada, bob, connection, calendar, member } = await offered()
    const other = await bob.createCalendar('Other')
    const answers = await together(round, [
      () => bob.accept(member.id),
      () => (round % 2 ? ada.disconnect(connection.own) : bob.disconnect(connection.theirs)),
      () => bob.share(other.id, ada),
      () => ada.permit(calendar.id, member.id, 'read'),
    ])
    expect(answers[1]?.status).toBe(204)
    outcomes.add(answers[0]?.status ?? 0).add(answers[2]?.status ?? 0)
    expect(await h.db.$count(connections, eq(connections.userId, ada.row.id))).toBe(0)
    expect([await membersOf(calendar.id), await membersOf(other.id)]).toEqual([0, 0])
    expect(await toldOf(ada, bob)).toEqual([])
    expect((await bob.calendar(calendar.id)).status).toBe(404)
  }
  expect(outcomes).toEqual(new Set([200, 201, 404]))
}, 60_000)

test('a member who accepts or changes their view while the calendar is deleted gets 200 or 404', async () => {
  const outcomes = new Set<number>()
  for (let round = 0; round < ROUNDS; round++) {
    const { ada, bob, calendar, member } = await offered()
    const answers = await together(round, [
      () => bob.accept(member.id),
      () => ada.deleteCalendar(calendar.id),
      () => bob.changeCalendar(calendar.id, { color: '#000000' }),
    ])
    expect(answers[1]?.status).toBe(204)
    for (const index of [0, 2]) expect([200, 404]).toContain(answers[index]?.status ?? 0)
    outcomes.add(answers[0]?.status ?? 0)
    expect([await membersOf(calendar.id), await toldOf(bob)]).toEqual([0, []])
  }
  expect(outcomes).toEqual(new Set([200, 404]))
}, 60_000)

test('a change by a writer whose permission is being lowered comes before that or is refused', async () => {
  const outcomes = new Set<number>()
  for (let round = 0; round < ROUNDS; round++) {
    const { ada, bob, calendar, member } = await sharedWith(h, 'write')
    const { id } = await ada.create({ ...SINGLE, calendar_id: calendar.id })
    const [created, , changed] = await together(round, [
      () => bob.attempt({ ...SINGLE, calendar_id: calendar.id }),
      async () => {
        const lowered = await ada.permit(calendar.id, member.id, 'read')
        // From here on nothing may change.
        const version = (await ada.read(id)).body.version
        const count = await h.db.$count(events, eq(events.calendarId, calendar.id))
        return { ...lowered, body: { version, count } }
      },
      () => bob.change(id, { title: 'Band' }),
    ]).then(async (answers) => {
      const after = answers[1]?.body
      expect((await ada.read(id)).body.version).toBe(after.version)
      expect(await h.db.$count(events, eq(events.calendarId, calendar.id))).toBe(after.count)
      return answers
    })
    expect([201, 403]).toContain(created?.status ?? 0)
    expect([200, 403]).toContain(changed?.status ?? 0)
    outcomes.add(created?.status ?? 0).add(changed?.status ?? 0)
  }
  expect(outcomes).toEqual(new Set([200, 201, 403]))
}, 60_000)

test('an event that moves to another owner while guests answer, are invited or leave has only guests whom its owner knows', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { ada, bob, calendar } = await sharedWith(h, 'write')
    const [guest, friend] = [await sharer(h), await sharer(h)]
    await befriend(h, ada, [guest, friend])
    await befriend(h, bob, [friend])
    const { id } = await ada.create({ ...SINGLE, calendar_id: calendar.id })
    const invited = await ada.invite(id, guest)
    const invitation = invited.body.invitations[0].id
    const own = await lent(bob, ada)
    const answers = await together(round, [
      () => ada.change(id, { calendar_id: own.id }),
      () => guest.respond(invitation, 'Going'),
      () => ada.invite(id, friend),
      () => ada.change(id, { start_at: '2026-03-10T11:00' }),
    ])
    expect(answers[0]).toMatchObject({ status: 200, body: { access: 'write' } })
    for (const { status } of answers) expect([200, 201, 403, 404]).toContain(status)
    const left = await h.db.select().from(eventInvitations).where(eq(eventInvitations.eventId, id))
    expect(left.map(({ userId }) => userId)).toEqual(answers[2]?.status === 201 ? [friend.row.id] : [])
    expect(await ada.heard()).toEqual([])
  }
}, 60_000)

test('two users who move events into each other’s calendars at once both succeed', async () => {
  const { ada, bob, calendar } = await sharedWith(h, 'write')
  const other = await bob.createCalendar('Other')
  await bob.share(other.id, ada, 'write')
  await ada.acceptAll()
  for (let round = 0; round < ROUNDS; round++) {
    const [one, two] = [
      await ada.create({ ...SINGLE, calendar_id: calendar.id }),
      await bob.create({ ...SINGLE, calendar_id: other.id }),
    ]
    const answers = await together(round, [
      () => ada.change(one.id, { calendar_id: other.id }),
      () => bob.change(two.id, { calendar_id: calendar.id }),
    ])
    expect(sorted(answers)).toEqual([200, 200])
    await bob.remove(one.id)
    await ada.remove(two.id)
  }
}, 60_000)

test('one of two moves of the same event to different owners at once takes place, and its new owner keeps it', async () => {
  const { ada, bob, calendar } = await sharedWith(h, 'write')
  const cyd = await sharer(h)
  await befriend(h, ada, [cyd])
  const [bobs, cyds] = [await lent(bob, ada), await lent(cyd, ada)]
  for (let round = 0; round < ROUNDS; round++) {
    const { id } = await ada.create({ ...SINGLE, calendar_id: calendar.id })
    const answers = await together(round, [
      () => ada.change(id, { calendar_id: bobs.id }),
      () => ada.change(id, { calendar_id: cyds.id }),
    ])
    expect(sorted(answers)).toEqual([200, 403])
    const [event] = await h.db.select().from(events).where(eq(events.id, id))
    expect(event?.calendarId).toBe(answers[0]?.status === 200 ? bobs.id : cyds.id)
  }
}, 60_000)

test.each(['owner', 'member'] as const)(
  'nothing of a shared calendar is left when the account of the %s is deleted while the other goes on',
  async (who) => {
    for (let round = 0; round < ROUNDS; round++) {
      const { ada, bob, calendar, member } = await offered()
      const other = await bob.createCalendar('Other')
      const leaver = who === 'owner' ? ada : bob
      const answers = await together(round, [
        () => bob.accept(member.id),
        () => leaver.deleteAccount(),
        () => bob.share(other.id, ada),
        () => ada.permit(calendar.id, member.id, 'read'),
        () => bob.attempt({ ...SINGLE, calendar_id: calendar.id }),
      ])
      expect(answers[1]?.status).toBe(204)
      for (const { status } of answers) expect([200, 201, 204, 401, 403, 404]).toContain(status)
      expect(
        await h.db.$count(calendarMembers, inArray(calendarMembers.calendarId, [calendar.id, other.id])),
      ).toBe(0)
      if (who === 'owner') expect(await toldOf(bob)).toEqual([])
      else expect(await toldOf(ada)).toEqual([])
    }
  },
  60_000,
)

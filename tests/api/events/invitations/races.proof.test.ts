import { describe, expect, test } from 'bun:test'
import { and, eq, inArray } from 'drizzle-orm'
import {
  connections,
  eventInvitations,
  notifications,
  occurrenceResponses,
  sentInvitations,
} from '../../../../src/db/schema'
import { connect, ROUNDS, sorted } from '../../../support/connecting'
import { at } from '../../../support/events'
import { type Answered, befriend, friends, invitedTo, type Person, person } from '../../../support/inviting'
import { raceInTurn } from '../../../support/racing'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const SINGLE = { title: 'Choir', start_at: '2026-03-10T09:00', end_at: '2026-03-10T10:00' }
const DAILY = { ...SINGLE, recurrence_rule: 'FREQ=DAILY;COUNT=4' }
const FOLLOWING = at('2026-03-12T09:00', 'following')

const together = (round: number, attempts: ReadonlyArray<() => Promise<Answered>>) =>
  raceInTurn({ h, round, allowed503: 0 }, attempts)

const expectNoTrouble = (answers: readonly Answered[]) => {
  for (const { status } of answers) expect([200, 201, 204, 403, 404, 409, 412]).toContain(status)
}

const invitationsOf = (eventId: number) =>
  h.db.select().from(eventInvitations).where(eq(eventInvitations.eventId, eventId))

const toldOf = (people: readonly Person[], type: 'event_invite' | 'event_response') =>
  h.db
    .select()
    .from(notifications)
    .where(
      and(
        inArray(
          notifications.userId,
          people.map(({ row }) => row.id),
        ),
        eq(notifications.type, type),
      ),
    )

test('requests at once for more than 20 invitations make exactly those that fit', async () => {
  const ada = await person(h)
  const guests = await Promise.all(Array.from({ length: 30 }, () => person(h)))
  await befriend(h, ada, guests)
  for (let round = 0; round < ROUNDS; round++) {
    const { id } = await ada.create(SINGLE)
    await h.db.delete(notifications)
    // More rounds are more invitations than a day takes.
    await h.db.delete(sentInvitations)
    const answers = await together(
      round,
      guests.slice(0, 22).map((guest) => () => ada.invite(id, guest)),
    )
    expect(sorted(answers)).toEqual([...Array(20).fill(201), 409, 409])
    expect((await invitationsOf(id)).length).toBe(20)
    expect((await toldOf(guests, 'event_invite')).length).toBe(20)
    const other = await ada.create(SINGLE)
    const threes = Array.from({ length: 10 }, (_, index) => guests.slice(index * 3, index * 3 + 3))
    const more = await together(
      round,
      threes.map((three) => () => ada.invite(other.id, ...three)),
    )
    expect(sorted(more)).toEqual([...Array(6).fill(201), ...Array(4).fill(409)])
    expect((await invitationsOf(other.id)).length).toBe(18)
  }
}, 120_000)

test('a user who is invited by several requests at once is invited and told once', async () => {
  const { ada, bob } = await friends(h)
  const cyd = await person(h)
  await connect(ada, cyd)
  for (let round = 0; round < ROUNDS; round++) {
    const { id } = await ada.create(SINGLE)
    await h.db.delete(notifications)
    const answers = await together(round, [
      () => ada.invite(id, bob, cyd),
      () => ada.invite(id, cyd, bob),
      () => ada.invite(id, bob),
      () => ada.invite(id, cyd),
    ])
    expect(sorted(answers)).toEqual([201, 201, 201, 201])
    const ids = answers.flatMap(({ body }) => body.invitations.map((one: { id: number }) => one.id))
    expect(new Set(ids).size).toBe(2)
    expect((await toldOf([bob, cyd], 'event_invite')).length).toBe(2)
  }
})

test('two users who invite each other at once both succeed', async () => {
  const { ada, bob } = await friends(h)
  for (let round = 0; round < ROUNDS; round++) {
    const [adas, bobs] = [await ada.create(SINGLE), await bob.create(SINGLE)]
    const answers = await together(round, [() => ada.invite(adas.id, bob), () => bob.invite(bobs.id, ada)])
    expect(sorted(answers)).toEqual([201, 201])
  }
})

describe('no invitation and no notification is left', () => {
  test('when one user ends the connection while the other invites', async () => {
    const outcomes = new Set<number>()
    for (let round = 0; round < ROUNDS; round++) {
      const { ada, bob, connection } = await friends(h)
      const [adas, bobs] = [await ada.create(SINGLE), await bob.create(SINGLE)]
      const answers = await together(round, [
        () => ada.invite(adas.id, bob),
        () => bob.disconnect(connection.theirs),
        () => bob.invite(bobs.id, ada),
      ])
      expect(answers[1]?.status).toBe(204)
      expect(await h.db.$count(connections, eq(connections.userId, ada.row.id))).toBe(0)
      expect([await invitationsOf(adas.id), await invitationsOf(bobs.id)]).toEqual([[], []])
      expect(await toldOf([ada, bob], 'event_invite')).toEqual([])
      for (const index of [0, 2]) {
        const { status = 0, body } = answers[index] ?? {}
        if (status === 404) expect(body).toEqual({ detail: 'Connection not found' })
        outcomes.add(status)
      }
    }
    expect(outcomes).toEqual(new Set([201, 404]))
  })

  test('when one user answers while the other ends the connection or takes the invitation back', async () => {
    const outcomes = new Set<number>()
    for (let round = 0; round < ROUNDS; round++) {
      const { ada, bob, connection, event, invitation } = await invitedTo(h, DAILY)
      const answers = await together(round, [
        () => bob.respond(invitation.id, 'Going'),
        () => (round % 2 ? ada.disconnect(connection.own) : ada.uninvite(event.id, invitation.id)),
        () => bob.respond(invitation.id, 'Declined', '2026-03-11T09:00'),
      ])
      expectNoTrouble(answers)
      expect(answers[1]?.status).toBe(204)
      outcomes.add(answers[0]?.status ?? 0).add(answers[2]?.status ?? 0)
      expect(await invitationsOf(event.id)).toEqual([])
      expect(await toldOf([ada, bob], 'event_response')).toEqual([])
      expect(await toldOf([ada, bob], 'event_invite')).toEqual([])
    }
    expect(outcomes).toEqual(new Set([200, 404]))
  })

  test.each(['organiser', 'invitee'] as const)(
    'when the account of the %s is deleted meanwhile',
    async (who) => {
      for (let round = 0; round < ROUNDS; round++) {
        const { ada, bob, event, invitation } = await invitedTo(h, DAILY)
        const cyd = await person(h)
        await befriend(h, ada, [cyd])
        const leaver = who === 'organiser' ? ada : bob
        const answers = await together(round, [
          () => bob.respond(invitation.id, 'Going'),
          () => ada.invite(event.id, bob, cyd),
          () => leaver.deleteAccount(),
          () => ada.change(event.id, { start_at: '2026-03-10T11:00' }),
          () => ada.change(event.id, { title: 'Rest' }, FOLLOWING),
          () => bob.uninvite(event.id, invitation.id),
        ])
        expect(answers[2]?.status).toBe(204)
        for (const { status } of answers) expect([200, 201, 204, 401, 403, 404]).toContain(status)
        expect(await h.db.$count(eventInvitations, eq(eventInvitations.userId, bob.row.id))).toBe(0)
        expect(await toldOf([ada, bob], 'event_response')).toEqual([])
        expect(await toldOf([bob], 'event_invite')).toEqual([])
      }
    },
    60_000,
  )
})

test('an answer while the event is deleted gets 200 or 404, and none is told after its end', async () => {
  const outcomes = new Set<number>()
  for (let round = 0; round < ROUNDS; round++) {
    const { ada, bob, event, invitation } = await invitedTo(h, DAILY)
    const answers = await together(round, [
      () => bob.respond(invitation.id, 'Going'),
      () => ada.remove(event.id),
      () => bob.display(invitation.id, null),
      () => ada.invite(event.id, bob),
    ])
    expectNoTrouble(answers)
    expect(answers[1]?.status).toBe(204)
    outcomes.add(answers[0]?.status ?? 0)
    expect(await invitationsOf(event.id)).toEqual([])
    const told = (await toldOf([ada], 'event_response')).length
    expect(told).toBe(answers[0]?.status === 200 ? 1 : 0)
    expect((await bob.heard()).filter((one) => one.startsWith('event_cancelled')).length).toBe(1)
  }
  expect(outcomes).toEqual(new Set([200, 404]))
})

test('the same answer in several requests at once is stored and told once', async () => {
  const { ada, bob, event, invitation } = await invitedTo(h, DAILY)
  for (let round = 0; round < ROUNDS; round++) {
    await h.db.delete(notifications)
    const response = round % 2 ? 'Going' : 'Declined'
    const start = round % 4 < 2 ? undefined : '2026-03-11T09:00'
    const answers = await together(
      round,
      Array.from({ length: 4 }, () => () => bob.respond(invitation.id, response, start)),
    )
    expect(sorted(answers)).toEqual([200, 200, 200, 200])
    expect((await toldOf([ada], 'event_response')).length).toBe(1)
  }
  expect((await invitationsOf(event.id)).length).toBe(1)
  expect(await h.db.$count(occurrenceResponses, eq(occurrenceResponses.invitationId, invitation.id))).toBe(1)
})

test('the same change or deletion in several requests at once is told once', async () => {
  const four = <T>(attempt: () => T) => Array.from({ length: 4 }, () => attempt)
  for (let round = 0; round < ROUNDS; round++) {
    const { ada, bob, event } = await invitedTo(h, DAILY)
    const count = async (type: string) => (await bob.heard()).filter((one) => one.startsWith(type)).length
    const moves = await together(
      round,
      four(() => ada.change(event.id, { start_at: '2026-03-10T11:00' })),
    )
    expect(sorted(moves)).toEqual([200, 200, 200, 200])
    expect(await count('event_changed')).toBe(1)
    const occurrence = at('2026-03-11T11:00')
    const exceptions = await together(
      round,
      four(() => ada.remove(event.id, occurrence)),
    )
    expect(sorted(exceptions)).toEqual([204, 404, 404, 404])
    expect(await count('event_cancelled')).toBe(1)
    await bob.catchUp()
    const ends = await together(
      round,
      four(() => ada.remove(event.id)),
    )
    expect(sorted(ends)).toEqual([204, 404, 404, 404])
    expect([await count('event_changed'), await count('event_cancelled')]).toEqual([1, 2])
  }
}, 60_000)

test('a calendar that is deleted while an invitee puts an event into it leaves the invitation without one', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { bob, invitation } = await invitedTo(h, SINGLE)
    const music = await bob.createCalendar('Music')
    const answers = await together(round, [
      () => bob.display(invitation.id, music.id),
      () => bob.deleteCalendar(music.id),
    ])
    expectNoTrouble(answers)
    expect(answers[1]?.status).toBe(204)
    expect((await bob.invitations()).body.invitations).toEqual([invitation])
  }
})

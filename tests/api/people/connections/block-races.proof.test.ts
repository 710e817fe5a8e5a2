import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import {
  blocks,
  connectionRequests,
  connections,
  eventInvitations,
  calendarMembers,
  notifications,
  people,
} from '../../../../src/db/schema'
import { block, connect, send, settle } from '../../../support/connecting'
import { befriend } from '../../../support/inviting'
import { raceInTurn, raceOf } from '../../../support/racing'
import { type Sharer, sharer } from '../../../support/sharing'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const ROUNDS = 40
const TIMES = { start_at: '2026-03-10T09:00', end_at: '2026-03-10T10:00' }

type Attempt = () => Promise<{ status: number }>

/** Runs one round: what is made ready for it, and what is then tried while one blocks the other. */
async function contest(round: number, prepare: (ada: Sharer, bob: Sharer) => Promise<readonly Attempt[]>) {
  for (const table of [connectionRequests, connections, notifications, people, blocks])
    await h.db.delete(table)
  for (const table of [eventInvitations, calendarMembers]) await h.db.delete(table)
  const [ada, bob] = [await sharer(h), await sharer(h)]
  const attempts = await prepare(ada, bob)
  const [blocked, ...others] = await raceInTurn({ h, round, allowed503: 0 }, [
    () => block(ada, bob),
    ...attempts,
  ])
  expect(blocked?.status).toBe(201)
  return others.map(({ status }) => status)
}

/** Nothing is left between the two but the block. */
async function expectNothing() {
  expect(await h.db.$count(blocks)).toBe(1)
  // The owner is told of a calendar that was offered, without the name of the other.
  await h.db.delete(notifications).where(eq(notifications.type, 'security'))
  for (const table of [connections, connectionRequests, eventInvitations, calendarMembers, notifications]) {
    expect(await h.db.$count(table)).toBe(0)
  }
  for (const person of await h.db.select().from(people)) expect(person.linkedUserId).toBeNull()
}

describe('between two of whom one blocks the other nothing is left, whatever meets the block:', () => {
  const CASES: Readonly<Record<string, (ada: Sharer, bob: Sharer) => Promise<readonly Attempt[]>>> = {
    'requests of both': async (ada, bob) => [() => send(ada, bob), () => send(bob, ada)],
    'a request that is accepted': async (ada, bob) => {
      const { id } = (await send(ada, bob)).body
      return [() => settle(bob, 'accept', id), () => settle(ada, 'cancel', id)]
    },
    'a request that the one who blocks accepts': async (ada, bob) => {
      const { id } = (await send(bob, ada)).body
      return [() => settle(ada, 'accept', id)]
    },
    'invitations and answers to them': async (ada, bob) => {
      await befriend(h, ada, [bob])
      const [own, theirs, known] = [await ada.create(TIMES), await bob.create(TIMES), await bob.create(TIMES)]
      const { id } = (await bob.invite(known.id, ada)).body.invitations[0]
      return [() => ada.invite(own.id, bob), () => bob.invite(theirs.id, ada), () => ada.respond(id, 'Going')]
    },
    'calendars that are shared and accepted': async (ada, bob) => {
      await befriend(h, ada, [bob])
      const [own, theirs] = [await ada.createCalendar('Own'), await bob.createCalendar('Theirs')]
      const { id } = (await bob.share(theirs.id, ada)).body
      return [() => ada.share(own.id, bob, 'write'), () => ada.accept(id)]
    },
    'the end of their connection, and a link to it': async (ada, bob) => {
      const { own, theirs } = await connect(ada, bob)
      const { people: known } = (await bob.request('GET', '/api/people')).body
      return [
        () => ada.request('DELETE', `/api/connections/${own}`),
        () => bob.request('PUT', `/api/people/${known[0].id}/link`, { body: { connection_id: theirs } }),
      ]
    },
  }

  test.each(Object.entries(CASES))(
    '%s',
    async (_name, prepare) => {
      const seen = new Set<string>()
      for (let round = 0; round < ROUNDS; round++) {
        const statuses = await contest(round, prepare)
        for (const status of statuses) expect([200, 201, 204, 404, 409]).toContain(status)
        seen.add(statuses.join())
        await expectNothing()
      }
      // Each came first at times.
      expect(seen.size).toBeGreaterThan(1)
    },
    120_000,
  )
})

test('two who block each other at once end with one block or two, and twenty blocks of one are one', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const [ada, bob] = [await sharer(h), await sharer(h)]
    await connect(ada, bob)
    await h.db.delete(blocks)
    const answers = await raceOf(2, (i) => (i === 0 ? block(ada, bob) : block(bob, ada)))
    const made = answers.filter(({ status }) => status === 201)
    expect(made.length).toBeGreaterThan(0)
    expect(answers.every(({ status }) => status === 201 || status === 404)).toBe(true)
    expect(await h.db.$count(blocks)).toBe(made.length)
  }
  const [ada, bob] = [await sharer(h), await sharer(h)]
  await h.db.delete(blocks)
  const answers = await raceOf(20, () => block(ada, bob))
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1)
  expect(await h.db.$count(blocks)).toBe(1)
}, 120_000)

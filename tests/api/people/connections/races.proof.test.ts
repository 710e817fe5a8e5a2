import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { auditLog, connectionRequests, connections, notifications, people } from '../../../../src/db/schema'
import { actionsOf } from '../../../support/accounts'
import { connect, ROUNDS, send, settle, sociable } from '../../../support/connecting'
import { type Actor, PASSWORD } from '../../../support/harness'
import { race, raceOf, statusesOf } from '../../../support/racing'
import { useHarness } from '../../../support/use-harness'

const h = useHarness({ per: 'test' })

/** Two sociable users and nothing else in the tables. */
async function pair(): Promise<[Actor, Actor]> {
  for (const table of [connectionRequests, connections, notifications, people]) await h.db.delete(table)
  return [await sociable(h), await sociable(h)]
}

const notificationTypes = async () =>
  (await h.db.select().from(notifications)).map(({ type }) => type).toSorted()
const statuses = async () => (await h.db.select().from(connectionRequests)).map(({ status }) => status)

test('of 60 who ask the same user at once exactly 50 succeed', async () => {
  const senders = await Promise.all(Array.from({ length: 60 }, () => h.signedIn()))
  for (let round = 0; round < ROUNDS; round++) {
    const receiver = await sociable(h)
    const answers = await race(
      senders.map((sender) => () => send(sender, receiver)),
      0,
    )
    expect(statusesOf(answers)).toEqual([...Array(50).fill(201), ...Array(10).fill(409)])
    const refusals = answers.filter(({ status }) => status === 409).map(({ body }) => body.detail)
    expect(new Set(refusals)).toEqual(new Set(['This user cannot receive more requests']))
    expect(await h.db.$count(connectionRequests)).toBe(50)
    expect(await h.db.$count(notifications, eq(notifications.userId, receiver.row.id))).toBe(50)
    await h.db.delete(connectionRequests)
  }
}, 60_000)

test('of 25 requests that one user sends at once exactly 20 succeed', async () => {
  const receivers = await Promise.all(Array.from({ length: 25 }, () => sociable(h)))
  for (let round = 0; round < ROUNDS; round++) {
    const sender = await h.signedIn()
    const answers = await race(
      receivers.map((receiver) => () => send(sender, receiver)),
      0,
    )
    expect(statusesOf(answers)).toEqual([...Array(20).fill(201), ...Array(5).fill(409)])
    expect(await h.db.$count(connectionRequests, eq(connectionRequests.senderId, sender.row.id))).toBe(20)
  }
}, 60_000)

test('two who ask each other at once end with one request', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const [ada, bob] = await pair()
    const answers = await raceOf(4, (i) => (i % 2 === 0 ? send(ada, bob) : send(bob, ada)))
    expect(statusesOf(answers)).toEqual([201, 409, 409, 409])
    expect(await statuses()).toEqual(['pending'])
    expect(await notificationTypes()).toEqual(['connection_request'])
  }
})

describe('of two who settle a request at once one wins, and the other hears that it is over:', () => {
  const SETTLED = { detail: 'This request is no longer pending' }

  /** Answers which of the two won. */
  async function contest(first: 'accept' | 'reject', second: 'accept' | 'reject' | 'cancel') {
    const [ada, bob] = await pair()
    const { id } = (await send(ada, bob)).body
    const attempts = [() => settle(bob, first, id), () => settle(second === 'cancel' ? ada : bob, second, id)]
    // Neither is always the one that comes first.
    if (id % 2) attempts.reverse()
    const answers = await race(attempts, 0)
    expect(statusesOf(answers)).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)?.body).toEqual(SETTLED)
    return (await statuses()).join()
  }

  const LEFT = {
    accepted: { tables: [2, 2], told: ['connection_accepted', 'connection_request'] },
    rejected: { tables: [0, 0], told: ['connection_request'] },
    cancelled: { tables: [0, 0], told: [] as string[] },
  }

  const expectWhole = async (status: string) => {
    const { tables, told } = LEFT[status as keyof typeof LEFT]
    expect([await h.db.$count(connections), await h.db.$count(people)]).toEqual(tables)
    expect<string[]>(await notificationTypes()).toEqual(told)
  }

  test('accept against cancel', async () => {
    const seen = new Set<string>()
    for (let round = 0; round < ROUNDS; round++) {
      const status = await contest('accept', 'cancel')
      await expectWhole(status)
      seen.add(status)
    }
    expect([...seen].toSorted()).toEqual(['accepted', 'cancelled'])
    expect(await h.db.$count(auditLog)).toBeLessThan(ROUNDS)
  })

  test('accept against accept', async () => {
    for (let round = 0; round < ROUNDS; round++) await expectWhole(await contest('accept', 'accept'))
  })

  test('accept against reject', async () => {
    const seen = new Set<string>()
    for (let round = 0; round < ROUNDS; round++) {
      const status = await contest('accept', 'reject')
      await expectWhole(status)
      seen.add(status)
    }
    expect([...seen].toSorted()).toEqual(['accepted', 'rejected'])
  })
})

test('of three cancellations of a request at once one is done, audited and silent', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const [ada, bob] = await pair()
    const { id } = (await send(ada, bob)).body
    expect(await notificationTypes()).toEqual(['connection_request'])
    const answers = await raceOf(3, () => settle(ada, 'cancel', id))
    expect(statusesOf(answers)).toEqual([200, 409, 409])
    expect([await statuses(), await notificationTypes()]).toEqual([['cancelled'], []])
    expect(await actionsOf(h, ada.row.id)).toEqual(['connection.request_cancelled'])
    expect(await actionsOf(h, bob.row.id)).toEqual([])
  }
})

test('who disconnects, asks, accepts and changes sharing at once leaves both sides alike', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const [ada, bob] = await pair()
    const { own, theirs } = await connect(ada, bob)
    const removals = [
      ada.request('DELETE', `/api/connections/${own}`),
      bob.request('DELETE', `/api/connections/${theirs}`),
    ]
    const answers = await Promise.all([
      ...removals,
      ada.request('PUT', `/api/connections/${own}/sharing`, { body: { share_email: true } }),
      send(ada, bob),
      send(bob, ada),
    ])
    for (const { status } of answers) expect([200, 201, 204, 404, 409]).toContain(status)
    expect(statusesOf(answers.slice(0, 2))).toEqual([204, 404])
    expect(await h.db.$count(connections)).toBe(0)
    for (const person of await h.db.select().from(people)) expect(person.linkedUserId).toBeNull()
  }
})

test('an account that is deleted while its request is settled leaves nothing behind', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const [ada, bob] = await pair()
    const { id } = (await send(ada, bob)).body
    const [accepted, removed, again] = await Promise.all([
      settle(bob, 'accept', id),
      ada.request('DELETE', '/api/auth/account', { body: { password: PASSWORD } }),
      send(bob, ada),
    ])
    expect(removed.status).toBe(204)
    expect([200, 404]).toContain(accepted.status)
    expect([404, 409]).toContain(again.status)
    for (const table of [connectionRequests, connections, notifications])
      expect(await h.db.$count(table)).toBe(0)
    for (const person of await h.db.select().from(people)) expect(person.linkedUserId).toBeNull()
  }
})

import { expect, test } from 'bun:test'
import type { PushServer } from '../../src/lib/ports/push'
import { dispatchPushes } from '../../src/jobs/push-dispatch'
import type { Actor } from '../support/harness'
import { passWhileHanging } from '../support/ntfy'
import { remind, usePushing } from '../support/use-pushing'

const { h } = usePushing()

async function listeners(count: number): Promise<Actor[]> {
  const actors: Actor[] = []
  while (actors.length < count) actors.push(await h.listener())
  return actors
}

/** Each of them has so many messages due now, the oldest first by their titles. */
async function remindAll(actors: readonly Actor[], messages: number) {
  for (const actor of actors) {
    for (let n = 0; n < messages; n++) {
      const remindAt = new Date(+h.clock.now() + (n - messages) * 1000).toISOString()
      await remind(actor, `message ${n}`, remindAt)
    }
  }
}

/** How many messages arrived for them. */
const arrivedFor = (actors: readonly Actor[]) => {
  const topics = new Set(topicsOf(actors))
  return h.ntfy.taken().filter(({ topic }) => topics.has(topic)).length
}

const topicsOf = (actors: readonly Actor[]) => actors.map(({ row }) => row.username).toSorted()

test('while six topics of a server hang, all messages of its other topics are sent in order', async () => {
  const [hanging, others] = [await listeners(6), await listeners(2)]
  await remindAll([...hanging, ...others], 3)
  const { tried, told } = await passWhileHanging(h, hanging, 6)
  for (const other of others) expect(told(other)).toEqual(['message 0', 'message 1', 'message 2'])
  expect(tried).toEqual(topicsOf(hanging))
})

test('all messages of topics that have not failed come before those of topics of the same server that have, however many have', async () => {
  const [hanging, others] = [await listeners(20), await listeners(2)]
  await remindAll(hanging, 2)
  expect((await passWhileHanging(h, hanging, 0)).tried).toEqual(topicsOf(hanging))
  await remindAll(others, 2)
  h.clock.advance({ minutes: 1 })
  const { told } = await passWhileHanging(h, hanging, 4)
  for (const other of others) expect(told(other)).toEqual(['message 0', 'message 1'])
})

test('two messages of a user are never under way at once', async () => {
  const users = await listeners(3)
  await remindAll(users, 4)
  const underWay = new Set<string>()
  const overlaps: string[] = []
  const send: PushServer['send'] = async (target, message) => {
    if (underWay.has(target.topic)) overlaps.push(target.topic)
    underWay.add(target.topic)
    const outcome = await h.deps.pushServer.send(target, message)
    underWay.delete(target.topic)
    return outcome
  }
  await dispatchPushes({ ...h.deps, pushServer: { send } }, () => false)
  expect(overlaps).toEqual([])
  expect(arrivedFor(users)).toBe(12)
})

test('no more than eight messages are under way to one server, however many of its users are due', async () => {
  const users = await listeners(30)
  await remindAll(users, 1)
  let [underWay, most] = [0, 0]
  const send: PushServer['send'] = async (target, message) => {
    most = Math.max(most, ++underWay)
    const outcome = await h.deps.pushServer.send(target, message)
    underWay--
    return outcome
  }
  await dispatchPushes({ ...h.deps, pushServer: { send } }, () => false)
  expect([most, arrivedFor(users)]).toEqual([8, 30])
})

import type { Deps } from '../deps'
import {
  claimDeliveries,
  type Claimed,
  deliver,
  giveBack,
  judgeDeliveries,
  listWaiting,
  type Planned,
  planDeliveries,
  putOffNext,
  type Verdict,
  type Waiting,
} from '../features/notifications/push-deliveries/service'
import { databaseFailure, isDatabaseTrouble } from '../lib/database-failure'
import { addSeconds } from '../lib/time/time'

/** A pass ends before the next begins: what is sent last takes 5 s. */
const PASS_MS = 45_000
const USERS_PER_PLAN = 500
/** Messages under way at once. */
const WIDTH = 64
/** Of these, to one server. A killed instance sends again what it had sent but not recorded. */
const WIDTH_PER_SERVER = 8
/** Nothing is begun that the lease may not see the end of: an attempt takes 5 s. */
const LEASE_MARGIN_SECONDS = 10

/**
 * Sends what is due to everybody (contract: push.delivery): plans, then claims, sends and records until nothing is left. It ends early
 * where `isStopping`, with every message that was not tried given back.
 */
export async function dispatchPushes(deps: Deps, isStopping: () => boolean): Promise<void> {
  const startedAt = deps.clock.monotonic()
  const isOver = () => isStopping() || deps.clock.monotonic() - startedAt >= PASS_MS
  await planAll(deps, isOver)
  await sendAll(deps, isOver)
}

/** What was planned before is sent also where nothing can be planned. */
async function planAll(deps: Deps, isOver: () => boolean): Promise<void> {
  let users = USERS_PER_PLAN
  try {
    while (!isOver()) {
      const planned = await planSome(deps, users)
      if (planned === 'busy' || planned === 'done') return
      if (planned === 'failed') users = 1
    }
  } catch (error) {
    deps.log.error('Cannot plan push messages', failureOf(error))
  }
}

/** Where it fails for many, the pass goes on one by one; the one for whom it fails is put off, and hinders nobody. */
async function planSome(deps: Deps, users: number): Promise<Planned | 'failed'> {
  try {
    return await planDeliveries(deps, users)
  } catch (error) {
    if (users > 1) return 'failed'
    const userId = await putOffNext(deps)
    deps.log.error('Cannot plan the push messages of a user', { userId, ...failureOf(error) })
    return 'more'
  }
}

const failureOf = (error: unknown) => ({
  code: databaseFailure(error)?.code,
  error: error instanceof Error ? error.name : 'unknown',
})

/** Together, or one by one where that fails, as one of them may be to blame; that one has no verdict, and stays leased. */
async function judgeAll(deps: Deps, batch: readonly Claimed[]): Promise<ReadonlyMap<number, Verdict>> {
  try {
    return await judgeDeliveries(deps, batch)
  } catch (error) {
    if (isDatabaseTrouble(error)) throw error
    const [first, ...others] = batch
    if (!first || others.length === 0) {
      deps.log.error('Cannot judge a push message', {
        id: first?.id,
        userId: first?.userId,
        ...failureOf(error),
      })
      return new Map()
    }
    const verdicts: Array<[number, Verdict]> = []
    for (const one of batch) verdicts.push(...(await judgeAll(deps, [one])))
    return new Map(verdicts)
  }
}

/**
 * The users take turns. Each has one topic, and one message under way: it is claimed when its server has a place for it, and recorded
 * before the next. So a topic that hangs takes one place and holds back nothing but itself; one that fails waits for the next pass.
 */
async function sendAll(deps: Deps, isOver: () => boolean): Promise<void> {
  const queue = new Set(await listWaiting(deps))
  const sending = new Map<Waiting, Promise<void>>()

  async function send(user: Waiting, one: Claimed, verdict: Verdict | undefined): Promise<void> {
    try {
      const hasFailed = await attempt(deps, { one, verdict, isOver })
      if (!hasFailed && user.messages > 1) queue.add({ ...user, messages: user.messages - 1 })
    } catch (error) {
      // It stays leased, and is due again when that ends.
      deps.log.error('Cannot send a push message', { id: one.id, userId: one.userId, ...failureOf(error) })
    } finally {
      sending.delete(user)
    }
  }

  try {
    while (!isOver()) {
      const next = nextOf(queue, [...sending.keys()])
      if (next.size > 0) {
        const claimed = await claimDeliveries(deps, [...next.keys()])
        const verdicts = await judgeAll(deps, claimed)
        for (const one of claimed) {
          const user = next.get(one.userId)
          if (user) sending.set(user, send(user, one, verdicts.get(one.id)))
        }
      } else if (sending.size > 0) {
        await Promise.race(sending.values())
      } else return
    }
  } catch (error) {
    if (!isDatabaseTrouble(error)) throw error
    // Messages that were claimed are due again when their leases end, and the next pass goes on with the others.
    deps.log.warn('A push pass stops, as the database does not answer in time', failureOf(error))
  } finally {
    await Promise.all(sending.values())
  }
}

/** Takes those off the queue for whom there is a place, beside those that are under way. */
function nextOf(queue: Set<Waiting>, sending: readonly Waiting[]): ReadonlyMap<number, Waiting> {
  const taken = new Map<string, number>()
  const takePlace = ({ serverUrl }: Waiting) => void taken.set(serverUrl, (taken.get(serverUrl) ?? 0) + 1)
  sending.forEach(takePlace)
  const next = new Map<number, Waiting>()
  for (const user of queue) {
    if (sending.length + next.size === WIDTH) break
    if ((taken.get(user.serverUrl) ?? 0) === WIDTH_PER_SERVER) continue
    takePlace(user)
    queue.delete(user)
    next.set(user.userId, user)
  }
  return next
}

interface Attempt {
  readonly one: Claimed
  readonly verdict: Verdict | undefined
  readonly isOver: () => boolean
}

/** Answers whether it failed. A slow database may have taken the time of the lease: then, too, the message is given back. */
async function attempt(deps: Deps, { one, verdict, isOver }: Attempt): Promise<boolean> {
  if (isOver() || addSeconds(deps.clock.now(), LEASE_MARGIN_SECONDS) >= one.leasedUntil) {
    await giveBack(deps, one)
    return false
  }
  return verdict !== undefined && (await deliver(deps, one, verdict))
}

import type { Deps } from '../deps'
import {
  claimDeliveries,
  type Claimed,
  deliver,
  giveBack,
  judgeDeliveries,
  listWaiting,
  type Verdict,
  type Waiting,
} from '../features/notifications/push-deliveries/service'
import { type Planned, planDeliveries, putOff } from '../features/notifications/push-planning/service'
import { briefFailure, isDatabaseTrouble } from '../lib/database-failure'
import { addSeconds } from '../lib/time/time'

/** A pass must end before the next begins, and the last message may take 5 s. */
const PASS_MS = 45_000
const USERS_PER_PLAN = 500
/** The most messages sent at the same time. */
const WIDTH = 64
/** The most of these to one server. After a crash, messages that were sent but not recorded are sent again. */
const WIDTH_PER_SERVER = 8
/** No attempt starts this close to the end of its lease: an attempt takes up to 5 s. */
const LEASE_MARGIN_SECONDS = 10

/**
 * Sends all due messages (contract: push.delivery): it plans, then claims, sends and records until nothing is left. When
 * `isStopping`, it ends early and releases the claims of messages that were not tried.
 */
export async function dispatchPushes(deps: Deps, isStopping: () => boolean): Promise<void> {
  const startedAt = deps.clock.monotonic()
  const isOver = () => isStopping() || deps.clock.monotonic() - startedAt >= PASS_MS
  await planAll(deps, isOver)
  await sendAll(deps, isOver)
}

/** If planning fails, messages planned earlier are still sent. */
async function planAll(deps: Deps, isOver: () => boolean): Promise<void> {
  let users = USERS_PER_PLAN
  try {
    while (!isOver()) {
      const planned = await planSome(deps, users)
      if (planned === 'busy' || planned === 'done') return
      if (planned === 'failed') users = 1
    }
  } catch (error) {
    deps.log.error('Cannot plan push messages', briefFailure(error))
  }
}

/**
 * If planning fails for several users, the pass continues with one user at a time. A user whose planning fails is postponed, so
 * that the others are not held up.
 */
async function planSome(deps: Deps, users: number): Promise<Planned | 'failed'> {
  let inTurn: readonly number[] = []
  try {
    return await planDeliveries(deps, users, (userIds) => (inTurn = userIds))
  } catch (error) {
    if (users > 1) return 'failed'
    const [userId] = inTurn
    if (userId === undefined) throw error
    await putOff(deps, userId)
    deps.log.error('Cannot plan the push messages of a user', { userId, ...briefFailure(error) })
    return 'more'
  }
}

/**
 * Judges the batch together. If that fails, one message may be the cause, so each is judged alone. A message that fails alone
 * gets no verdict and stays leased.
 */
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
        ...briefFailure(error),
      })
      return new Map()
    }
    const verdicts: Array<[number, Verdict]> = []
    for (const one of batch) verdicts.push(...(await judgeAll(deps, [one])))
    return new Map(verdicts)
  }
}

/**
 * The users take turns. Each has one topic and at most one message being sent. A message is claimed when its server has a free
 * slot, and recorded before the user's next one. So a hanging topic occupies one slot and delays only itself, and a failing topic
 * waits for the next pass, in which all messages of the others come before it.
 */
async function sendAll(deps: Deps, isOver: () => boolean): Promise<void> {
  const queues = { others: new Set<Waiting>(), failed: new Set<Waiting>() }
  const enqueue = (user: Waiting) => (user.hasFailed ? queues.failed : queues.others).add(user)
  for (const user of await listWaiting(deps)) enqueue(user)
  const sending = new Map<Waiting, Promise<void>>()

  async function send(user: Waiting, one: Claimed, verdict: Verdict | undefined): Promise<void> {
    try {
      const hasFailed = await attempt(deps, { one, verdict, isOver })
      if (!hasFailed && user.messages > 1) enqueue({ ...user, messages: user.messages - 1 })
    } catch (error) {
      // The message stays leased, and is due again when the lease ends.
      deps.log.error('Cannot send a push message', { id: one.id, userId: one.userId, ...briefFailure(error) })
    } finally {
      sending.delete(user)
    }
  }

  try {
    while (!isOver()) {
      const next = nextOf([queues.others, queues.failed], [...sending.keys()])
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
    // Claimed messages are due again when their leases end; the next pass continues with the others.
    deps.log.warn('A push pass stops, as the database does not answer in time', briefFailure(error))
  } finally {
    await Promise.all(sending.values())
  }
}

/** Takes users off the queues, the first queue first, for the free slots that the messages being sent leave. */
function nextOf(
  queues: ReadonlyArray<Set<Waiting>>,
  sending: readonly Waiting[],
): ReadonlyMap<number, Waiting> {
  const taken = new Map<string, number>()
  const takePlace = ({ serverUrl }: Waiting) => void taken.set(serverUrl, (taken.get(serverUrl) ?? 0) + 1)
  sending.forEach(takePlace)
  const next = new Map<number, Waiting>()
  for (const queue of queues) {
    for (const user of queue) {
      if (sending.length + next.size === WIDTH) return next
      if ((taken.get(user.serverUrl) ?? 0) === WIDTH_PER_SERVER) continue
      takePlace(user)
      queue.delete(user)
      next.set(user.userId, user)
    }
  }
  return next
}

interface DeliveryAttempt {
  readonly one: Claimed
  readonly verdict: Verdict | undefined
  readonly isOver: () => boolean
}

/** Returns whether the attempt failed. The message is also given back when a slow database has used up its lease. */
async function attempt(deps: Deps, { one, verdict, isOver }: DeliveryAttempt): Promise<boolean> {
  if (isOver() || addSeconds(deps.clock.now(), LEASE_MARGIN_SECONDS) >= one.leasedUntil) {
    await giveBack(deps, one)
    return false
  }
  return verdict !== undefined && (await deliver(deps, one, verdict))
}

import type { Deps } from '../deps'
import {
  claimDeliveries,
  type Claimed,
  deliver,
  giveBack,
  judgeDeliveries,
  type Planned,
  planDeliveries,
  putOffNext,
  type Verdict,
} from '../features/push-deliveries/service'
import { coalesced } from '../lib/coalesced'
import { databaseFailure, isDatabaseTrouble } from '../lib/database-failure'
import { createGate } from '../lib/gate'
import { addSeconds } from '../lib/time'

/** A pass ends before the next begins. */
const PASS_MS = 50_000
const USERS_PER_PLAN = 500
/** How many times fewer are looked at where planning failed. */
const FEWER = 8
/** Few, as those of an instance that is killed wait for the end of their lease. */
const CLAIMED_AT_ONCE = 40
const CLAIMED_PER_USER = 5
/** How often the lock of claiming is asked for that another instance holds, for some milliseconds at a time. */
const CLAIM_ATTEMPTS = 40
const CLAIM_PAUSE_MS = 25
/** More are claimed once so many or fewer wait to be sent. */
const ROOM = 20
/** Servers that are sent to at once. */
const WIDTH = 64
/** Messages under way to one server: whoever kills the instance makes it send again what it has sent and not yet recorded. */
const WIDTH_PER_SERVER = 1
/** Messages to one server that are judged ahead, together, and for how long that holds. */
const JUDGED_AHEAD = 8
const JUDGED_FOR_MS = 1000
/** How long the failures of one user, and of one server, may take of a pass: what is claimed for others waits meanwhile. */
const USER_PATIENCE_MS = 10_000
const SERVER_PATIENCE_MS = 15_000
/** Nothing is begun that the lease may not see the end of: an attempt takes 5 s. */
const LEASE_MARGIN_SECONDS = 10

/**
 * Sends what is due to everybody (contract, section 17): plans, then claims, sends and records in turns until nothing is left. It ends
 * early where `isStopping`, with every message that was not tried given back.
 */
export async function dispatchPushes(deps: Deps, isStopping: () => boolean): Promise<void> {
  const startedAt = deps.clock.monotonic()
  const isOver = () => isStopping() || deps.clock.monotonic() - startedAt > PASS_MS
  await planAll(deps, isOver)
  const pass = openPass(deps, isOver)
  while (!isOver()) {
    const claimed = await claimNext(deps, pass.given())
    if (claimed.length === 0) break
    pass.start(claimed)
    await pass.room()
  }
  await pass.end()
}

/** What is next; nothing also where others go on claiming all the time, who then send it. */
async function claimNext(deps: Deps, except: readonly number[]): Promise<Claimed[]> {
  const wanted = { limit: CLAIMED_AT_ONCE, perUser: CLAIMED_PER_USER, except }
  for (let attempt = 1; attempt <= CLAIM_ATTEMPTS; attempt++) {
    const claimed = await claimDeliveries(deps, wanted)
    if (claimed) return claimed
    await deps.clock.sleep(CLAIM_PAUSE_MS)
  }
  return []
}

/** What was planned before is sent also where nothing can be planned. */
async function planAll(deps: Deps, isOver: () => boolean): Promise<void> {
  let users = USERS_PER_PLAN
  try {
    while (!isOver()) {
      const planned = await planSome(deps, users)
      if (planned === 'busy' || planned === 'done') return
      users = planned === 'failed' ? Math.ceil(users / FEWER) : USERS_PER_PLAN
    }
  } catch (error) {
    deps.log.error('Cannot plan push messages', failureOf(error))
  }
}

/** Those for whom it fails are looked for among fewer and fewer; the one that it comes down to is put off, and hinders nobody. */
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

/** How long failures have taken, by whom they came from. */
function createPatience<K>(limitMs: number) {
  const wasted = new Map<K, number>()
  const of = (key: K) => wasted.get(key) ?? 0
  return {
    lasts: (key: K) => of(key) < limitMs,
    lose: (key: K, ms: number) => void wasted.set(key, of(key) + ms),
  }
}

type Gate = ReturnType<typeof createGate>
interface Gates {
  readonly judging: Gate
  readonly sending: Gate
}

interface Judged {
  readonly verdict: Verdict | undefined
  /** By the monotonic clock. */
  readonly at: number
}

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

/** Sends one message when its server and everybody else leave room; answers whether it was tried. */
function createSender(deps: Deps, isOver: () => boolean) {
  const judge = coalesced((batch: readonly Claimed[]) => judgeAll(deps, batch))
  const everybody = createGate(WIDTH)
  const gates = new Map<string, Gates>()
  const users = createPatience<number>(USER_PATIENCE_MS)
  const servers = createPatience<string>(SERVER_PATIENCE_MS)

  const mayTry = ({ userId, serverUrl, leasedUntil }: Claimed) =>
    !isOver() &&
    users.lasts(userId) &&
    servers.lasts(serverUrl ?? '') &&
    addSeconds(deps.clock.now(), LEASE_MARGIN_SECONDS) < leasedUntil

  async function attempt(one: Claimed, judged: Judged): Promise<boolean> {
    if (!mayTry(one)) return false
    const startedAt = deps.clock.monotonic()
    const verdict = startedAt - judged.at > JUDGED_FOR_MS ? await judge(one) : judged.verdict
    // A slow database may have taken the lease's time, and what was judged then no longer holds.
    if (!mayTry(one)) return false
    if (verdict && (await deliver(deps, one, verdict))) {
      const wastedMs = deps.clock.monotonic() - startedAt
      users.lose(one.userId, wastedMs)
      servers.lose(one.serverUrl ?? '', wastedMs)
    }
    return true
  }

  async function judgeAndAttempt(one: Claimed, sending: Gate): Promise<boolean> {
    if (!mayTry(one)) return false
    const verdict = await judge(one)
    const judged = { verdict, at: deps.clock.monotonic() }
    return sending(() => everybody(() => attempt(one, judged)))
  }

  function gatesOf(server: string): Gates {
    const found = gates.get(server) ?? {
      judging: createGate(JUDGED_AHEAD),
      sending: createGate(WIDTH_PER_SERVER),
    }
    gates.set(server, found)
    return found
  }

  return async function send(one: Claimed): Promise<boolean> {
    try {
      const { judging, sending } = gatesOf(one.serverUrl ?? '')
      return await judging(() => judgeAndAttempt(one, sending))
    } catch (error) {
      // It stays leased, and is due again when that ends.
      deps.log.error('Cannot send a push message', { id: one.id, userId: one.userId, ...failureOf(error) })
      return true
    }
  }
}

/** The messages of a user go one after the other, those of different users side by side. */
function openPass(deps: Deps, isOver: () => boolean) {
  const send = createSender(deps, isOver)
  const given = new Set<number>()
  const lanes = new Map<number, Promise<void>>()
  const state = { outstanding: 0 }

  async function lane(userId: number, before: Promise<void> | undefined, claimed: readonly Claimed[]) {
    await before
    const left: Claimed[] = []
    for (const one of claimed) {
      if (!(await send(one))) left.push(one)
      state.outstanding--
    }
    if (left.length === 0) return
    given.add(userId)
    await giveBack(deps, left).catch((error: unknown) =>
      deps.log.error('Cannot give push messages back', { userId, ...failureOf(error) }),
    )
  }

  return {
    /** Whose messages were given back: the next pass takes them. */
    given: () => [...given],
    start(claimed: readonly Claimed[]) {
      state.outstanding += claimed.length
      for (const [userId, own] of Map.groupBy(claimed, (one) => one.userId)) {
        const running = lane(userId, lanes.get(userId), own).finally(() => {
          if (lanes.get(userId) === running) lanes.delete(userId)
        })
        lanes.set(userId, running)
      }
    },
    /** Resolves once few enough wait. */
    async room() {
      while (state.outstanding > ROOM && lanes.size > 0) await Promise.race(lanes.values())
    },
    async end() {
      while (lanes.size > 0) await Promise.all(lanes.values())
    },
  }
}

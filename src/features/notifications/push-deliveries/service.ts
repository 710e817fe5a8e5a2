import { takeLock, tryLock } from '../../../db/advisory-lock'
import { inBatches, type IsStopping } from '../../../db/batches'
import type { Tx } from '../../../db/client'
import { inTransaction } from '../../../db/transaction'
import type { Deps, ReadDeps } from '../../../deps'
import { pauses } from '../../../lib/pauses'
import type { PushMessage, PushTarget } from '../../../lib/ports/push'
import { sha256Hex } from '../../../lib/text'
import { addDays, addMinutes, addSeconds, formatInstant } from '../../../lib/time/time'
import { type Kind, quietUntil, type Window } from '../push-moments/rules'
import { crowdedOf, firstPart, type Moment, momentsFor, type Recipient } from '../push-moments/service'
import { pushTokenOwner } from '../../identity/settings/rules'
import type { DeliveryView } from './model'
import * as q from './queries'
import {
  errorOf,
  expiryOf,
  isAstrayAfter,
  LEASE_SECONDS,
  lookout,
  nextPass,
  retryAt,
  settledAt,
  TOO_LATE,
  UNREADABLE_TOKEN,
  untold,
  wakeAfter,
  withRoom,
} from './rules'

type PushDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'log' | 'cipher' | 'pushServer'>

export type Claimed = q.Claimed

const CHANGES_PER_PLAN = 20_000
/** The most crowded users in one pass. */
const CROWDED_PER_PLAN = 5
/** Messages that are built between two pauses. */
const ROWS_PER_STEP = 100
/** How long to postpone a user whose planning fails. */
const PUT_OFF_MINUTES = 15
const RETENTION_DAYS = 7
/** How many messages the list shows. */
const SHOWN = 50

/** `busy`: another instance is planning; `more`: there is more to plan right away. */
export type Planned = 'busy' | 'more' | 'done'

/**
 * Creates the due messages of the next `users` users in turn, and schedules when to plan them again. Users with changes
 * are planned now.
 */
export const planDeliveries = (deps: PushDeps, users: number): Promise<Planned> =>
  inTransaction(deps.db, async (tx) => {
    if (!(await tryLock(tx, 'push'))) return 'busy'
    const now = deps.clock.now()
    const changes = await q.wakeChanged(tx, now, CHANGES_PER_PLAN)
    const awake = await q.awake(tx, now, isAstrayAfter(now), users)
    if (awake.length > 0) await planAwake(tx, deps, awake, now)
    return changes === CHANGES_PER_PLAN || awake.length === users ? 'more' : 'done'
  })

/** Postpones the next user in turn. Returns the user's id. */
export const putOffNext = (deps: PushDeps): Promise<number | undefined> =>
  inTransaction(deps.db, async (tx) => {
    if (!(await tryLock(tx, 'push'))) return undefined
    const now = deps.clock.now()
    await q.wakeChanged(tx, now, CHANGES_PER_PLAN)
    const [next] = await q.awake(tx, now, isAstrayAfter(now), 1)
    if (next) await q.setWakes(tx, [{ userId: next.userId, wakeAt: addMinutes(now, PUT_OFF_MINUTES) }])
    return next?.userId
  })

type Awake = Awaited<ReturnType<typeof q.awake>>[number]

/** Plans crowded users one at a time, only some of them in a pass and the earliest moments first; the next pass continues. */
async function planAwake(tx: Tx, deps: PushDeps, awake: readonly Awake[], now: Date): Promise<void> {
  const userIds = awake.map(({ userId }) => userId)
  const window = lookout(now)
  const crowded = await crowdedOf(tx, userIds, window)
  const calm = userIds.filter((id) => !crowded.has(id))
  if (calm.length > 0) await plan(tx, deps, calm, { window, now })
  const heavy = awake.filter(({ userId }) => crowded.has(userId))
  for (const one of heavy.slice(0, CROWDED_PER_PLAN)) await planPart(tx, deps, one, { window, now })
  const soon = +nextPass(now) - heavy.length
  const late = heavy.slice(CROWDED_PER_PLAN)
  await q.setWakes(
    tx,
    late.map(({ userId, plannedTo }, turn) => ({
      userId,
      wakeAt: new Date(soon + turn),
      ...from(plannedTo),
    })),
  )
}

const from = (plannedTo: Date | null) => (plannedTo === null ? {} : { plannedTo })

interface Asked {
  readonly window: Window
  readonly now: Date
}

/**
 * Plans the next part for a crowded user. After the last part it starts another round from the beginning, to find
 * changes in parts that were planned already.
 */
async function planPart(tx: Tx, deps: PushDeps, { userId, plannedTo }: Awake, asked: Asked): Promise<void> {
  const { now, window: whole } = asked
  const isFirst = plannedTo === null || plannedTo <= whole.from
  const window = await firstPart(tx, userId, { from: isFirst ? whole.from : plannedTo, to: whole.to })
  await plan(tx, deps, [userId], { window, now })
  if (window.to <= now) await q.setWakes(tx, [{ userId, wakeAt: nextPass(now), plannedTo: window.to }])
  else if (!isFirst) await q.setWakes(tx, [{ userId, wakeAt: nextPass(now) }])
}

async function plan(tx: Tx, deps: PushDeps, userIds: readonly number[], asked: Asked): Promise<void> {
  const { window, now } = asked
  const due = await momentsFor(tx, deps, { userIds, window, now })
  const told = Map.groupBy(await q.toldSince(tx, [...due.keys()], window.from), ({ userId }) => userId)
  const events = await q.ofEventsSince(tx, [...due.keys()], lookout(now).from)
  const written = Map.groupBy(events, ({ userId }) => userId)
  const leftOut = { users: 0, messages: 0 }
  const pause = pauses(deps.clock)
  const rows: Array<ReturnType<typeof toRow>> = []
  const wakes: q.Wake[] = []
  for (const [userId, { moments, recipient }] of due) {
    const passed = moments.filter(({ at, wasOver }) => at <= now && !wasOver)
    const fitting = withRoom(untold(passed, told.get(userId) ?? []), written.get(userId) ?? [], now)
    if (fitting.leftOut > 0) leftOut.users += 1
    leftOut.messages += fitting.leftOut
    for (const moment of fitting.chosen) {
      rows.push(toRow(userId, moment, now))
      if (rows.length % ROWS_PER_STEP === 0) await pause()
    }
    const times = [settledAt(recipient.configuredAt), window.to, ...moments.map(({ at }) => at)]
    wakes.push({ userId, wakeAt: wakeAfter(userId, times, now) })
    await pause()
  }
  if (leftOut.users > 0) deps.log.warn('More event messages are due than are sent in an hour', leftOut)
  await q.insert(tx, rows)
  await q.releaseHeld(tx, [...due.keys()], now)
  await q.setWakes(tx, wakes)
  await q.removeWakes(
    tx,
    userIds.filter((id) => !due.has(id)),
  )
}

const toRow = (userId: number, { at, content, key, kind, itemId, occurrence, about }: Moment, now: Date) => ({
  userId,
  key,
  kind,
  itemId,
  occurrence,
  about,
  title: content.title,
  fireAt: at,
  dueAt: now,
  expiresAt: expiryOf(at),
  createdAt: now,
})

export type Waiting = Awaited<ReturnType<typeof listWaiting>>[number]

/** Lists users with due messages and their number: users without failures first, then by the oldest message. */
export const listWaiting = async ({ db, clock }: PushDeps) => {
  const now = clock.now()
  return q.waiting(db, now, isAstrayAfter(now))
}

/** Leases the oldest due message of each user. */
export const claimDeliveries = ({ db, clock }: PushDeps, userIds: readonly number[]): Promise<Claimed[]> =>
  inTransaction(db, async (tx) => {
    await takeLock(tx, 'push')
    const now = clock.now()
    return q.claim(tx, userIds, {
      now,
      leasedUntil: addSeconds(now, LEASE_SECONDS),
      astray: isAstrayAfter(now),
    })
  })

/** The decision about a claimed message. */
export type Verdict =
  /** Another instance has leased it meanwhile. */
  | { readonly kind: 'lost' }
  /** The item was moved, completed or deleted, or the user does not see it any more. */
  | { readonly kind: 'withdrawn' }
  | { readonly kind: 'late' }
  | { readonly kind: 'held'; readonly until: Date }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'send'; readonly target: PushTarget; readonly message: PushMessage }

/**
 * Decides about messages from the current state of their items, in a constant number of queries. Returns the verdicts
 * by message id.
 */
export async function judgeDeliveries(
  deps: PushDeps,
  claimed: readonly Claimed[],
): Promise<ReadonlyMap<number, Verdict>> {
  const leased = await q.stillLeased(deps.db, claimed)
  const fires = claimed.map(({ fireAt }) => +fireAt)
  const due = await momentsFor(deps.db, deps, {
    userIds: [...new Set(claimed.map(({ userId }) => userId))],
    window: { from: new Date(Math.min(...fires) - 1), to: new Date(Math.max(...fires)) },
    now: deps.clock.now(),
    only: idsByKind(claimed),
  })
  const verdicts = claimed.map(async (one): Promise<[number, Verdict]> => {
    if (!leased.has(one.id)) return [one.id, { kind: 'lost' }]
    const { recipient, moments = [] } = due.get(one.userId) ?? {}
    const moment = moments.find(({ key }) => key === one.key)
    if (!recipient || !moment) return [one.id, { kind: 'withdrawn' }]
    return [one.id, await judge(deps, one, recipient, moment)]
  })
  return new Map(await Promise.all(verdicts))
}

function idsByKind(claimed: readonly Claimed[]): ReadonlyMap<Kind, readonly number[]> {
  const byKind = Map.groupBy(claimed, ({ kind }) => kind)
  return new Map([...byKind].map(([kind, of]) => [kind, [...new Set(of.map(({ itemId }) => itemId))]]))
}

async function judge(
  deps: PushDeps,
  one: Claimed,
  recipient: Recipient,
  { content, kind }: Moment,
): Promise<Verdict> {
  const now = deps.clock.now()
  const until = kind === 'reminder' ? undefined : quietUntil(recipient, now)
  if (now >= one.expiresAt) return { kind: 'late' }
  if (until) return { kind: 'held', until }
  const target = await targetOf(deps, recipient)
  if (!target) return { kind: 'unreadable' }
  const { path, ...said } = content
  return {
    kind: 'send',
    target,
    message: {
      ...said,
      click: `${deps.config.http.publicUrl}${path}`,
      // Stays the same when the message is sent again, so that the second one replaces the first.
      sequenceId: (await sha256Hex(`${one.userId} ${one.key}`)).slice(0, 32),
    },
  }
}

async function targetOf(
  { cipher, log }: PushDeps,
  { userId, serverUrl, topic, sealedToken }: Recipient,
): Promise<PushTarget | undefined> {
  if (serverUrl === null || topic === null) return undefined
  if (sealedToken === null) return { serverUrl, topic, token: null }
  try {
    return { serverUrl, topic, token: await cipher.decrypt(sealedToken, pushTokenOwner(userId)) }
  } catch {
    log.error('The push token of a user cannot be decrypted', { userId })
    return undefined
  }
}

/** Carries out a verdict and records the result. Returns whether an attempt failed. */
export async function deliver(deps: PushDeps, one: Claimed, verdict: Verdict): Promise<boolean> {
  switch (verdict.kind) {
    case 'lost':
      return false
    case 'withdrawn':
      await q.withdraw(deps.db, one)
      return false
    case 'late':
      await q.resettle(deps.db, one, { status: 'failed', error: TOO_LATE })
      return false
    case 'held':
      await q.resettle(deps.db, one, {
        dueAt: verdict.until,
        isHeld: true,
        expiresAt: expiryOf(verdict.until),
      })
      return false
    case 'unreadable':
      await recordFailure(deps, one, UNREADABLE_TOKEN)
      return true
    case 'send':
      return send(deps, one, verdict)
  }
}

async function send(
  deps: PushDeps,
  one: Claimed,
  { target, message }: Extract<Verdict, { kind: 'send' }>,
): Promise<boolean> {
  const outcome = await deps.pushServer.send(target, message)
  if (outcome.kind !== 'sent') {
    const { id, userId, kind } = one
    deps.log.warn('A push message was not delivered', { ...outcome, outcome: outcome.kind, id, userId, kind })
    await recordFailure(deps, one, errorOf(outcome))
    return true
  }
  await recordSent(deps, one, message.title)
  return false
}

const RECORD_ATTEMPTS = 10
const RECORD_PAUSE_MS = 500

/** A sent message that is not recorded would be sent again, so retry while the database is briefly unavailable. */
async function recordSent({ db, clock }: PushDeps, { id, attempts }: Claimed, title: string): Promise<void> {
  const set = { status: 'sent', title, attempts: attempts + 1, error: null, sentAt: clock.now() } as const
  for (let attempt = 1; ; attempt++) {
    try {
      return await q.settle(db, id, set)
    } catch (error) {
      if (attempt === RECORD_ATTEMPTS) throw error
      await clock.sleep(RECORD_PAUSE_MS)
    }
  }
}

async function recordFailure(deps: PushDeps, one: Claimed, error: string): Promise<void> {
  const attempts = one.attempts + 1
  const next = retryAt(attempts, deps.clock.now())
  await q.resettle(deps.db, one, { attempts, error, ...(next ? { dueAt: next } : { status: 'failed' }) })
}

/** Returns a claimed message that was not tried; the next pass takes it. */
export const giveBack = ({ db, clock }: PushDeps, one: Claimed): Promise<void> =>
  q.resettle(db, one, { dueAt: clock.now() })

/** Lists the last messages of the user, newest first. */
export async function listDeliveries({ db, config }: ReadDeps, userId: number): Promise<DeliveryView[]> {
  const rows = await q.latest(db, userId, SHOWN)
  return rows.map((row) => toView(config.timeZone, row))
}

const toView = (zone: string, row: q.DeliveryRow): DeliveryView => ({
  key: row.key,
  kind: row.kind,
  title: row.title,
  fire_at: formatInstant(zone, row.fireAt),
  sent_at: row.sentAt && formatInstant(zone, row.sentAt),
  attempts: row.attempts,
  status: row.status,
  error: row.error,
})

/** Deletes deliveries older than seven days (contract: push.retention). Returns how many. */
export const purgeDeliveries = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  isStopping?: IsStopping,
): Promise<number> =>
  inBatches(db, (tx, limit) => q.purge(tx, addDays(clock.now(), -RETENTION_DAYS), limit), isStopping)

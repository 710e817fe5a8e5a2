import { takeLock } from '../../../db/advisory-lock'
import { inBatches, type IsStopping } from '../../../db/batches'
import { inTransaction } from '../../../db/transaction'
import type { Deps, ReadDeps } from '../../../deps'
import type { PushMessage, PushTarget } from '../../../lib/ports/push'
import { sha256Hex } from '../../../lib/text'
import { addDays, addSeconds, formatInstant } from '../../../lib/time/time'
import { type Kind, quietUntil } from '../push-moments/rules'
import { type Moment, momentsFor, type Recipient } from '../push-moments/service'
import { expiryOf, isAstrayAfter } from '../push-planning/rules'
import { pushTokenOwner } from '../../identity/settings/rules'
import type { DeliveryView } from './model'
import * as q from './queries'
import { errorOf, LEASE_SECONDS, retryAt, TOO_LATE, UNREADABLE_TOKEN } from './rules'

type PushDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'log' | 'cipher' | 'pushServer'>

export type Claimed = q.Claimed

const RETENTION_DAYS = 7
/** How many messages the list shows. */
const SHOWN = 50

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

import { takeLock, tryLock } from '../../../db/advisory-lock'
import type { Tx } from '../../../db/client'
import { inTransaction } from '../../../db/transaction'
import type { Deps } from '../../../deps'
import { pauses } from '../../../lib/pauses'
import { addMinutes } from '../../../lib/time/time'
import type { Window } from '../push-moments/rules'
import { crowdedOf, firstPart, type Moment, momentsFor } from '../push-moments/service'
import * as q from './queries'
import { expiryOf, isAstrayAfter, lookout, nextPass, untold, wakeAfter, withRoom } from './rules'

type PlanDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'log'>

const SCOPES_PER_PLAN = 20_000
/** The most crowded users in one pass. */
const CROWDED_PER_PLAN = 5
/** Messages that are built between two pauses. */
const ROWS_PER_STEP = 100
/** How long to postpone a user whose planning fails. */
const PUT_OFF_MINUTES = 5

/** `busy`: another instance is planning; `more`: there is more to plan right away. */
export type Planned = 'busy' | 'more' | 'done'

/**
 * Creates the due messages of the next `users` users in turn, and schedules when to plan them again. Users with changes
 * are planned now. Reports whose turn it is, so that the caller knows them when planning fails.
 */
export async function planDeliveries(
  deps: PlanDeps,
  users: number,
  report: (userIds: readonly number[]) => void,
): Promise<Planned> {
  const scopes = await wakeConcerned(deps)
  return inTransaction(deps.db, async (tx) => {
    if (!(await tryLock(tx, 'push'))) return 'busy'
    const now = deps.clock.now()
    const awake = await q.awake(tx, now, isAstrayAfter(now), users)
    report(awake.map(({ userId }) => userId))
    if (awake.length > 0) await planAwake(tx, deps, awake, now)
    return scopes === SCOPES_PER_PLAN || awake.length === users ? 'more' : 'done'
  })
}

/**
 * Schedules the users whom the latest changes concern for planning now. Returns how many scopes had changed. Changes count as
 * read once the users are scheduled; no transaction holds a counter of the journal and anything else.
 */
async function wakeConcerned({ db, clock }: PlanDeps): Promise<number> {
  const scopes = await inTransaction(db, async (tx) => {
    if (!(await tryLock(tx, 'push'))) return []
    const moved = await q.moved(tx, SCOPES_PER_PLAN)
    if (moved.length > 0) await q.wake(tx, moved, clock.now())
    return moved
  })
  if (scopes.length > 0) await inTransaction(db, (tx) => q.markRead(tx, scopes))
  return scopes.length
}

/** Postpones a user whose planning failed. */
export const putOff = (deps: PlanDeps, userId: number): Promise<void> =>
  inTransaction(deps.db, async (tx) => {
    await takeLock(tx, 'push')
    await q.setWakes(tx, [{ userId, wakeAt: addMinutes(deps.clock.now(), PUT_OFF_MINUTES) }])
  })

type Awake = Awaited<ReturnType<typeof q.awake>>[number]

/** Plans crowded users one at a time, only some of them in a pass and the earliest moments first; the next pass continues. */
async function planAwake(tx: Tx, deps: PlanDeps, awake: readonly Awake[], now: Date): Promise<void> {
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
async function planPart(tx: Tx, deps: PlanDeps, { userId, plannedTo }: Awake, asked: Asked): Promise<void> {
  const { now, window: whole } = asked
  const isFirst = plannedTo === null || plannedTo <= whole.from
  const window = await firstPart(tx, userId, { from: isFirst ? whole.from : plannedTo, to: whole.to })
  await plan(tx, deps, [userId], { window, now })
  if (window.to <= now) await q.setWakes(tx, [{ userId, wakeAt: nextPass(now), plannedTo: window.to }])
  else if (!isFirst) await q.setWakes(tx, [{ userId, wakeAt: nextPass(now) }])
}

async function plan(tx: Tx, deps: PlanDeps, userIds: readonly number[], asked: Asked): Promise<void> {
  const { window, now } = asked
  const due = await momentsFor(tx, deps, { userIds, window, now })
  const told = Map.groupBy(await q.toldSince(tx, [...due.keys()], window.from), ({ userId }) => userId)
  const events = await q.ofEventsSince(tx, [...due.keys()], lookout(now).from)
  const written = Map.groupBy(events, ({ userId }) => userId)
  const leftOut = { users: 0, messages: 0 }
  const pause = pauses(deps.clock)
  const rows: Array<ReturnType<typeof toRow>> = []
  const wakes: q.Wake[] = []
  for (const [userId, { moments }] of due) {
    const passed = moments.filter(({ at, wasOver }) => at <= now && !wasOver)
    const fitting = withRoom(untold(passed, told.get(userId) ?? []), written.get(userId) ?? [], now)
    if (fitting.leftOut > 0) leftOut.users += 1
    leftOut.messages += fitting.leftOut
    for (const moment of fitting.chosen) {
      rows.push(toRow(userId, moment, now))
      if (rows.length % ROWS_PER_STEP === 0) await pause()
    }
    const times = [window.to, ...moments.map(({ at }) => at)]
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

import { and, count, desc, eq, gt, inArray, isNotNull, lt, min, type SQL, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { among, idArray } from '../../../db/among'
import { deleteSome } from '../../../db/batches'
import type { Db, Tx } from '../../../db/client'
import { events, pushDeliveries, pushWakes, settings } from '../../../db/schema'

type Ids = readonly number[]

const instant = (at: Date): SQL => sql`${at.toISOString()}::timestamptz`

/** Consumes up to `limit` changes and schedules their users for planning now. Returns how many changes there were. */
export async function wakeChanged(tx: Tx, now: Date, limit: number): Promise<number> {
  const [row] = await tx.execute<{ changes: number }>(sql`
    with changed as (
      delete from push_changes where id in (select id from push_changes order by id limit ${limit}) returning user_id
    ), woken as (
      insert into push_wakes (user_id, wake_at)
      select distinct users.id, ${instant(now)} from changed join users on users.id = changed.user_id
      on conflict (user_id) do update set wake_at = excluded.wake_at
    )
    select count(*)::integer as changes from changed`)
  return row?.changes ?? 0
}

/** Lists the next users to plan, in the order of their turns. Includes users whose turn lies beyond `astray`. */
export const awake = (tx: Tx, now: Date, astray: Date, limit: number) =>
  tx
    .select({ userId: pushWakes.userId, plannedTo: pushWakes.plannedTo })
    .from(pushWakes)
    .where(sql`${pushWakes.wakeAt} <= ${instant(now)} or ${pushWakes.wakeAt} > ${instant(astray)}`)
    .orderBy(pushWakes.wakeAt, pushWakes.userId)
    .limit(limit)

export interface Wake {
  readonly userId: number
  readonly wakeAt: Date
  /** When planning takes several passes: everything up to this time is planned. */
  readonly plannedTo?: Date
}

export async function setWakes(tx: Tx, wakes: readonly Wake[]): Promise<void> {
  const times = `{${wakes.map(({ wakeAt }) => wakeAt.toISOString()).join()}}`
  const planned = `{${wakes.map(({ plannedTo }) => plannedTo?.toISOString() ?? 'null').join()}}`
  await tx.execute(sql`
    update push_wakes set wake_at = next.wake_at, planned_to = next.planned_to
    from unnest(${idArray(wakes.map(({ userId }) => userId))}, ${times}::timestamptz[], ${planned}::timestamptz[])
      as next (user_id, wake_at, planned_to)
    where push_wakes.user_id = next.user_id`)
}

/** Stops planning these users until something changes. */
export const removeWakes = async (tx: Tx, userIds: Ids): Promise<void> => {
  await tx.delete(pushWakes).where(among(pushWakes.userId, userIds))
}

/** Lists the messages sent to these users after `since`. */
export const toldSince = (tx: Tx, userIds: Ids, since: Date) =>
  tx
    .select({
      userId: pushDeliveries.userId,
      kind: pushDeliveries.kind,
      itemId: pushDeliveries.itemId,
      occurrence: pushDeliveries.occurrence,
      about: pushDeliveries.about,
      sentAt: pushDeliveries.sentAt,
    })
    .from(pushDeliveries)
    .where(and(among(pushDeliveries.userId, userIds), gt(pushDeliveries.sentAt, since)))

/** Lists event messages created for these users after `since`, with the calendars of the events. */
export const ofEventsSince = (tx: Tx, userIds: Ids, since: Date) =>
  tx
    .select({
      userId: pushDeliveries.userId,
      key: pushDeliveries.key,
      createdAt: pushDeliveries.createdAt,
      calendarId: events.calendarId,
    })
    .from(pushDeliveries)
    .leftJoin(events, eq(events.id, pushDeliveries.itemId))
    .where(
      and(
        among(pushDeliveries.userId, userIds),
        eq(pushDeliveries.kind, 'event'),
        gt(pushDeliveries.createdAt, since),
      ),
    )

const ROWS_PER_INSERT = 1000

/** Skips keys that the user has already. */
export async function insert(tx: Tx, rows: ReadonlyArray<typeof pushDeliveries.$inferInsert>): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_PER_INSERT) {
    await tx
      .insert(pushDeliveries)
      .values(rows.slice(at, at + ROWS_PER_INSERT))
      .onConflictDoNothing({ target: [pushDeliveries.userId, pushDeliveries.key] })
  }
}

/** Makes messages due now that quiet hours hold back, so that they are judged again: the quiet hours may have changed. */
export const releaseHeld = async (tx: Tx, userIds: Ids, now: Date): Promise<void> => {
  await tx
    .update(pushDeliveries)
    .set({ dueAt: now, isHeld: false })
    .where(
      and(
        among(pushDeliveries.userId, userIds),
        eq(pushDeliveries.status, 'pending'),
        pushDeliveries.isHeld,
        gt(pushDeliveries.dueAt, now),
      ),
    )
}

const isDue = (now: Date, astray: Date): SQL =>
  sql`${pushDeliveries.status} = 'pending' and (${pushDeliveries.dueAt} <= ${instant(now)} or ${pushDeliveries.dueAt} > ${instant(astray)})`

/** Lists users with due messages and their push servers; users with a failed message come last. */
export const waiting = (db: Db, now: Date, astray: Date) => {
  const { userId, attempts, fireAt, status } = pushDeliveries
  const troubled = db
    .selectDistinct({ userId })
    .from(pushDeliveries)
    .where(and(eq(status, 'pending'), gt(attempts, 0)))
    .as('troubled')
  return db
    .select({
      userId,
      serverUrl: sql<string>`coalesce(${settings.ntfyServerUrl}, '')`,
      messages: count(),
      hasFailed: isNotNull(troubled.userId).mapWith(Boolean),
    })
    .from(pushDeliveries)
    .innerJoin(settings, eq(settings.userId, userId))
    .leftJoin(troubled, eq(troubled.userId, userId))
    .where(isDue(now, astray))
    .groupBy(userId, settings.ntfyServerUrl, troubled.userId)
    .orderBy(isNotNull(troubled.userId), min(fireAt), userId)
}

interface Lease {
  readonly now: Date
  readonly leasedUntil: Date
  readonly astray: Date
}

/** Leases the oldest due message of each user. */
export async function claim(tx: Tx, userIds: Ids, { now, leasedUntil, astray }: Lease) {
  const { id, userId, dueAt, fireAt } = pushDeliveries
  const oldest = tx
    .selectDistinctOn([userId], { id })
    .from(pushDeliveries)
    .where(and(among(userId, userIds), isDue(now, astray)))
    .orderBy(userId, fireAt, id)
  const claimed = await tx
    .update(pushDeliveries)
    .set({ dueAt: leasedUntil, isHeld: false })
    .where(inArray(id, oldest))
    .returning({
      id,
      userId,
      key: pushDeliveries.key,
      kind: pushDeliveries.kind,
      itemId: pushDeliveries.itemId,
      fireAt,
      expiresAt: pushDeliveries.expiresAt,
      attempts: pushDeliveries.attempts,
      leasedUntil: dueAt,
    })
  return claimed.toSorted((a, b) => +a.fireAt - +b.fireAt || a.id - b.id)
}
export type Claimed = Awaited<ReturnType<typeof claim>>[number]

const isLeased = (leasedUntil: Date) =>
  and(eq(pushDeliveries.status, 'pending'), eq(pushDeliveries.dueAt, leasedUntil))

/** Returns the ids of the messages that still have the lease with which they were claimed. */
export async function stillLeased(db: Db, claimed: readonly Claimed[]): Promise<ReadonlySet<number>> {
  const leases = new Map(claimed.map((one) => [one.id, +one.leasedUntil]))
  const rows = await db
    .select({ id: pushDeliveries.id, dueAt: pushDeliveries.dueAt })
    .from(pushDeliveries)
    .where(and(among(pushDeliveries.id, [...leases.keys()]), eq(pushDeliveries.status, 'pending')))
  return new Set(rows.flatMap(({ id, dueAt }) => (leases.get(id) === +dueAt ? id : [])))
}

// Each of the following is a single statement and needs no transaction.

/** Updates a message even if another instance has leased it meanwhile: it has been sent in any case. */
export const settle = async (
  db: Db | Tx,
  id: number,
  set: PgUpdateSetSource<typeof pushDeliveries>,
): Promise<void> => {
  await db.update(pushDeliveries).set(set).where(eq(pushDeliveries.id, id))
}

/** Updates a message only while this lease holds. */
export const resettle = async (
  db: Db | Tx,
  { id, leasedUntil }: Pick<Claimed, 'id' | 'leasedUntil'>,
  set: PgUpdateSetSource<typeof pushDeliveries>,
): Promise<void> => {
  await db
    .update(pushDeliveries)
    .set(set)
    .where(and(eq(pushDeliveries.id, id), isLeased(leasedUntil)))
}

/** Deletes a message that must not be sent any more. */
export const withdraw = async (
  db: Db | Tx,
  { id, leasedUntil }: Pick<Claimed, 'id' | 'leasedUntil'>,
): Promise<void> => {
  await db.delete(pushDeliveries).where(and(eq(pushDeliveries.id, id), isLeased(leasedUntil)))
}

/** Newest first. */
export const latest = (db: Db, userId: number, limit: number) =>
  db
    .select()
    .from(pushDeliveries)
    .where(eq(pushDeliveries.userId, userId))
    .orderBy(desc(pushDeliveries.id))
    .limit(limit)
export type DeliveryRow = Awaited<ReturnType<typeof latest>>[number]

/** Deletes up to `limit` messages created before `before`. Returns how many. */
export const purge = (tx: Tx, before: Date, limit: number): Promise<number> =>
  deleteSome(
    tx,
    { from: pushDeliveries, key: pushDeliveries.id, where: lt(pushDeliveries.createdAt, before) },
    limit,
  )

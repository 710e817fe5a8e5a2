import { and, count, desc, eq, gt, inArray, isNotNull, lt, min, type SQL, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { among } from '../../../db/among'
import { deleteSome } from '../../../db/batches'
import type { Db, Tx } from '../../../db/client'
import { pushDeliveries, settings } from '../../../db/schema'

type UserIds = readonly number[]

const instant = (at: Date): SQL => sql`${at.toISOString()}::timestamptz`

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
export async function claim(tx: Tx, userIds: UserIds, { now, leasedUntil, astray }: Lease) {
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

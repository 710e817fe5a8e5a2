import { and, eq, gt, type SQL, sql } from 'drizzle-orm'
import { among, idArray } from '../../../db/among'
import type { Tx } from '../../../db/client'
import { events, pushDeliveries, pushWakes } from '../../../db/schema'

type UserIds = readonly number[]

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
export const removeWakes = async (tx: Tx, userIds: UserIds): Promise<void> => {
  await tx.delete(pushWakes).where(among(pushWakes.userId, userIds))
}

/** Lists the messages sent to these users after `since`. */
export const toldSince = (tx: Tx, userIds: UserIds, since: Date) =>
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
export const ofEventsSince = (tx: Tx, userIds: UserIds, since: Date) =>
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
export const releaseHeld = async (tx: Tx, userIds: UserIds, now: Date): Promise<void> => {
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

import { and, eq, gt, type SQL, sql } from 'drizzle-orm'
import { among, idArray } from '../../../db/among'
import type { Tx } from '../../../db/client'
import { events, pushDeliveries, pushWakes, type ScopeKind, syncScopes } from '../../../db/schema'

type UserIds = readonly number[]

const instant = (at: Date): SQL => sql`${at.toISOString()}::timestamptz`

/** A scope as it was when it was read: its kind, its id and its number in the journal. */
export interface Moved {
  readonly kind: ScopeKind
  readonly id: number
  readonly seq: number
}

/** Returns up to `limit` scopes that were stepped since `markRead`. */
export const moved = (tx: Tx, limit: number): Promise<Moved[]> =>
  tx
    .select({ kind: syncScopes.kind, id: syncScopes.id, seq: syncScopes.seq })
    .from(syncScopes)
    .where(sql`${syncScopes.isNewToPush}`)
    .orderBy(syncScopes.kind, syncScopes.id)
    .limit(limit)

/** Schedules everybody whom these scopes concern, and who gets pushes, for planning now. */
export async function wake(tx: Tx, scopes: readonly Moved[], now: Date): Promise<void> {
  await tx.execute(sql`
    with moved as (select kind, id from ${scopesAsTable(scopes)}), concerned as (
      select id as user_id from moved where kind = 'u'
      union select calendars.user_id from moved join calendars on calendars.id = moved.id where kind = 'c'
      union select calendar_members.user_id from moved join calendar_members on calendar_members.calendar_id = moved.id
        where kind = 'c' and status = 'accepted'
    )
    insert into push_wakes (user_id, wake_at)
    select user_id, ${instant(now)} from concerned join settings using (user_id) where ntfy_enabled
    on conflict (user_id) do update set wake_at = excluded.wake_at`)
}

/** Marks the scopes as read, except those that were stepped meanwhile. Writers who step them are not waited for. */
export async function markRead(tx: Tx, scopes: readonly Moved[]): Promise<void> {
  await tx.execute(sql`
    with known as (
      select kind, id from sync_scopes join ${scopesAsTable(scopes)} using (kind, id, seq)
      for update of sync_scopes skip locked
    )
    update sync_scopes set is_new_to_push = false from known
    where sync_scopes.kind = known.kind and sync_scopes.id = known.id`)
}

const scopesAsTable = (scopes: readonly Moved[]): SQL => {
  const column = (name: keyof Moved) => `{${scopes.map((scope) => scope[name]).join()}}`
  return sql`unnest(${column('kind')}::"char"[], ${column('id')}::integer[], ${column('seq')}::bigint[]) as given (kind, id, seq)`
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

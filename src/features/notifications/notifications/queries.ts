import { and, eq, lt, type Placeholder, sql } from 'drizzle-orm'
import { deleteSome } from '../../../db/batches'
import { idOf, isSelected, mostOf } from '../../../db/by-id'
import type { Db, Tx } from '../../../db/client'
import { prepared } from '../../../db/prepared'
import { notifications, type NotificationType } from '../../../db/schema'
import { isOlder, newestFirst } from '../../../db/newest-first'
import type { InstantKey, ById } from '../../../lib/wire/page'

export interface NotificationFilter {
  readonly userId: number
  /** True lists only unread notifications, false only read ones. */
  readonly unread: boolean | undefined
  readonly type: NotificationType | undefined
  readonly after: InstantKey | undefined
}

/** Newest first, `limit` rows after the key. */
export const list = (db: Db, { userId, unread, type, after }: NotificationFilter, limit: number) =>
  db
    .select()
    .from(notifications)
    .where(
      and(
        eq(notifications.userId, userId),
        unread === undefined ? undefined : eq(notifications.isRead, !unread),
        type && eq(notifications.type, type),
        isOlder(notifications, after),
      ),
    )
    .orderBy(...newestFirst(notifications))
    .limit(limit)

export const pageById = (db: Db, userId: number, by: ById) =>
  db
    .select()
    .from(notifications)
    .where(and(eq(notifications.userId, userId), isSelected(notifications.id, by)))
    .orderBy(idOf(notifications.id))
    .limit(mostOf(by))

export type NotificationRow = Awaited<ReturnType<typeof list>>[number]

const isUnreadOf = (userId: number | Placeholder) =>
  and(eq(notifications.userId, userId), sql`not ${notifications.isRead}`)

const unread = prepared((db) =>
  db
    .select({ count: sql<number>`count(*)::integer` })
    .from(notifications)
    .where(isUnreadOf(sql.placeholder('userId')))
    .prepare('notifications_unread'),
)

export const countUnread = async (db: Db, userId: number): Promise<number> =>
  (await unread(db).execute({ userId }))[0]?.count ?? 0

const isOwn = (userId: number, id: number) => and(eq(notifications.id, id), eq(notifications.userId, userId))

export const markRead = async (tx: Tx, userId: number, id: number): Promise<NotificationRow | undefined> =>
  (await tx.update(notifications).set({ isRead: true }).where(isOwn(userId, id)).returning())[0]

/** Returns how many were unread. */
export async function markAllRead(tx: Tx, userId: number): Promise<number> {
  const marked = await tx
    .update(notifications)
    .set({ isRead: true })
    .where(isUnreadOf(userId))
    .returning({ id: notifications.id })
  return marked.length
}

/** Returns whether the notification existed. */
export async function remove(tx: Tx, userId: number, id: number): Promise<boolean> {
  const removed = await tx.delete(notifications).where(isOwn(userId, id)).returning({ id: notifications.id })
  return removed.length > 0
}

/** Deletes up to `limit` notifications older than `before`. Returns how many. */
export const purge = (tx: Tx, before: Date, limit: number): Promise<number> =>
  deleteSome(
    tx,
    { from: notifications, key: notifications.id, where: lt(notifications.createdAt, before) },
    limit,
  )

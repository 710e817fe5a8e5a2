import { inBatches, type IsStopping } from '../../../db/batches'
import { inTransaction } from '../../../db/transaction'
import type { Deps, ReadDeps, WriteDeps } from '../../../deps'
import { notFound } from '../../../lib/errors'
import { instantKey, isInstantKey, readPage, type ById, toPage } from '../../../lib/wire/page'
import { addDays, formatInstant } from '../../../lib/time/time'
import { beginOperation, lockUserOf, type SessionKey } from '../../../access/sessions/service'
import type { AllReadView, NotificationsPage, NotificationsQuery, NotificationView } from './model'
import * as q from './queries'

const RETENTION_DAYS = 90

/** Lists the user's notifications, newest first; `unread_count` counts all of them, regardless of filter and page. */
export async function listNotifications(
  { db, config }: ReadDeps,
  userId: number,
  query: NotificationsQuery,
): Promise<NotificationsPage> {
  const { limit, after } = readPage(query, isInstantKey)
  const rows = await q.list(db, { userId, unread: query.unread, type: query.type, after }, limit + 1)
  const { page, next_cursor } = toPage(rows, limit, instantKey)
  return {
    notifications: page.map((row) => toView(config.timeZone, row)),
    unread_count: await q.countUnread(db, userId),
    next_cursor,
  }
}

/** Returns notifications of the user by id: a page of them, or those that are named. */
export const pageNotificationsById = async (
  { db, config }: ReadDeps,
  userId: number,
  byId: ById,
): Promise<NotificationView[]> =>
  (await q.pageById(db, userId, byId)).map((row) => toView(config.timeZone, row))

export const countUnread = ({ db }: Pick<Deps, 'db'>, userId: number): Promise<number> =>
  q.countUnread(db, userId)

const notificationNotFound = () => notFound('Notification')

/** Marks the notification as read; has no effect on a read one. @throws {AppError} 401, 404. */
export const readNotification = (
  { db, clock, config }: WriteDeps,
  session: SessionKey,
  id: number,
): Promise<NotificationView> =>
  inTransaction(db, async (tx) => {
    await beginOperation(tx, session, clock.now())
    const row = await q.markRead(tx, session.userId, id)
    if (!row) throw notificationNotFound()
    return toView(config.timeZone, row)
  })

/** Marks all notifications of the user as read, and counts those that were not. */
export const readAllNotifications = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  session: SessionKey,
): Promise<AllReadView> =>
  inTransaction(db, async (tx) => {
    // The lock serialises parallel requests, so that each notification is counted once.
    await lockUserOf(tx, session, clock.now())
    return { message: 'All notifications read', updated: await q.markAllRead(tx, session.userId) }
  })

/** @throws {AppError} 401, 404. */
export const deleteNotification = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  session: SessionKey,
  id: number,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    await beginOperation(tx, session, clock.now())
    if (!(await q.remove(tx, session.userId, id))) throw notificationNotFound()
  })

/** Deletes notifications older than 90 days (contract: notifications.unread). Returns how many. */
export const purgeNotifications = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  isStopping?: IsStopping,
): Promise<number> =>
  inBatches(db, (tx, limit) => q.purge(tx, addDays(clock.now(), -RETENTION_DAYS), limit), isStopping)

const toView = (
  zone: string,
  { id, type, title, message, data, isRead, createdAt }: q.NotificationRow,
): NotificationView => ({
  id,
  type,
  title,
  message,
  data,
  is_read: isRead,
  created_at: formatInstant(zone, createdAt),
})

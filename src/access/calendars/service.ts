import type { Db, Tx } from '../../db/client'
import { leaveRoomForOwners } from '../../db/quotas'
import { notFound } from '../../lib/errors'
import { lockUsersOf, type SessionKey } from '../sessions/service'
import * as q from './queries'
import { type VisibleCalendar, writableCalendar } from './rules'

/** Returns every calendar that the user may see, including hidden ones. All features take their access rights from here. */
export async function calendarsFor(db: Db | Tx, userId: number): Promise<VisibleCalendar[]> {
  const rows = await q.visible(db, userId)
  return rows.map(({ permission, ...calendar }) => ({ ...calendar, access: permission ?? 'owner' }))
}

/** @throws {AppError} 404 unless the user owns the calendar, and for the Birthdays calendar, which is read-only. */
export async function requireOwnCalendar(db: Db | Tx, userId: number, id: number): Promise<void> {
  const calendars = await calendarsFor(db, userId)
  const isOwn = calendars.some(
    (calendar) => calendar.id === id && calendar.ownerId === userId && !calendar.isSystem,
  )
  if (!isOwn) throw notFound('Calendar')
}

/** Like `calendarsFor` for many users at once, without names and colours. */
export const calendarsForAll = (db: Db | Tx, userIds: readonly number[]) => q.visibleToAll(db, userIds)

/** The caller who changes a calendar's content, and the time of the change. */
export interface Changer {
  readonly session: SessionKey
  readonly now: Date
}

/**
 * Locks the caller and the owners of the calendars, by ascending id, until the transaction ends, so that their access
 * to each other's calendars cannot change meanwhile. What the caller adds for others leaves them room (contract: bounds.quotas).
 * @throws {AppError} 401 when the session has ended.
 */
export async function lockOwners(
  tx: Tx,
  { session, now }: Changer,
  ownerIds: readonly number[],
): Promise<void> {
  await lockUsersOf(tx, session, ownerIds, now)
  if (ownerIds.some((id) => id !== session.userId)) await leaveRoomForOwners(tx, session.userId)
}

/**
 * Locks the owner of the calendar for new events (the one with this id, or else the user's default) and returns the calendar.
 * @throws {AppError} 401, 404, 403 when the user may only read, 409 for the Birthdays calendar.
 */
export async function lockCalendar(
  tx: Tx,
  changer: Changer,
  id: number | undefined,
): Promise<VisibleCalendar> {
  const { userId } = changer.session
  const { ownerId } = writableCalendar(await calendarsFor(tx, userId), id)
  await lockOwners(tx, changer, [ownerId])
  return writableCalendar(await calendarsFor(tx, userId), id)
}

import type { Db, Tx } from '../../db/client'
import { notFound } from '../../lib/errors'
import { lockUsersOf, type SessionKey } from '../sessions/service'
import * as q from './queries'
import { type VisibleCalendar, writableCalendar } from './rules'

/** Every calendar that the user may see, hidden ones included: the one place that knows. */
export async function calendarsFor(db: Db | Tx, userId: number): Promise<VisibleCalendar[]> {
  const rows = await q.visible(db, userId)
  return rows.map(({ permission, ...calendar }) => ({ ...calendar, access: permission ?? 'owner' }))
}

/** @throws {AppError} 404 for a calendar that is not the user's own, and for the Birthdays calendar, which takes nothing. */
export async function requireOwnCalendar(db: Db | Tx, userId: number, id: number): Promise<void> {
  const calendars = await calendarsFor(db, userId)
  const isOwn = calendars.some(
    (calendar) => calendar.id === id && calendar.ownerId === userId && !calendar.isSystem,
  )
  if (!isOwn) throw notFound('Calendar')
}

/** What `calendarsFor` says of many users at once, without what the calendars look like. */
export const calendarsForAll = (db: Db | Tx, userIds: readonly number[]) => q.visibleToAll(db, userIds)

/** Who changes what is in a calendar, and when. */
export interface Changer {
  readonly session: SessionKey
  readonly now: Date
}

/**
 * Holds the owners of calendars and whoever changes what is in them, in the order of their ids, until the transaction ends:
 * what these may do with each other's calendars stays as it is.
 * @throws {AppError} 401 for a session that ended meanwhile.
 */
export async function lockOwners(
  tx: Tx,
  { session, now }: Changer,
  ownerIds: readonly number[],
): Promise<void> {
  await lockUsersOf(tx, session, ownerIds, now)
}

/**
 * The calendar that takes a user's events, the one named or else their default, with its owner held.
 * @throws {AppError} 401, 404, 403 where the user may only read, 409 for the Birthdays calendar.
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

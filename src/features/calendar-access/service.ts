import type { Db, Tx } from '../../db/client'
import { lockUser, lockUserOf, type SessionKey } from '../sessions/service'
import * as q from './queries'
import { type VisibleCalendar, writableCalendar } from './rules'

/** Every calendar that the user may see, hidden ones included: the one place that knows. */
export async function calendarsFor(db: Db | Tx, userId: number): Promise<VisibleCalendar[]> {
  const rows = await q.visible(db, userId)
  return rows.map(({ permission, ...calendar }) => ({ ...calendar, access: permission ?? 'owner' }))
}

/** What `calendarsFor` says of many users at once, without what the calendars look like. */
export const calendarsForAll = (db: Db | Tx, userIds: readonly number[]) => q.visibleToAll(db, userIds)

/** Who changes what is in a calendar, and when. */
export interface Changer {
  readonly session: SessionKey
  readonly now: Date
}

/**
 * Holds the owner of a calendar and whoever changes what is in it, in the order of their ids, until the transaction ends.
 * @throws {AppError} 401 for a session that ended meanwhile.
 */
export async function holdOwner(tx: Tx, { session, now }: Changer, ownerId: number): Promise<void> {
  if (ownerId < session.userId) await lockUser(tx, ownerId)
  await lockUserOf(tx, session, now)
  if (ownerId > session.userId) await lockUser(tx, ownerId)
}

/**
 * The calendar that takes a user's events, the one named or else their default, with its owner held.
 * @throws {AppError} 401, 404, 403 where the user may only read, 409 for the Birthdays calendar.
 */
export async function holdCalendar(
  tx: Tx,
  changer: Changer,
  id: number | undefined,
): Promise<VisibleCalendar> {
  const { userId } = changer.session
  const { ownerId } = writableCalendar(await calendarsFor(tx, userId), id)
  await holdOwner(tx, changer, ownerId)
  return writableCalendar(await calendarsFor(tx, userId), id)
}

import type { Db, Tx } from '../../db/client'
import type { Deps } from '../../deps'
import { notFound } from '../../lib/errors'
import type { Stretch } from '../../lib/page'
import { lockUser, lockUserOf, type SessionKey } from '../sessions/service'
import type { MemberView } from './model'
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

/** A piece of all memberships of others in calendars of the user, by id. */
export const stretchOfMembers = (
  { db }: Pick<Deps, 'db'>,
  userId: number,
  stretch: Stretch,
): Promise<MemberView[]> => q.membersOf(db, userId, stretch)

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

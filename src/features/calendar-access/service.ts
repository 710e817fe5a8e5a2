import type { Db, Tx } from '../../db/client'
import { unauthenticated } from '../../lib/errors'
import * as q from './queries'
import { type VisibleCalendar, writableCalendar } from './rules'

/** Every calendar that the user may see, hidden ones included: the one place that knows. */
export async function calendarsFor(db: Db | Tx, userId: number): Promise<VisibleCalendar[]> {
  const rows = await q.own(db, userId)
  return rows.map(({ id, userId: ownerId, name, color, isDefault, isSystem, isVisible }) => ({
    id,
    ownerId,
    name,
    color,
    isDefault,
    isSystem,
    isVisible,
    access: 'owner',
  }))
}

/** Holds the owner of calendars until the transaction ends, before what is in them. @throws {AppError} 401 where they are gone. */
export async function holdOwner(tx: Tx, ownerId: number): Promise<void> {
  if (!(await q.lockUser(tx, ownerId))) throw unauthenticated('User not found or inactive')
}

/**
 * The calendar that takes a user's events, the one named or else their default, with its owner held.
 * @throws {AppError} 404, 403 where the user may only read, 409 for the Birthdays calendar.
 */
export async function holdCalendar(tx: Tx, userId: number, id: number | undefined): Promise<VisibleCalendar> {
  const { ownerId } = writableCalendar(await calendarsFor(tx, userId), id)
  await holdOwner(tx, ownerId)
  return writableCalendar(await calendarsFor(tx, userId), id)
}

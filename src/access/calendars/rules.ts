import { conflict, forbidden, notFound } from '../../lib/errors'

/** A calendar as one user sees it. */
export interface VisibleCalendar {
  readonly id: number
  readonly ownerId: number
  readonly name: string
  readonly color: string
  readonly isDefault: boolean
  readonly isSystem: boolean
  /** Whether its events show unless it is asked for. */
  readonly isVisible: boolean
  readonly access: Access
}

export type Access = 'owner' | 'write' | 'read'

/**
 * The calendar that takes a user's events: the one named, else their default.
 * @throws {AppError} 404, 403 where the caller may only read, 409 for the Birthdays calendar.
 */
export function writableCalendar(
  calendars: readonly VisibleCalendar[],
  id: number | undefined,
): VisibleCalendar {
  const calendar = calendars.find((one) => (id === undefined ? one.isDefault : one.id === id))
  if (!calendar) throw notFound('Calendar')
  if (calendar.isSystem) throw conflict('Birthdays are managed through people')
  if (calendar.access === 'read') throw forbidden('Insufficient permissions')
  return calendar
}

/** The calendar of that id, hidden or not. @throws {AppError} 404 for one that the user does not see. */
export function visibleCalendar(calendars: readonly VisibleCalendar[], id: number): VisibleCalendar {
  const calendar = calendars.find((one) => one.id === id)
  if (!calendar) throw notFound('Calendar')
  return calendar
}

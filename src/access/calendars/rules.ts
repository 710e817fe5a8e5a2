import { conflict, forbidden, notFound } from '../../lib/errors'

/** A calendar as one user sees it. */
export interface VisibleCalendar {
  readonly id: number
  readonly ownerId: number
  readonly name: string
  readonly color: string
  readonly isDefault: boolean
  readonly isSystem: boolean
  /** Whether its events appear when the request names no calendar. */
  readonly isVisible: boolean
  readonly access: Access
}

export type Access = 'owner' | 'write' | 'read'

/**
 * Returns the calendar for new events: the one with this id, or else the user's default.
 * @throws {AppError} 404, 403 when the caller may only read, 409 for the Birthdays calendar.
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

/** Returns the calendar with this id, even when it is hidden. @throws {AppError} 404 when the user does not see it. */
export function visibleCalendar(calendars: readonly VisibleCalendar[], id: number): VisibleCalendar {
  const calendar = calendars.find((one) => one.id === id)
  if (!calendar) throw notFound('Calendar')
  return calendar
}

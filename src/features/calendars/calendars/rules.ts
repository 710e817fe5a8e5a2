import { type AppError, conflict, forbidden } from '../../../lib/errors'

/** The calendars of every new user (contract: calendars.defaults). */
export const FIRST_CALENDARS = [
  { name: 'Personal', color: '#3b82f6', isDefault: true, isSystem: false, isVisible: true },
  { name: 'Birthdays', color: '#f59e0b', isDefault: false, isSystem: true, isVisible: true },
] as const

export const DEFAULT_COLOR = '#3b82f6'

interface StoredCalendar {
  readonly name: string
  readonly isDefault: boolean
  readonly isSystem: boolean
}

interface CalendarChange {
  readonly name?: string
  readonly is_default?: boolean
}

/** Returns an error when the calendar may not change in this way (contract: calendars.changes). */
export function refusalOfChange(
  calendar: StoredCalendar,
  { name, is_default }: CalendarChange,
): AppError | undefined {
  if (calendar.isSystem && name !== undefined && name !== calendar.name) {
    return conflict('System calendars cannot be renamed')
  }
  if (calendar.isSystem && is_default) return conflict('The Birthdays calendar cannot be the default')
  if (calendar.isDefault && is_default === false) return conflict('The default calendar cannot be unset')
  return undefined
}

/** Returns an error when the calendar may not be deleted. */
export function refusalOfDeletion({ isDefault, isSystem }: StoredCalendar): AppError | undefined {
  if (isSystem) return conflict('System calendars cannot be deleted')
  return isDefault ? conflict('The default calendar cannot be deleted') : undefined
}

/** Returns an error when a member may not make this change: only the owner sets the name and the default. */
export const refusalOfMember = ({ name, is_default }: CalendarChange): AppError | undefined =>
  name === undefined && is_default === undefined ? undefined : forbidden('Insufficient permissions')

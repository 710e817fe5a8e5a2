/** What every new user receives (specification 2.5). */
export const FIRST_CALENDARS = [
  { name: 'Personal', color: '#3b82f6', isDefault: true, isSystem: false, isVisible: true },
  { name: 'Birthdays', color: '#f59e0b', isDefault: false, isSystem: true, isVisible: true },
] as const

// One file for the pages of settings: whoever opens one is likely to open the next.
export { CalendarPage } from '../calendars/CalendarPage'
export { CalendarsPage } from '../calendars/CalendarsPage'
export { AppearancePage } from './AppearancePage'
export { DataPage } from './DataPage'
export { SettingsPage } from './SettingsPage'
export { ShortcutsPage } from './ShortcutsPage'

import type * as adminPages from '../admin/pages'
import { navigate } from 'wouter/use-browser-location'
import { CalendarPage } from '../calendar/CalendarPage'
import { Sidebar } from '../calendars/Sidebar'
import type * as projectPages from '../projects/pages'
import type * as connectionPages from '../connections/pages'
import type * as settingsPages from '../settings/pages'
import { TodayPage } from '../today/TodayPage'
import { NEW_CALENDAR, NEW_PERSON, NEW_PROJECT, PATTERNS } from './addresses'
import { editing } from './editing'
import { openDialog } from './opened-dialog'
import { openOver } from './over-page'
import { page } from './page'
import type { FrameContents } from './contents'

const settings = (name: keyof typeof settingsPages) =>
  page<object>(() => import('../settings/pages').then((pages) => pages[name]))

const admin = (name: keyof typeof adminPages) =>
  page<object>(() => import('../admin/pages').then((pages) => pages[name]))
const projects = (name: keyof typeof projectPages) =>
  page<object>(() => import('../projects/pages').then((pages) => pages[name]))
const connections = (name: keyof typeof connectionPages) =>
  page<object>(() => import('../connections/pages').then((pages) => pages[name]))
const search = () => import('../search/pages')

export const CONTENTS: FrameContents = {
  pages: [
    { pattern: PATTERNS.calendar, place: 'calendar', component: CalendarPage },
    { pattern: PATTERNS.calendarView, place: 'calendar', component: CalendarPage },
    {
      pattern: PATTERNS.today,
      place: 'today',
      component: TodayPage,
    },
    {
      pattern: PATTERNS.newEvent,
      place: 'calendar',
      component: page(() => editing().then(({ NewEventPage }) => NewEventPage)),
    },
    {
      pattern: PATTERNS.event,
      place: 'calendar',
      component: page(() => editing().then(({ EventPage }) => EventPage)),
    },
    {
      pattern: PATTERNS.todos,
      detail: PATTERNS.todo,
      place: 'todos',
      component: page(() => import('../todos/pages').then(({ TodosPage }) => TodosPage)),
    },
    {
      pattern: PATTERNS.reminders,
      detail: PATTERNS.reminder,
      place: 'reminders',
      component: page(() => import('../reminders/pages').then(({ RemindersPage }) => RemindersPage)),
    },
    {
      pattern: PATTERNS.notifications,
      place: 'notifications',
      component: page(() =>
        import('../notifications/pages').then(({ NotificationsPage }) => NotificationsPage),
      ),
    },
    { pattern: PATTERNS.projects, place: 'projects', component: projects('ProjectsPage') },
    {
      pattern: PATTERNS.project,
      detail: PATTERNS.task,
      place: 'projects',
      component: projects('ProjectPage'),
    },
    {
      pattern: PATTERNS.people,
      detail: PATTERNS.person,
      place: 'people',
      component: page(() => import('../people/pages').then(({ PeoplePage }) => PeoplePage)),
    },
    {
      pattern: PATTERNS.search,
      component: page(() => search().then(({ SearchPage }) => SearchPage)),
    },
    { pattern: PATTERNS.connections, place: 'connections', component: connections('ConnectionsPage') },
    { pattern: PATTERNS.connection, place: 'connections', component: connections('ConnectionPage') },
    { pattern: PATTERNS.admin, place: 'administration', component: admin('DashboardPage') },
    { pattern: PATTERNS.adminUsers, place: 'administration', component: admin('UsersPage') },
    { pattern: PATTERNS.adminUser, place: 'administration', component: admin('UserPage') },
    { pattern: PATTERNS.adminSettings, place: 'administration', component: admin('AdminSettingsPage') },
    { pattern: PATTERNS.adminAudit, place: 'administration', component: admin('AuditPage') },
    { pattern: PATTERNS.settings, place: 'settings', component: settings('SettingsPage') },
    { pattern: PATTERNS.settingsProfile, place: 'settings', component: settings('ProfilePage') },
    { pattern: PATTERNS.settingsTimes, place: 'settings', component: settings('CalendarSettingsPage') },
    { pattern: PATTERNS.settingsSharing, place: 'settings', component: settings('SharingPage') },
    { pattern: PATTERNS.settingsPush, place: 'settings', component: settings('PushPage') },
    { pattern: PATTERNS.settingsAccount, place: 'settings', component: settings('AccountPage') },
    { pattern: PATTERNS.settingsAppearance, place: 'settings', component: settings('AppearancePage') },
    { pattern: PATTERNS.settingsShortcuts, place: 'settings', component: settings('ShortcutsPage') },
    { pattern: PATTERNS.settingsSecurity, place: 'settings', component: settings('SecurityPage') },
    { pattern: PATTERNS.settingsTokens, place: 'settings', component: settings('TokensPage') },
    { pattern: PATTERNS.settingsSessions, place: 'settings', component: settings('SessionsPage') },
    { pattern: PATTERNS.settingsAssistants, place: 'settings', component: settings('AssistantsPage') },
    { pattern: PATTERNS.settingsData, place: 'settings', component: settings('DataPage') },
    { pattern: PATTERNS.settingsCalendars, place: 'settings', component: settings('CalendarsPage') },
    { pattern: PATTERNS.settingsCalendar, place: 'settings', component: settings('CalendarPage') },
    { pattern: PATTERNS.trash, component: settings('TrashPage') },
    { pattern: PATTERNS.recentChanges, component: settings('RecentChangesPage') },
  ],
  creations: [
    { name: 'event', icon: 'calendar', run: () => openOver(PATTERNS.newEvent) },
    { name: 'todo', icon: 'todos', run: () => openDialog({ is: 'quick-add', kind: 'todo' }) },
    { name: 'reminder', icon: 'reminders', run: () => openDialog({ is: 'quick-add', kind: 'reminder' }) },
    { name: 'project', icon: 'projects', run: () => navigate(NEW_PROJECT) },
    { name: 'person', icon: 'people', run: () => navigate(NEW_PERSON) },
    { name: 'calendar', icon: 'calendar', run: () => navigate(NEW_CALENDAR) },
  ],
  Sidebar,
}

/** The addresses of the client, by place. */
export const VIEWS = ['day', 'week', 'month', 'agenda'] as const
export type View = (typeof VIEWS)[number]

/** Patterns for the router. */
export const PATTERNS = {
  setup: '/setup',
  signIn: '/sign-in',
  register: '/register',
  secondFactor: '/second-factor',
  secondFactorSetUp: '/second-factor/set-up',
  changePassword: '/change-password',
  today: '/today',
  calendar: '/calendar',
  calendarView: '/calendar/:view/:date',
  newEvent: '/events/new',
  event: '/events/:id',
  todos: '/todos',
  todo: '/todos/:id',
  reminders: '/reminders',
  reminder: '/reminders/:id',
  projects: '/projects',
  project: '/projects/:id',
  task: '/projects/:id/tasks/:task',
  people: '/people',
  person: '/people/:id',
  connections: '/connections',
  connection: '/connections/:id',
  notifications: '/notifications',
  search: '/search',
  settings: '/settings',
  settingsPage: '/settings/:page',
  settingsProfile: '/settings/profile',
  settingsTimes: '/settings/calendar',
  settingsSharing: '/settings/sharing',
  settingsPush: '/settings/push',
  settingsAccount: '/settings/account',
  settingsAppearance: '/settings/appearance',
  settingsShortcuts: '/settings/shortcuts',
  settingsSecurity: '/settings/security',
  settingsTokens: '/settings/security/tokens',
  settingsSessions: '/settings/sessions',
  settingsAssistants: '/settings/assistants',
  settingsData: '/settings/data',
  settingsCalendars: '/settings/calendars',
  settingsCalendar: '/settings/calendars/:id',
  trash: '/trash',
  recentChanges: '/trash/changes',
  admin: '/admin',
  adminUsers: '/admin/users',
  adminUser: '/admin/users/:id',
  adminSettings: '/admin/settings',
  adminAudit: '/admin/audit',
} as const

export const calendarAddress = (view: View, date: Temporal.PlainDate): string =>
  `/calendar/${view}/${date.toString()}`

export const reminderAddress = (id: number): string => `/reminders/${id}`

/** A todo beside the list that the query chooses. */
export const todoAddress = (id: number, search = ''): string => addressWith(`/todos/${id}`, search)

/** A new project begins in a dialog over the list of all. */
export const NEW_PROJECT = `${PATTERNS.projects}?new=project`

export const projectAddress = (id: number): string => `/projects/${id}`

export const taskAddress = (projectId: number, id: number): string => `/projects/${projectId}/tasks/${id}`

/** The list of calendars, with the focus in the field for another one. */
export const NEW_CALENDAR = `${PATTERNS.settingsCalendars}?new=calendar`

export const calendarSettingsAddress = (id: number): string => `/settings/calendars/${id}`
export const connectionAddress = (id: number): string => `/connections/${id}`

/** An occurrence is named by its original start, an instant or a date. */
export const eventAddress = (id: number, occurrence?: string): string =>
  `/events/${id}${occurrence === undefined ? '' : `?occurrence=${encodeURIComponent(occurrence)}`}`

/** The editor of a new person, over the list. */
export const NEW_PERSON = '/people?show=new'

/** The person whose birthday this is: the calendar knows only its day and its title. */
export const birthdayAddress = (date: string, title: string): string =>
  `/people?birthday=${date}&of=${encodeURIComponent(title)}`

/** A path with its query, if there is one. */
export const addressWith = (path: string, search: string): string =>
  search === '' ? path : `${path}?${search}`

/** Whether an address belongs to the sign-in family, which has nothing for somebody who is signed in. */
export const isEnterAddress = (address: string): boolean =>
  /^\/(setup|sign-in|register|second-factor|change-password)\b/.test(address)

/** A new event from one instant to another, or from one day to another, both included. */
export const newEventAddress = (from: string, to: string): string =>
  `/events/new?from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}`

/**
 * Where to go after signing in. Only an address of this client is followed, so that a link cannot lead somebody away
 * (`//host`, `/\host` and other schemes are refused), and no page of the sign-in family.
 */
export function nextAddress(search: string): string {
  const next = new URLSearchParams(search).get('next') ?? ''
  const isOwn = /^\/(?![/\\])/.test(next) && URL.canParse(next, location.origin)
  if (!isOwn || new URL(next, location.origin).origin !== location.origin) return PATTERNS.today
  return isEnterAddress(next) ? PATTERNS.today : next
}

export const signInAddress = (from: string): string =>
  from === '/' ? PATTERNS.signIn : `${PATTERNS.signIn}?next=${encodeURIComponent(from)}`

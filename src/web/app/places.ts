import type { IconName } from '../parts/Icon'
import { PATTERNS } from './addresses'

/** The ten places of the navigation, in its order. */
export const PLACES = [
  { name: 'today', path: PATTERNS.today, icon: 'today', key: 't' },
  { name: 'calendar', path: PATTERNS.calendar, icon: 'calendar', key: 'c' },
  { name: 'todos', path: PATTERNS.todos, icon: 'todos', key: 'o' },
  { name: 'reminders', path: PATTERNS.reminders, icon: 'reminders', key: 'r' },
  { name: 'projects', path: PATTERNS.projects, icon: 'projects', key: 'j' },
  { name: 'people', path: PATTERNS.people, icon: 'people', key: 'p' },
  { name: 'connections', path: PATTERNS.connections, icon: 'connections', key: undefined },
  { name: 'notifications', path: PATTERNS.notifications, icon: 'notifications', key: 'n' },
  { name: 'settings', path: PATTERNS.settings, icon: 'settings', key: 's' },
  { name: 'administration', path: PATTERNS.admin, icon: 'administration', key: undefined },
] as const satisfies ReadonlyArray<{
  readonly name: string
  readonly path: string
  readonly icon: IconName
  /** The letter after `g` that goes there. */
  readonly key: string | undefined
}>

export type MainPlace = (typeof PLACES)[number]
export type PlaceName = MainPlace['name']

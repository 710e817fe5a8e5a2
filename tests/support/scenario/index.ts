import { newcomers, settings, signIn } from './accounts'
import { administration } from './administration'
import { calendars, events, invitations } from './calendar'
import { addressBooks, connections, partings, people } from './network'
import type { Step } from './steps'
import { projects, reminders, todos } from './tasks'

/** Every feature, used by two people and their administrator: one list, in which later steps build on earlier ones. */
export const SCENARIO: readonly Step[] = [
  ...newcomers,
  ...signIn,
  ...settings,
  ...calendars,
  ...events,
  ...todos,
  ...reminders,
  ...projects,
  ...addressBooks,
  ...people,
  ...connections,
  ...invitations,
  ...partings,
  ...administration,
]

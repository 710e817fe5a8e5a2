import type { Deps } from '../../../deps'
import { mayRead } from '../../../lib/scopes'
import { addDaysTo } from '../../../lib/time/wall-time'
import { upcomingBirthdays } from '../../people/birthdays/service'
import { listEventsOfDay } from '../../events/windows/service'
import { countUnread } from '../../notifications/notifications/service'
import { listReminders } from '../../tasks/reminders/service'
import { type Reader, todayOf } from '../../../access/reader/service'
import { listTrackedTasks } from '../../tasks/tasks/service'
import { listDueTodos } from '../../tasks/todos/service'
import type { DashboardQuery, DashboardView } from './model'

/** The most records that each list shows. */
const LIMIT = 50
const DAYS_AHEAD = 7

const NO_EVENTS = { events: [], invitations_truncated: false }
const NO_TODOS = { overdue: [], today: [] }
const NO_REMINDERS = { reminders: [] }
const NO_TASKS = { tasks: [] }

/**
 * Returns an overview of one of the user's days. The number of queries does not depend on how much the user has
 * (contract: overview.dashboard). Lists of areas that the caller's access token may not read are empty.
 */
export async function readDashboard(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  reader: Reader,
  { date = todayOf(deps, reader.owner) }: DashboardQuery,
): Promise<DashboardView> {
  const calendars = mayRead(reader, 'calendars')
  const tasks = mayRead(reader, 'tasks')
  const ahead = { from: date, to: addDaysTo(date, DAYS_AHEAD) }
  const [{ events, invitations_truncated }, todos, due, upcoming, tracked, birthdays, unread_count] =
    await Promise.all([
      calendars ? listEventsOfDay(deps, reader, date, LIMIT) : NO_EVENTS,
      tasks ? listDueTodos(deps, reader.userId, date, LIMIT) : NO_TODOS,
      tasks ? listReminders(deps, reader, { state: 'due', limit: LIMIT }) : NO_REMINDERS,
      tasks ? listReminders(deps, reader, { state: 'upcoming', ...ahead, limit: LIMIT }) : NO_REMINDERS,
      tasks ? listTrackedTasks(deps, reader, { days: DAYS_AHEAD, limit: LIMIT }, date) : NO_TASKS,
      calendars ? upcomingBirthdays(deps, reader, DAYS_AHEAD, date) : [],
      countUnread(deps, reader.userId),
    ])
  return {
    date,
    events,
    invitations_truncated,
    todos,
    reminders: { due: due.reminders, upcoming: upcoming.reminders },
    tasks: tracked.tasks,
    birthdays: birthdays.slice(0, LIMIT),
    unread_count,
  }
}

import type { Deps } from '../../deps'
import { formatInstant } from '../../lib/time'
import { addDaysTo } from '../../lib/wall-time'
import { celebrationsBetween, monthDaysBetween } from '../birthdays/rules'
import type { VisibleCalendar } from '../calendar-access/rules'
import type { EventView } from '../events/model'
import type { Span } from '../events/rules.recurrence'
import { displayName } from '../people/rules'
import * as q from './queries'

type Person = Awaited<ReturnType<typeof q.withBirthday>>[number]
type Celebration = ReturnType<typeof celebrationsBetween>[number]

/** The birthdays that the Birthdays calendar shows, where it is among `calendars` (contract, section 8). */
export async function birthdayEvents(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  calendars: readonly VisibleCalendar[],
  { fromDay, toDay }: Span,
): Promise<EventView[]> {
  const calendar = calendars.find(({ isSystem }) => isSystem)
  if (!calendar) return []
  const lastDay = addDaysTo(toDay, -1)
  const people = await q.withBirthday(db, calendar.ownerId, monthDaysBetween(fromDay, lastDay))
  return people.flatMap((person) =>
    celebrationsBetween(person.birthday ?? '', fromDay, lastDay).map((celebration) =>
      toView(config.timeZone, calendar, person, celebration),
    ),
  )
}

const toView = (
  serverZone: string,
  calendar: VisibleCalendar,
  person: Person,
  { date, turns }: Celebration,
): EventView => ({
  id: null,
  calendar_id: calendar.id,
  calendar_name: calendar.name,
  calendar_color: calendar.color,
  title: `${displayName(person)}'s birthday${turns === null ? '' : ` (${turns})`}`,
  description: null,
  location: null,
  all_day: true,
  start_at: null,
  end_at: null,
  time_zone: null,
  start_date: date,
  end_date: date,
  recurrence_rule: null,
  recurrence_unsupported: false,
  reminder_minutes: null,
  access: 'read',
  my_invitation: null,
  is_virtual: true,
  occurrence_start: null,
  is_override: false,
  version: person.version,
  created_at: formatInstant(serverZone, person.createdAt),
  updated_at: formatInstant(serverZone, person.updatedAt),
})

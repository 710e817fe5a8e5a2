import type { ReadDeps } from '../../../deps'
import { formatInstant } from '../../../lib/time/time'
import { addDaysTo } from '../../../lib/time/wall-time'
import { celebrationsBetween, monthDaysBetween } from '../../../lib/time/birthdays'
import type { VisibleCalendar } from '../../../access/calendars/rules'
import type { EventView } from '../events/model'
import type { Span } from '../events/rules.recurrence'
import { displayName } from '../../../lib/person-name'
import * as q from './queries'

type Person = Awaited<ReturnType<typeof q.withBirthday>>[number]
type Celebration = ReturnType<typeof celebrationsBetween>[number]

interface Looking {
  /** The most that the caller needs. */
  readonly most: number
  readonly isWanted: (view: EventView) => boolean
  readonly pause: () => Promise<void>
}

/** Returns the birthdays for the Birthdays calendar if it is among `calendars` (contract: events.birthdays). */
export async function birthdayEvents(
  { db, config }: ReadDeps,
  calendars: readonly VisibleCalendar[],
  { fromDay, toDay }: Span,
  { most, isWanted, pause }: Looking,
): Promise<EventView[]> {
  const calendar = calendars.find(({ isSystem }) => isSystem)
  if (!calendar) return []
  const lastDay = addDaysTo(toDay, -1)
  const monthDays = monthDaysBetween(fromDay, lastDay)
  const views: EventView[] = []
  for (let afterId = 0; ;) {
    const people = await q.withBirthday(db, calendar.ownerId, monthDays, afterId)
    for (const person of people) {
      const days = celebrationsBetween(person.birthday ?? '', fromDay, lastDay)
      views.push(...days.map((day) => toView(config.timeZone, calendar, person, day)).filter(isWanted))
      await pause()
    }
    if (people.length < q.PAGE || views.length >= most) return views
    afterId = people.at(-1)?.id ?? 0
  }
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
  visibility: 'public',
  access: 'read',
  my_invitation: null,
  is_virtual: true,
  occurrence_start: null,
  is_override: false,
  version: person.version,
  created_at: formatInstant(serverZone, person.createdAt),
  updated_at: formatInstant(serverZone, person.updatedAt),
})

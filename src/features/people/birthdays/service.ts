import type { Deps } from '../../../deps'
import { addDaysTo } from '../../../lib/time/wall-time'
import { displayName } from '../../../lib/person-name'
import { type Reader, todayOf } from '../../../access/reader/service'
import type { BirthdayView } from './model'
import * as q from './queries'
import { celebrationsBetween, monthDaysBetween } from '../../../lib/time/birthdays'

const DEFAULT_DAYS = 30

/**
 * Returns the birthdays of the user's people from a day (default: the user's today) to `days` after it, by date, then by name.
 */
export async function upcomingBirthdays(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  { userId, owner }: Reader,
  days = DEFAULT_DAYS,
  from = todayOf(deps, owner),
): Promise<BirthdayView[]> {
  const last = addDaysTo(from, days)
  const collator = new Intl.Collator('en', { sensitivity: 'base' })
  const rows = await q.list(deps.db, userId, monthDaysBetween(from, last))
  return rows
    .flatMap((row) =>
      celebrationsBetween(row.birthday ?? '', from, last).map(({ date, turns }) => ({
        person_id: row.id,
        name: displayName(row),
        date,
        turns,
      })),
    )
    .toSorted(
      (a, b) =>
        (a.date < b.date ? -1 : Number(a.date > b.date)) ||
        collator.compare(a.name, b.name) ||
        a.person_id - b.person_id,
    )
}

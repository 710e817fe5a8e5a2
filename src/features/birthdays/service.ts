import type { Deps } from '../../deps'
import { dayIn } from '../../lib/time'
import { displayName } from '../people/rules'
import { type Owner, zoneOf } from '../settings/service'
import type { BirthdayView } from './model'
import * as q from './queries'
import { celebrationsBetween } from './rules'

const DEFAULT_DAYS = 30

/** The birthdays of the user's people from their today to `days` after, by date, then name. */
export async function upcomingBirthdays(
  { db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>,
  userId: number,
  owner: Owner | undefined,
  days = DEFAULT_DAYS,
): Promise<BirthdayView[]> {
  const today = dayIn(zoneOf(config, owner), clock.now())
  const last = Temporal.PlainDate.from(today).add({ days }).toString()
  const collator = new Intl.Collator('en', { sensitivity: 'base' })
  const rows = await q.list(db, userId)
  return rows
    .flatMap((row) =>
      celebrationsBetween(row.birthday ?? '', today, last).map(({ date, turns }) => ({
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

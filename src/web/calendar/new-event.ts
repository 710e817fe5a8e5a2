import { newEventAddress } from '../app/addresses'
import { daySpan } from '../time/days'
import { now } from '../time/now'
import { type Draft, timesOfDraft } from './moving/draft'
import type { Period } from './period'
import { placeAt } from './use-walk'

const FIRST_HOUR = 9

/** The editor for an event of these times. */
export function addressOfDraft(draft: Draft): string {
  const times = timesOfDraft(draft)
  return 'start_at' in times
    ? newEventAddress(times.start_at, times.end_at)
    : newEventAddress(times.start_date, times.end_date)
}

/** The editor for an hour on the focused day: the next whole one if it is today, else at nine. */
export function addressOfNew(period: Period, zone: string): string {
  const focused = document.activeElement instanceof HTMLElement ? placeAt(document.activeElement) : undefined
  const at = now().toZonedDateTimeISO(zone)
  const today = at.toPlainDate()
  const shown = period.days.find((day) => day.equals(today)) ?? period.date
  const date = focused === undefined ? shown : Temporal.PlainDate.from(focused.date)
  const next = at.round({ smallestUnit: 'hour', roundingMode: 'ceil' }).toInstant()
  const start = date.equals(today)
    ? next
    : Temporal.Instant.fromEpochMilliseconds(daySpan(date, zone).startMs).add({ hours: FIRST_HOUR })
  return newEventAddress(start.toString(), start.add({ hours: 1 }).toString())
}

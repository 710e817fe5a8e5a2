import type { FreeBusyBody, FreeBusyView } from '../../features/events/free-times/model'
import { daysFrom, weekStart } from '../time/days'
import { type DateForms, type EventDraft, isZone, readSpan, shownDate, shownTime } from './draft'

/** When of the day a time is looked for. */
export type TimeOfDay = 'work' | 'day' | 'evening' | 'any'

const HOURS: Readonly<Record<TimeOfDay, FreeBusyBody['hours']>> = {
  work: { from: '09:00', to: '17:00', days: ['MO', 'TU', 'WE', 'TH', 'FR'] },
  day: { from: '08:00', to: '20:00' },
  evening: { from: '18:00', to: '22:00' },
  any: undefined,
}

/** The lengths for which the service finds times. */
const MIN_MINUTES = 5
const MAX_MINUTES = 1440

/** When an event starts and how long it is; undefined where that cannot be read or the service finds no time for it. */
export function lengthOf(draft: EventDraft, forms: DateForms) {
  const { startDay, startTime, endDay, endTime } = readSpan(draft, forms)
  if (!startDay || !startTime || !endDay || !endTime || !isZone(draft.timeZone)) return undefined
  const start = startDay.toPlainDateTime(startTime).toZonedDateTime(draft.timeZone)
  const end = endDay.toPlainDateTime(endTime).toZonedDateTime(draft.timeZone)
  const minutes = Math.round((end.epochMilliseconds - start.epochMilliseconds) / 60_000)
  return minutes < MIN_MINUTES || minutes > MAX_MINUTES ? undefined : { start: start.toInstant(), minutes }
}

/** The days to look for a time in. */
export interface SearchPeriod {
  readonly name: string
  readonly first: Temporal.PlainDate
  readonly last: Temporal.PlainDate
}

/** The week of the event, the week after, and each of their days; of what has passed nothing. */
export function periodsAround(
  eventDay: Temporal.PlainDate,
  today: Temporal.PlainDate,
  firstDay: number,
): readonly [SearchPeriod, ...SearchPeriod[]] {
  const day = Temporal.PlainDate.compare(eventDay, today) < 0 ? today : eventDay
  const first = weekStart(day, firstDay)
  const days = daysFrom(first, 14).filter((each) => Temporal.PlainDate.compare(each, today) >= 0)
  return [
    { name: 'week', first, last: first.add({ days: 6 }) },
    { name: 'next-week', first: first.add({ days: 7 }), last: first.add({ days: 13 }) },
    ...days.map((each) => ({ name: each.toString(), first: each, last: each })),
  ]
}

interface TimeWish {
  readonly minutes: number
  readonly period: SearchPeriod
  readonly hours: TimeOfDay
  readonly guests: readonly number[]
  /** The event that is to be moved. */
  readonly eventId: number | undefined
}

/** An event has at most 20 guests. */
const MOST_GUESTS = 20

/** What the service is asked. */
export const bodyFor = ({ minutes, period, hours, guests, eventId }: TimeWish): FreeBusyBody => ({
  from: period.first.toString(),
  to: period.last.add({ days: 1 }).toString(),
  minutes,
  with: guests.slice(0, MOST_GUESTS),
  ...(HOURS[hours] && { hours: HOURS[hours] }),
  ...(eventId !== undefined && { except_event_id: eventId }),
})

export type Proposal = FreeBusyView['proposals'][number]

/** The fields of an event that takes place then, on the clocks of its own zone. */
export function fieldsAt({ from, to }: Proposal, { timeZone }: EventDraft, { locale }: DateForms) {
  const [start, end] = [from, to].map((at) => Temporal.Instant.from(at).toZonedDateTimeISO(timeZone))
  if (!start || !end) return {}
  return {
    startDate: shownDate(start.toPlainDate(), locale),
    startTime: shownTime(start.toPlainTime()),
    endDate: shownDate(end.toPlainDate(), locale),
    endTime: shownTime(end.toPlainTime()),
  }
}

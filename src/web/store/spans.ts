import type { EventView } from '../../features/events/events/model'

/** Days from one to another, which is not included. */
export interface Days {
  readonly from: Temporal.PlainDate
  readonly to: Temporal.PlainDate
}
export const covers = (outer: Days, inner: Days): boolean =>
  Temporal.PlainDate.compare(outer.from, inner.from) <= 0 &&
  Temporal.PlainDate.compare(inner.to, outer.to) <= 0

const monthOf = (day: Temporal.PlainDate) => day.toPlainYearMonth()

/** The months from one day to another, which is not included, and one more on each side. */
export function monthsAround(from: Temporal.PlainDate, to: Temporal.PlainDate): string[] {
  const last = monthOf(to).add({ months: 1 })
  const months: string[] = []
  for (let month = monthOf(from).subtract({ months: 1 }); Temporal.PlainYearMonth.compare(month, last) <= 0;)
    months.push((month = month.add({ months: 1 })).subtract({ months: 1 }).toString())
  return months
}

interface EventSpan {
  readonly from: number
  readonly to: number
}
const spans = new WeakMap<EventView, EventSpan>()
/** In milliseconds since 1970; of an all-day event as if its days were those of UTC. */
export function spanOf(event: EventView): EventSpan {
  const known = spans.get(event)
  if (known) return known
  const span = event.all_day
    ? { from: dayMs(event.start_date), to: dayMs(event.end_date) + 1 }
    : { from: instantMs(event.start_at), to: instantMs(event.end_at) }
  spans.set(event, span)
  return span
}
export const dayMs = (day: string | null): number =>
  Temporal.PlainDate.from(day ?? '1970-01-01').toZonedDateTime('UTC').epochMilliseconds
const instantMs = (instant: string | null) =>
  Temporal.Instant.from(instant ?? '1970-01-01T00:00Z').epochMilliseconds

export const byStart = (one: EventView, other: EventView): number =>
  spanOf(one).from - spanOf(other).from ||
  spanOf(other).to - spanOf(one).to ||
  (one.id ?? 0) - (other.id ?? 0)

type Dates = Pick<EventView, 'start_date' | 'end_date' | 'start_at' | 'end_at' | 'recurrence_rule'>

interface Reach {
  readonly from: string
  readonly to: string
}
export const isWithin = (month: string, { from, to }: Reach): boolean => month >= from && month <= to

/** The months that an event can have occurrences in; of an occurrence, those that it is in. */
export function reachOf(
  event: Dates & { overrides?: readonly unknown[]; occurrence_start?: string | null },
): Reach {
  const starts = Temporal.PlainDate.from(event.start_date ?? event.start_at?.slice(0, 10) ?? '1970-01-01')
  const ends = Temporal.PlainDate.from(event.end_date ?? event.end_at?.slice(0, 10) ?? starts)
  const isSeries = event.recurrence_rule !== null && (event.occurrence_start ?? null) === null
  // A zone may put the time on the day before or after.
  return {
    from: monthOf(starts.subtract({ days: 1 })).toString(),
    to: isSeries ? '9999-12' : monthOf(ends.add({ days: 1 })).toString(),
  }
}

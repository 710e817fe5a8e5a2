const MINUTE_MS = 60_000

/** A local day as a span of time. */
export interface DaySpan {
  readonly date: Temporal.PlainDate
  /** In epoch milliseconds. */
  readonly startMs: number
  /** In epoch milliseconds, exclusive. */
  readonly endMs: number
  /** What really passes in it: 1 380, 1 440 or 1 500 in most zones. */
  readonly minutes: number
}

/** A day begins where its midnight is, or where the clocks land if they skip it. */
export function daySpan(date: Temporal.PlainDate, zone: string): DaySpan {
  const startMs = date.toZonedDateTime(zone).epochMilliseconds
  const endMs = date.add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds
  return { date, startMs, endMs, minutes: Math.round((endMs - startMs) / MINUTE_MS) }
}

/** Consecutive days. */
export const daysFrom = (first: Temporal.PlainDate, count: number): readonly Temporal.PlainDate[] =>
  Array.from({ length: count }, (_, index) => first.add({ days: index }))

/** The first day of the week of a date; weeks begin on Sunday (0) or Monday (1). */
export function weekStart(date: Temporal.PlainDate, firstDay: number): Temporal.PlainDate {
  const daysInto = (date.dayOfWeek - firstDay + 7) % 7
  return date.subtract({ days: daysInto })
}

/** The weeks that show a whole month, each by its first day. */
export function monthWeeks(date: Temporal.PlainDate, firstDay: number): readonly Temporal.PlainDate[] {
  const first = weekStart(date.with({ day: 1 }), firstDay)
  const last = date.with({ day: date.daysInMonth })
  const count = Math.floor(first.until(last).days / 7) + 1
  return Array.from({ length: count }, (_, index) => first.add({ weeks: index }))
}

/** The ISO number of the week that most of these seven days belong to. */
export const weekNumber = (first: Temporal.PlainDate): number => first.add({ days: 3 }).weekOfYear ?? 0

/** The local date of a moment. */
export const dateAt = (at: Temporal.Instant, zone: string): Temporal.PlainDate =>
  at.toZonedDateTimeISO(zone).toPlainDate()

/** A date from an address or from the service; undefined if it is none. */
export function readDate(text: string): Temporal.PlainDate | undefined {
  try {
    return /^\d{4}-\d\d-\d\d$/.test(text) ? Temporal.PlainDate.from(text, { overflow: 'reject' }) : undefined
  } catch {
    return undefined
  }
}

import { DAY_MS, type WallTime } from '../../../lib/time/wall-time'
import { instantAt, wallAt } from '../../../lib/time/zone'

/** As in a recurrence rule (RFC 5545, section 3.3.10). */
export const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const

/** The times of day within which proposals lie, as `HH:MM`; `to` 00:00 is the midnight after. */
export interface Hours {
  readonly from: string
  readonly to: string
  /** Undefined for all days. */
  readonly days?: ReadonlyArray<(typeof WEEKDAYS)[number]>
}

/** Where proposals may lie, in epoch milliseconds. */
export interface TimeSearch {
  readonly from: number
  readonly to: number
  readonly minutes: number
  /** In which the clock steps and `hours` are. */
  readonly zone: string
  readonly hours: Hours | undefined
}

const MINUTE = 60_000
const STEP = 15 * MINUTE

const sinceMidnight = (time: string): number =>
  (Number(time.slice(0, 2)) * 60 + Number(time.slice(3))) * MINUTE

/** Whether the times of day follow each other. */
export const isForward = ({ from, to }: Hours): boolean => to === '00:00' || to > from

/** The hours of the day that begins at `midnight`; undefined when it has none. */
function opening(zone: string, { from, to, days }: Hours, midnight: WallTime) {
  // 1970-01-01 was a Thursday.
  const weekday = WEEKDAYS[(((midnight / DAY_MS + 3) % 7) + 7) % 7]
  if (days && weekday && !days.includes(weekday)) return undefined
  const end = to === '00:00' ? DAY_MS : sinceMidnight(to)
  return {
    opens: instantAt(zone, midnight + sinceMidnight(from)),
    closes: instantAt(zone, midnight + end),
  }
}

const midnightBefore = (zone: string, at: number): WallTime => Math.floor(wallAt(zone, at) / DAY_MS) * DAY_MS

/** The first quarter of an hour on the clock at or after an instant. */
function quarterFrom(zone: string, at: number): number {
  const past = ((wallAt(zone, at) % STEP) + STEP) % STEP
  return past === 0 ? at : at + STEP - past
}

/** Ascending instants, each on a quarter of an hour of the clock, from which the length fits into the hours and the span. */
export function* starts({ from, to, minutes, zone, hours }: TimeSearch): Generator<number, void, void> {
  const latest = to - minutes * MINUTE
  let last: { readonly midnight: WallTime; readonly hours: ReturnType<typeof opening> } | undefined
  for (let at = quarterFrom(zone, from); at <= latest; at = quarterFrom(zone, at + STEP)) {
    if (!hours) {
      yield at
      continue
    }
    const midnight = midnightBefore(zone, at)
    if (last?.midnight !== midnight) last = { midnight, hours: opening(zone, hours, midnight) }
    const day = last.hours
    if (day && at >= day.opens && at + minutes * MINUTE <= day.closes) yield at
  }
}

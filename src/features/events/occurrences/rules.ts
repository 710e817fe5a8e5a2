import { DAY_MS, midnightOf, type WallTime } from '../../../lib/time/wall-time'
import { instantAt, wallAt } from '../../../lib/time/zone'
import type { Span } from '../events/rules.recurrence'
import type { Times } from '../events/rules.times'

/** The span that a reader looks at, and the zone in which their days begin. */
export interface Window extends Span {
  readonly zone: string
}

/** Instants in epoch milliseconds: lists hold thousands, and `Date`s are slower to compare. */
export interface Extent {
  readonly start: number
  readonly end: number
}

/** The instants that the times span for a reader whose days begin in `zone`. */
export const extentOf = (times: Times, zone: string): Extent =>
  times.allDay
    ? {
        start: instantAt(zone, midnightOf(times.startDate)),
        end: instantAt(zone, midnightOf(times.endDate) + DAY_MS),
      }
    : { start: times.startAt.getTime(), end: times.endAt.getTime() }

/**
 * Overlaps if it starts before the window ends and ends after it begins; without a duration, it may also start with the
 * window.
 */
export function overlaps(window: Window, { start, end }: Extent): boolean {
  const [from, to] = [window.from.getTime(), window.to.getTime()]
  return start < to && (end > from || (start === end && start >= from))
}

/**
 * A range of wall times, both ends included, that holds the starts of all occurrences of a series that may overlap a window.
 */
interface StartRange {
  readonly from: WallTime
  readonly to: WallTime
  /** The instant of `from`, in epoch milliseconds, by which the starts of several series are sorted. */
  readonly at: number
}

/** The range of starts for the series with these first times. */
export function startsNear(first: Times, window: Window): StartRange {
  if (first.allDay) {
    const length = midnightOf(first.endDate) - midnightOf(first.startDate)
    const from = midnightOf(window.fromDay) - length
    const to = midnightOf(window.toDay) - DAY_MS
    return { from, to, at: instantAt(window.zone, from) }
  }
  const { startAt, endAt, timeZone } = first
  const earliest = +window.from - (+endAt - +startAt)
  const from = Math.min(...nearby(timeZone, earliest))
  const to = Math.max(...nearby(timeZone, +window.to))
  return { from, to, at: earliest + from - wallAt(timeZone, earliest) }
}

/** Wall times that may correspond to the instant: no clock change is longer than a day. */
const nearby = (zone: string, instant: number): number[] => [
  wallAt(zone, instant),
  wallAt(zone, instant - DAY_MS) + DAY_MS,
]

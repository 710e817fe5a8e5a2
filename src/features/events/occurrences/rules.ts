import { DAY_MS, midnightOf, type WallTime } from '../../../lib/time/wall-time'
import { instantAt, wallAt } from '../../../lib/time/zone'
import type { Span } from '../events/rules.recurrence'
import type { Times } from '../events/rules.times'

/** What part of time somebody looks at, and the zone in which their days begin. */
export interface Window extends Span {
  readonly zone: string
}

/** Instants, in epoch milliseconds: lists hold thousands, and `Date`s take longer to compare. */
export interface Extent {
  readonly start: number
  readonly end: number
}

/** The instants that it takes up for somebody whose days begin in `zone`. */
export const extentOf = (times: Times, zone: string): Extent =>
  times.allDay
    ? {
        start: instantAt(zone, midnightOf(times.startDate)),
        end: instantAt(zone, midnightOf(times.endDate) + DAY_MS),
      }
    : { start: times.startAt.getTime(), end: times.endAt.getTime() }

/** What begins before the window ends and ends after it begins; what takes no time is in it from its beginning on. */
export function overlaps(window: Window, { start, end }: Extent): boolean {
  const [from, to] = [window.from.getTime(), window.to.getTime()]
  return start < to && (end > from || (start === end && start >= from))
}

/** Wall times of a series between which all occurrences start that may overlap a window, both included. */
interface StartRange {
  readonly from: WallTime
  readonly to: WallTime
  /** The instant of `from`, in epoch milliseconds: by it the starts of several series are put in order. */
  readonly at: number
}

/** Where the occurrences of the series with these first times start. */
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

/** Wall times that may stand for the instant: no gap or repetition of the clocks is longer than a day. */
const nearby = (zone: string, instant: number): number[] => [
  wallAt(zone, instant),
  wallAt(zone, instant - DAY_MS) + DAY_MS,
]

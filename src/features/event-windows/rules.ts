import { invalid } from '../../lib/errors'
import { dayIn, parseDateTime } from '../../lib/time'
import { addDaysTo, instantOf, midnightOf, wallIn } from '../../lib/wall-time'
import { instantAt } from '../../lib/zone'
import type { Span } from '../events/rules.recurrence'
import type { Times } from '../events/rules.times'

/** What part of time somebody looks at, and the zone in which their days begin. */
export interface Window extends Span {
  readonly zone: string
}

interface Zones {
  readonly server: string
  readonly reader: string
}

const MAX_DAYS = 400
const DAY_MS = 86_400_000

/** The most occurrences that one answer holds. */
export const MAX_OCCURRENCES = 5000

/**
 * The window from one day or date-time to another; a day stands for its beginning.
 * @throws {AppError} 422 where it is longer than 400 days, or ends before it begins.
 */
export function readWindow(given: { readonly from: string; readonly to: string }, zones: Zones): Window {
  const zone = zones.reader
  const [from, to] = [boundOf(given.from, zones), boundOf(given.to, zones)]
  const latest = instantOf(zone, wallIn(zone, from) + MAX_DAYS * DAY_MS)
  if (to <= from || to > latest) {
    const message = `must be after from, and at most ${MAX_DAYS} days after it`
    throw invalid([{ field: 'query.to', message }])
  }
  const lastDay = dayIn(zone, new Date(+to - 1))
  return { zone, from, to, fromDay: dayIn(zone, from), toDay: addDaysTo(lastDay, 1) }
}

const boundOf = (text: string, { server, reader }: Zones): Date =>
  parseDateTime(server, text) ?? instantOf(reader, midnightOf(text))

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

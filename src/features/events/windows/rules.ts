import { invalid } from '../../../lib/errors'
import { dayIn, parseDateTime } from '../../../lib/time/time'
import { addDaysTo, DAY_MS, instantOf, midnightOf, wallIn } from '../../../lib/time/wall-time'
import type { Window } from '../occurrences/rules'

interface Zones {
  readonly server: string
  readonly reader: string
}

const MAX_DAYS = 400

/** The most occurrences in one response and their most bytes, without invitations. */
export const MAX_OCCURRENCES = 5000
export const MAX_BYTES = 8 * 1024 * 1024

/**
 * Reads a window from one day or date-time to another; a day stands for its beginning. `place` is the part of the request that
 * names it.
 * @throws {AppError} 422 when it is longer than 400 days, or ends before it begins.
 */
export function readWindow(
  given: { readonly from: string; readonly to: string },
  zones: Zones,
  place = 'query',
): Window {
  const zone = zones.reader
  const [from, to] = [boundOf(given.from, zones), boundOf(given.to, zones)]
  const latest = instantOf(zone, wallIn(zone, from) + MAX_DAYS * DAY_MS)
  if (to <= from || to > latest) {
    const message = `must be after from, and at most ${MAX_DAYS} days after it`
    throw invalid([{ field: `${place}.to`, message }])
  }
  const lastDay = dayIn(zone, new Date(+to - 1))
  return { zone, from, to, fromDay: dayIn(zone, from), toDay: addDaysTo(lastDay, 1) }
}

const boundOf = (text: string, { server, reader }: Zones): Date =>
  parseDateTime(server, text) ?? instantOf(reader, midnightOf(text))

/** The sort keys of a response. */
export interface Placed {
  /** In epoch milliseconds. */
  readonly start: number
  readonly allDay: boolean
  readonly id: number
}

/** Sorts by start, all-day before timed, then by id and original start. */
export const inOrder = <T extends Placed>(items: readonly T[]): T[] =>
  items.toSorted((a, b) => a.start - b.start || Number(b.allDay) - Number(a.allDay) || a.id - b.id)

/** Returns the first items that fit both limits. */
export function within<T>(
  items: readonly T[],
  { count, bytes }: { readonly count: number; readonly bytes: number },
  bytesOf: (item: T) => number,
): T[] {
  let left = bytes
  const end = items.findIndex((item, index) => index >= count || (left -= bytesOf(item)) < 0)
  return end < 0 ? [...items] : items.slice(0, end)
}

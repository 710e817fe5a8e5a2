import { parseDateTime } from './time'
import { instantAt, wallAt } from './zone'

/** A local time without a zone: milliseconds from 1970-01-01T00:00 on a clock that never changes. */
export type WallTime = number

export const DAY_MS = 86_400_000

/**
 * Parses the formats of PostgreSQL and ISO 8601. Reads the usual form digit by digit, as `Date.parse` takes five times as
 * long.
 */
export function wallFromText(text: string): WallTime {
  const isUsual = text.length === 19 || (text[19] === '.' && text.length <= 23)
  if (!isUsual) return Date.parse(`${text.replace(' ', 'T')}Z`)
  // Missing digits of a fraction become NaN, and then 0.
  const digit = (index: number) => text.charCodeAt(index) - 48 || 0
  const two = (index: number) => digit(index) * 10 + digit(index + 1)
  const ms = digit(20) * 100 + two(21)
  return Date.UTC(two(0) * 100 + two(2), two(5) - 1, two(8), two(11), two(14), two(17), ms)
}

/** `YYYY-MM-DDTHH:MM:SS.mmm` */
export const wallToText = (wall: WallTime): string => new Date(wall).toISOString().slice(0, -1)

/** Midnight of a day. */
export const midnightOf = (day: string): WallTime => Date.parse(`${day}T00:00:00Z`)

export const dayOf = (wall: WallTime): string => wallToText(wall).slice(0, 10)

/** The local time in `zone` at `at`. */
export const wallIn = (zone: string, at: Date): WallTime => wallAt(zone, +at)

/** The instant of `wall` in `zone`: a time that daylight saving skips moves forward, and of a repeated one the first counts. */
export const instantOf = (zone: string, wall: WallTime): Date => new Date(instantAt(zone, wall))

/** An instant with its wall time; they do not match when daylight saving skips the wall time. */
export interface Moment {
  readonly at: Date
  readonly wall: WallTime
}

/** Parses a date-time; without an offset it is wall time in `zone`. Undefined for every other text. */
export function readMoment(zone: string, text: string): Moment | undefined {
  const at = parseDateTime(zone, text)
  if (!at) return undefined
  const hasOffset = /(?:z|[+\- ]\d\d:\d\d)$/i.test(text)
  const wall = hasOffset ? wallIn(zone, at) : Number(parseDateTime('UTC', text))
  return { at, wall }
}

export const daysBetween = (from: string, to: string): number => (midnightOf(to) - midnightOf(from)) / DAY_MS

export const addDaysTo = (day: string, days: number): string => dayOf(midnightOf(day) + days * DAY_MS)

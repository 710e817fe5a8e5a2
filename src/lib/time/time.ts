import { remembered } from '../remembered'
import { offsetMs } from './zone'

const SECOND = 1000
const MINUTE = 60 * SECOND
const DAY = 24 * 60 * MINUTE

export const addSeconds = (at: Date, seconds: number): Date => new Date(at.getTime() + seconds * SECOND)
export const addMinutes = (at: Date, minutes: number): Date => new Date(at.getTime() + minutes * MINUTE)
export const addHours = (at: Date, hours: number): Date => addMinutes(at, hours * 60)
export const addDays = (at: Date, days: number): Date => new Date(at.getTime() + days * DAY)

/** Whole seconds since the epoch. */
export const epochSeconds = (at: Date): number => Math.floor(at.getTime() / SECOND)

/** Whole minutes from `now` to `at`, rounded towards zero. */
export const minutesUntil = (at: Date, now: Date): number =>
  Math.trunc((at.getTime() - now.getTime()) / MINUTE)

/** The calendar day that `at` falls on in `zone`, as `YYYY-MM-DD`. */
export const dayIn = (zone: string, at: Date): string =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone).toPlainDate().toString()

/**
 * RFC 3339 in `zone`, with its offset: `2026-03-01T09:00:00+01:00`. Equal to `ZonedDateTime.toString`, which is several times
 * slower; as lists hold thousands of these, the parts are cached.
 */
export function formatInstant(zone: string, at: Date): string {
  const epochMs = at.getTime()
  const offset = offsetMs(zone, epochMs)
  const wall = epochMs + offset
  const day = Math.floor(wall / DAY)
  const minute = Math.floor((wall - day * DAY) / MINUTE)
  const rest = wall - day * DAY - minute * MINUTE
  const second = Math.floor(rest / SECOND)
  return `${dayText(day)}${minuteText(minute)}${twoDigits(second)}${fractionText(rest - second * SECOND)}${offsetText(offset)}`
}

const twoDigits = remembered(100, (number: number) => String(number).padStart(2, '0'))
const timeText = (minutes: number) => `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`

const dayText = remembered(1000, (day: number) => new Date(day * DAY).toISOString().slice(0, 11))
const minuteText = remembered(1440, (minute: number) => `${timeText(minute)}:`)
/** Without trailing zeros; empty for a whole second. */
const fractionText = remembered(1000, (ms: number) =>
  (ms / SECOND)
    .toFixed(3)
    .slice(1)
    .replace(/\.?0+$/, ''),
)
const offsetText = remembered(1000, (offset: number) => {
  const minutes = Math.round(Math.abs(offset) / MINUTE)
  return `${offset < 0 ? '-' : '+'}${timeText(minutes)}`
})

// The plus of an offset that a client did not percent-encode in a query arrives as a space.
const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})[Tt]((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?)([Zz]|[+\- ](?:[01]\d|2[0-3]):[0-5]\d)?$/

/**
 * Parses an RFC 3339 date-time of the years 1900 to 2200. Without an offset it is wall time in `zone`: a time that daylight
 * saving skips moves forward, and of a repeated one the first counts. Undefined for every other text.
 */
export function parseDateTime(zone: string, text: string): Date | undefined {
  const [, day = '', time = '', offset] = DATE_TIME.exec(text) ?? []
  if (!isDay(day)) return undefined
  const instant =
    offset === undefined
      ? Temporal.PlainDateTime.from(`${day}T${time}`).toZonedDateTime(zone).toInstant()
      : Temporal.Instant.from(`${day}T${time}${offset.replace(' ', '+')}`)
  return new Date(instant.epochMilliseconds)
}

/** Whether `text` is a calendar day, or `--MM-DD` for a day of any year. */
export const isBirthday = (text: string): boolean =>
  isDay(text) || (/^--\d{2}-\d{2}$/.test(text) && isDay(`2000${text.slice(1)}`))

const [FIRST_INSTANT, END_OF_TIME] = [Date.UTC(1900, 0, 1), Date.UTC(2201, 0, 1)]

/** Worded as the end of a sentence. */
export const OUT_OF_YEARS = 'must be in the years 1900 to 2200'

/** Whether an instant is in the years 1900 to 2200 in UTC; one given with an offset may be outside. */
export const isInYears = (instant: Date): boolean => +instant >= FIRST_INSTANT && +instant < END_OF_TIME

/** Whether `text` is a calendar day of the years 1900 to 2200, as `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text < '1900' || text > '2201') return false
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' }).toString() === text
  } catch {
    return false
  }
}

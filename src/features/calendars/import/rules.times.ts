import type { CalendarComponent, ContentLine } from '../../../lib/icalendar/icalendar'
import { isDay } from '../../../lib/time/time'
import {
  DAY_MS,
  addDaysTo,
  dayOf,
  instantOf,
  midnightOf,
  wallIn,
  type WallTime,
} from '../../../lib/time/wall-time'
import { readDuration } from '../../../lib/icalendar/duration'
import type { Series } from '../../events/events/rules.recurrence'
import type { Times } from '../../events/events/rules.times'

/** A component cannot be used. The message says why, as in `has no DTSTART`. */
export class Unusable extends Error {
  override name = 'Unusable'
}

/** The clocks that a wall time in a file refers to. */
export interface Clocks {
  /** The IANA zone that the event gets here. */
  readonly zone: string
  readonly toInstant: (wall: WallTime) => Date
  /** Set when no known zone matches the definition in the file: the wall time of an instant by that definition. */
  readonly foreign?: (at: Date) => WallTime
}

export const clocksOf = (zone: string): Clocks => ({ zone, toInstant: (wall) => instantOf(zone, wall) })

const UTC = clocksOf('UTC')

/** Resolves the zone names in a file. */
export interface Zones {
  /** For floating times: the importing user's zone. */
  readonly home: Clocks
  /** Undefined for an unknown name. */
  readonly find: (name: string, year: number) => Clocks | undefined
}

/** A day, or a time in a zone. */
export interface FileMoment {
  readonly isDay: boolean
  readonly wall: WallTime
  readonly clocks: Clocks
}

const MOMENT = /^(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d):?(\d\d):?(\d\d)?(Z)?)?$/i
const MAX_TZID_LENGTH = 500

/** @throws {Unusable} */
export function readMoment({ name, params }: ContentLine, text: string, zones: Zones): FileMoment {
  const [whole, year = '', month, date, hour, minute, second, utc] = MOMENT.exec(text.trim()) ?? []
  const day = `${year}-${month}-${date}`
  const seconds = secondsOf(hour, minute, second)
  if (isOutside(year)) throw new Unusable(`${name} is not in the years 1900 to 2200`)
  if (whole === undefined || seconds === undefined || !isDay(day)) {
    throw new Unusable(`${name} is no date or date-time`)
  }
  if (hour === undefined) return { isDay: true, wall: midnightOf(day), clocks: zones.home }
  const clocks = utc === undefined ? namedClocks(params['tzid'], Number(year), zones) : UTC
  return { isDay: false, wall: midnightOf(day) + seconds * 1000, clocks }
}

const isOutside = (year: string) => year !== '' && (year < '1900' || year > '2200')

/** Seconds of the day; a leap second is read as the second before it. Undefined for an impossible time. */
function secondsOf(hour = '0', minute = '0', second = '0'): number | undefined {
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return undefined
  return (Number(hour) * 60 + Number(minute)) * 60 + Math.min(Number(second), 59)
}

/** @throws {Unusable} for an unknown zone. */
function namedClocks(tzid: string | readonly string[] | undefined, year: number, zones: Zones): Clocks {
  if (tzid === undefined || tzid.length === 0) return zones.home
  const clocks = zones.find(String(tzid).slice(0, MAX_TZID_LENGTH), year)
  if (!clocks) throw new Unusable('has a time zone that is neither known nor defined in the file')
  return clocks
}

export const instantOfMoment = ({ wall, clocks }: FileMoment): Date => clocks.toInstant(wall)

/** The only line of that name; undefined when there is none. @throws {Unusable} when there are several. */
export function onlyLine({ lines }: CalendarComponent, wanted: string): ContentLine | undefined {
  const [line, ...more] = lines.filter(({ name }) => name === wanted)
  if (more.length > 0) throw new Unusable(`has more than one ${wanted}`)
  return line
}

const LAST_DAY = '2200-12-31'

/** The times of a component, in the zone named next to a start in UTC, if any. @throws {Unusable} */
export function readTimes(component: CalendarComponent, zones: Zones): Times & { readonly clocks: Clocks } {
  const line = onlyLine(component, 'DTSTART')
  if (!line) throw new Unusable('has no DTSTART')
  const start = readMoment(line, line.value, zones)
  const endLine = onlyLine(component, 'DTEND')
  const end = endLine && readMoment(endLine, endLine.value, zones)
  if (end && end.isDay !== start.isDay)
    throw new Unusable('begins with a day and ends with a time, or the reverse')
  const duration = end ? undefined : durationOf(component)
  const times = start.isDay
    ? { ...readDays(start, end, duration), clocks: start.clocks }
    : { ...readTimed(kept(component, start, zones), end, duration), clocks: start.clocks }
  refuseBackwards(times)
  return times
}

/** Applies the zone that our exports write next to a start in UTC, when the wall time would be ambiguous. */
function kept({ lines }: CalendarComponent, start: FileMoment, zones: Zones): FileMoment {
  const name = lines.find((line) => line.name === 'X-ORGANISER-TIME-ZONE')?.value
  const clocks = name === undefined || start.clocks !== UTC ? undefined : zones.find(name, 2000)
  if (!clocks) return start
  const at = instantOfMoment(start)
  return { isDay: false, wall: wallIn(clocks.zone, at), clocks: { ...clocks, toInstant: () => at } }
}

type Duration = NonNullable<ReturnType<typeof readDuration>>

function durationOf(component: CalendarComponent): Duration | undefined {
  const line = onlyLine(component, 'DURATION')
  if (!line) return undefined
  const duration = readDuration(line.value)
  if (!duration) throw new Unusable('DURATION is no duration')
  return duration
}

/** End days are exclusive in files and inclusive here; an end equal to the start means that one day. */
function readDays(start: FileMoment, end: FileMoment | undefined, duration: Duration | undefined): Times {
  const startDate = dayOf(start.wall)
  const length = duration ? duration.days + Math.ceil(duration.seconds / 86_400) : 1
  const after = end ? dayOf(end.wall) : addDaysTo(startDate, clamped(length))
  return { allDay: true, startDate, endDate: after === startDate ? startDate : addDaysTo(after, -1) }
}

/** Longer events end after the last year anyway. */
const MAX_DAYS = 200_000
const clamped = (days: number) => Math.max(-MAX_DAYS, Math.min(MAX_DAYS, days))

function readTimed(start: FileMoment, end: FileMoment | undefined, duration: Duration | undefined): Times {
  const { clocks } = start
  const startAt = instantOfMoment(start)
  const startWall = clocks.foreign ? wallIn(clocks.zone, startAt) : start.wall
  return {
    allDay: false,
    startAt,
    endAt: end ? instantOfMoment(end) : endAfter(start, duration),
    startWall,
    timeZone: clocks.zone,
  }
}

/** Days follow the clocks, shorter units do not (RFC 5545, section 3.3.6). */
function endAfter({ wall, clocks }: FileMoment, duration: Duration = { days: 0, seconds: 0 }): Date {
  const days = clamped(duration.days)
  const at = clocks.toInstant(wall)
  const then = days === 0 ? at : clocks.toInstant(wall + days * DAY_MS)
  return new Date(+then + Math.min(duration.seconds, MAX_DAYS * 86_400) * 1000)
}

/** @throws {Unusable} */
function refuseBackwards(times: Times): void {
  const isBackwards = times.allDay ? times.endDate < times.startDate : times.endAt < times.startAt
  if (isBackwards) throw new Unusable('ends before it starts')
  const last = times.allDay ? times.endDate : dayOf(wallIn(times.timeZone, times.endAt))
  if (last > LAST_DAY) throw new Unusable('ends after the year 2200')
}

/** The wall time in the series for a moment of the file. */
export function wallFor(first: Times, moment: FileMoment): WallTime {
  if (first.allDay) return midnightOf(dayOf(moment.wall))
  if (moment.isDay) return moment.wall + (first.startWall - midnightOf(dayOf(first.startWall)))
  const isSame = moment.clocks.zone === first.timeZone && !moment.clocks.foreign
  return isSame ? moment.wall : wallIn(first.timeZone, instantOfMoment(moment))
}

/** The occurrence at a moment of the file; undefined when the series has none there. */
export function locate(series: Series, moment: FileMoment): WallTime | undefined {
  const wall = wallFor(series.first, moment)
  if (series.has(wall)) return wall
  if (series.first.allDay || moment.isDay) return undefined
  return series.find(instantOfMoment(moment).toISOString())
}

/** The occurrences that an EXDATE names: in a timed series, a day names all occurrences of that day. */
export function located(series: Series, moment: FileMoment): WallTime[] {
  const { first } = series
  if (first.allDay || !moment.isDay) return [locate(series, moment) ?? []].flat()
  const [from, to] = [moment.wall, moment.wall + DAY_MS].map((wall) => instantOf(first.timeZone, wall))
  if (!from || !to) return []
  const fromDay = dayOf(moment.wall)
  return series
    .within({ from, to, fromDay, toDay: addDaysTo(fromDay, 1) }, 1440)
    .filter((wall) => dayOf(wall) === fromDay)
}

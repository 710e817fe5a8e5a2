import { readMoment, type FileMoment, Unusable, type Zones } from '../../calendars/import/rules.times'
import { readDuration } from '../../../lib/icalendar/duration'
import type { CalendarComponent, ContentLine } from '../../../lib/icalendar/icalendar'
import { isInYears } from '../../../lib/time/time'
import { DAY_MS, dayOf, instantOf, midnightOf, wallIn, type WallTime } from '../../../lib/time/wall-time'

/** A day and a time of day (`HH:MM:SS`) by the user's clocks; null for the whole day. */
export interface LocalTime {
  readonly date: string
  readonly time: string | null
}

export const lineNamed = ({ lines }: CalendarComponent, wanted: string): ContentLine | undefined =>
  lines.find(({ name }) => name === wanted)

/** What the line of that name says; undefined where there is none, or one that cannot be read. */
export function momentIn(component: CalendarComponent, wanted: string, zones: Zones): FileMoment | undefined {
  const line = lineNamed(component, wanted)
  return line && momentOf(line, line.value, zones)
}

/** What one value of a line says; undefined for one that cannot be read. */
export function momentOf(line: ContentLine, value: string, zones: Zones): FileMoment | undefined {
  try {
    return readMoment(line, value, zones)
  } catch (error) {
    if (!(error instanceof Unusable)) throw error
    return undefined
  }
}

const isUsual = (wall: WallTime) => isInYears(new Date(wall))

/** When a component is due, in years that JSON can say: by DUE, or by DTSTART and DURATION (RFC 5545, section 3.6.2). */
export function dueIn(component: CalendarComponent, zones: Zones): FileMoment | undefined {
  const due = dueSaidIn(component, zones)
  return due && isUsual(due.wall) && isInYears(instantIn(due)) ? due : undefined
}

function dueSaidIn(component: CalendarComponent, zones: Zones): FileMoment | undefined {
  const due = momentIn(component, 'DUE', zones)
  const start = momentIn(component, 'DTSTART', zones)
  const length = readDuration(lineNamed(component, 'DURATION')?.value ?? '')
  return due || !start || !length ? due : endOf(start, length)
}

function endOf(
  start: FileMoment,
  length: { readonly days: number; readonly seconds: number },
): FileMoment | undefined {
  const days = start.isDay ? length.days + Math.ceil((length.seconds * 1000) / DAY_MS) : length.days
  const wall = start.wall + days * DAY_MS
  if (!isUsual(wall)) return undefined
  if (start.isDay || length.seconds === 0) return { ...start, wall }
  const at = new Date(+start.clocks.toInstant(wall) + length.seconds * 1000)
  return isInYears(at) ? { ...start, wall: wallBy(start, at) } : undefined
}

/** The wall time of an instant by the clocks of a moment. */
export const wallBy = ({ clocks }: FileMoment, at: Date): WallTime =>
  clocks.foreign ? clocks.foreign(at) : wallIn(clocks.zone, at)

export const instantIn = ({ wall, clocks }: FileMoment): Date => clocks.toInstant(wall)

export function localOf(moment: FileMoment, home: string): LocalTime {
  if (moment.isDay) return { date: dayOf(moment.wall), time: null }
  const { clocks, wall } = moment
  const isHome = clocks.zone === home && !clocks.foreign
  const local = isHome ? wall : wallIn(home, instantIn(moment))
  return { date: dayOf(local), time: `${new Date(local).toISOString().slice(11, 16)}:00` }
}

export const wallOfLocal = ({ date, time }: LocalTime): WallTime =>
  midnightOf(date) + (time === null ? 0 : Date.parse(`1970-01-01T${time}Z`))

const digits = (wall: WallTime, isDay: boolean): string => {
  const text = new Date(wall).toISOString().replaceAll(/[-:]|\.\d+Z$/g, '')
  return isDay ? text.slice(0, 8) : text
}

export const inUtc = (at: Date): string => `${digits(+at, false)}Z`

/** A line that says a floating time, or a day. */
export const floatingLine = (name: string, local: LocalTime): string =>
  `${name}${local.time === null ? ';VALUE=DATE' : ''}:${digits(wallOfLocal(local), local.time === null)}`

/** A line that says a wall time of a zone. */
export const localLine = (name: string, zone: string, wall: WallTime): string =>
  `${name};TZID=${zone}:${digits(wall, false)}`

/** How a line writes times: in UTC, in a zone that it names, or floating. */
export interface Notation {
  readonly line: ContentLine
  readonly moment: FileMoment
}

/** A line of that name that says the wall time by the clocks of the notation. */
export function lineAt(name: string, wall: WallTime, { line, moment }: Notation): string {
  if (moment.isDay) return `${name};VALUE=DATE:${digits(wall, true)}`
  if (/Z\s*$/i.test(line.value)) return `${name}:${digits(wall, false)}Z`
  const tzid = line.params['tzid']
  if (tzid === undefined || tzid.length === 0) return `${name}:${digits(wall, false)}`
  const zone = String(tzid)
  return `${name};TZID=${/[:;,]/.test(zone) ? `"${zone}"` : zone}:${digits(wall, false)}`
}

/** The wall time that a local time is by the clocks of the notation. */
export const wallFor = (local: LocalTime, home: string, { moment }: Notation): WallTime =>
  moment.isDay || (moment.clocks.zone === home && !moment.clocks.foreign)
    ? wallOfLocal(local)
    : wallBy(moment, instantOf(home, wallOfLocal(local)))

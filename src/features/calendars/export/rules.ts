import { formatRule } from '../../../lib/recurrence/grammar'
import type { Until } from '../../../lib/recurrence/rule'
import { addDaysTo, dayOf, instantOf, midnightOf, wallIn, type WallTime } from '../../../lib/time/wall-time'
import type { Series } from '../../events/events/rules.recurrence'
import { type Texts, textsOf } from '../../events/events/rules.texts'
import type { Visibility } from '../../events/events/rules.visibility'
import { type Times, timesAt, wallOf } from '../../events/events/rules.times'
import { escapeComponent } from '../../../lib/icalendar/text'
import { linesOf, withClass } from './rules.kept'

/** An event with everything that the export writes. */
export interface Exported {
  readonly id: number
  readonly uid: string
  readonly version: number
  readonly updatedAt: Date
  readonly createdAt: Date
  readonly times: Times
  readonly texts: Texts
  readonly visibility: Visibility
  readonly series: Series | undefined
  /** The rule as the client wrote it. */
  readonly ruleText: string | null
  /** The lines of the component from which it was imported. */
  readonly kept: readonly string[]
  readonly occurrences: readonly ExportedOccurrence[]
}

/** An occurrence that differs from its series. */
export interface ExportedOccurrence {
  readonly wall: WallTime
  readonly isCancelled: boolean
  readonly times: Times
  readonly changes: Partial<Texts>
  readonly kept: readonly string[] | null
}

const digits = (instant: number) => new Date(instant).toISOString().replaceAll(/[-:]|\.\d+Z/g, '')
const inUtc = (at: Date) => `${digits(+at)}Z`
const dayDigits = (day: string) => day.replaceAll('-', '')

/** Whether the wall time in this zone identifies the instant; it does not for the second of two equal wall times. */
const isPlain = (zone: string, at: Date) => +instantOf(zone, wallIn(zone, at)) === +at

function point(name: string, times: Times, wall: WallTime): string {
  if (times.allDay) return `${name};VALUE=DATE:${dayDigits(dayOf(wall))}`
  return times.timeZone === 'UTC'
    ? `${name}:${digits(wall)}Z`
    : `${name};TZID=${times.timeZone}:${digits(wall)}`
}

const instantPoint = (name: string, zone: string, at: Date) =>
  zone === 'UTC' || !isPlain(zone, at)
    ? `${name}:${inUtc(at)}`
    : `${name};TZID=${zone}:${digits(wallIn(zone, at))}`

/** Names the event's zone when its start is written in UTC. */
const zoneBeside = (zone: string) => `X-ORGANISER-TIME-ZONE:${zone}`

/** A series is written with the wall time of its start, from which it counts. */
function timeLines(times: Times, isSeries: boolean): string[] {
  if (times.allDay) {
    const after = addDaysTo(times.endDate, 1)
    return [point('DTSTART', times, midnightOf(times.startDate)), point('DTEND', times, midnightOf(after))]
  }
  const { startAt, endAt, startWall, timeZone } = times
  const isNamed = isSeries || +instantOf(timeZone, startWall) === +startAt
  const start = isNamed
    ? [point('DTSTART', times, startWall)]
    : [`DTSTART:${inUtc(startAt)}`, zoneBeside(timeZone)]
  // DTEND must be later than DTSTART (RFC 5545, section 3.8.2.2), so an event without a duration has none.
  return +endAt === +startAt ? start : [...start, instantPoint('DTEND', timeZone, endAt)]
}

/** UNTIL is in UTC for a timed series (RFC 5545, section 3.3.10), and a day for an all-day one. */
function untilFor(until: Until, times: Times): Until {
  if (times.allDay) return { form: 'date', at: midnightOf(dayOf(until.at)) }
  if (until.form === 'instant') return until
  const wall = until.form === 'date' ? until.at + 86_399_000 : until.at
  return { form: 'instant', at: +instantOf(times.timeZone, wall) }
}

/**
 * The rule in a form that every program understands. Here the first start always belongs to the series and counts towards
 * COUNT; other programs ignore it when the rule does not produce it. In that case UNTIL replaces COUNT, and RDATE repeats the
 * start.
 */
function ruleLines(series: Series, given: string | null): string[] {
  const { first, rule, extras } = series
  if (rule.count === 1 && extras.length > 0) return listLines('RDATE', first, extras)
  const isNamed = series.namesFirst()
  const written = isNamed ? rule : { ...rule, ...endOf(series) }
  const text = formatRule({ ...written, until: written.until && untilFor(written.until, first) })
  const starts = isNamed ? extras : [wallOf(first), ...extras]
  return [
    `RRULE:${text === formatRule(rule) && given !== null ? given : text}`,
    ...listLines('RDATE', first, starts),
  ]
}

/** Replaces COUNT by the UNTIL that gives the same occurrences. */
function endOf({ first, rule, lastNamed }: Series) {
  const last = rule.count === undefined ? undefined : lastNamed()
  return last === undefined ? {} : { count: undefined, until: untilOf(timesAt(first, last)) }
}

const MAX_IN_LINE = 1000

/** Writes as few lines as possible without making them too long for other programs. */
function listLines(name: string, times: Times, walls: readonly WallTime[]): string[] {
  const lines: string[] = []
  for (let start = 0; start < walls.length; start += MAX_IN_LINE) {
    const [first = '', ...more] = walls
      .slice(start, start + MAX_IN_LINE)
      .map((wall) => point(name, times, wall))
    lines.push([first, ...more.map((line) => line.slice(line.lastIndexOf(':') + 1))].join(','))
  }
  return lines
}

const untilOf = (times: Times): Until =>
  times.allDay
    ? { form: 'date', at: midnightOf(times.startDate) }
    : { form: 'instant', at: Math.floor(+times.startAt / 1000) * 1000 }

/** SEQUENCE must never decrease, so it adds our versions to the number in the imported file. */
function sequence(kept: readonly string[], version: number): string[] {
  const before = kept.map((line) => /^SEQUENCE[^:]*:\s*(\d{1,8})\s*$/i.exec(line)?.[1]).find(Boolean)
  return [`SEQUENCE:${Number(before ?? 0) + version - 1}`]
}

const isSequence = (line: string) => /^SEQUENCE[;:]/i.test(line)

const component = (lines: readonly string[]) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT']

/** The components of an event: the series and each of its overrides. */
export function* eventLines(event: Exported): Generator<string[]> {
  const { uid, times, texts, series, kept, occurrences } = event
  const stamps = [
    `UID:${escapeComponent(uid)}`,
    `DTSTAMP:${inUtc(event.updatedAt)}`,
    `LAST-MODIFIED:${inUtc(event.updatedAt)}`,
    ...sequence(kept, event.version),
  ]
  const said = (own: readonly string[], now: Texts) => {
    const others = own.filter((line) => !isSequence(line))
    const lines = linesOf(withClass(others, event.visibility), now)
    const hasCreated = lines.some((line) => /^CREATED[;:]/i.test(line))
    return hasCreated ? lines : [`CREATED:${inUtc(event.createdAt)}`, ...lines]
  }
  const cancelled = occurrences.filter(({ isCancelled }) => isCancelled)
  yield component([
    ...stamps,
    ...timeLines(times, series !== undefined),
    ...(series ? ruleLines(series, event.ruleText) : []),
    ...cancelled.map(({ wall }) => point('EXDATE', times, wall)),
    ...said(kept, texts),
  ])
  for (const one of [...unnamedFirst(event), ...occurrences]) {
    if (one.isCancelled) continue
    yield component([
      ...stamps,
      point('RECURRENCE-ID', times, one.wall),
      ...timeLines(one.times, false),
      ...said(one.kept ?? kept, textsOf(texts, one.changes)),
    ])
  }
}

/** The first occurrence when its wall time would be read as an earlier instant, being the second of two equal wall times. */
function unnamedFirst({ times, series, occurrences }: Exported): ExportedOccurrence[] {
  if (!series || times.allDay || +instantOf(times.timeZone, times.startWall) === +times.startAt) return []
  if (occurrences.some(({ wall }) => wall === times.startWall)) return []
  return [{ wall: times.startWall, isCancelled: false, times, changes: {}, kept: null }]
}

/** How a file begins that has no name. */
export const OBJECT_HEAD = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//Organiser//Organiser//EN',
  'CALSCALE:GREGORIAN',
]

/** The lines before the events of a calendar. */
export const calendarHead = (name: string): string[] => [
  ...OBJECT_HEAD,
  `X-WR-CALNAME:${escapeComponent(name)}`,
]

export const CALENDAR_END = ['END:VCALENDAR']

/** A file name in plain letters, which every browser accepts. */
export const fileName = (name: string): string => {
  const plain = name
    .normalize('NFKD')
    .replace(/[^\w -]+/g, '')
    .trim()
    .replace(/\s+/g, '-')
    .slice(0, 60)
  return `${plain || 'calendar'}.ics`
}

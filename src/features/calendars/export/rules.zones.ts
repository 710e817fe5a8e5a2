import { DAY_MS } from '../../../lib/time/wall-time'
import { transitionsOf, type Transition } from '../../../lib/time/zone-transitions'

/** Clock changes that one yearly rule describes: on the same weekday within the same seven days of a month. */
interface Run {
  readonly changes: Transition[]
  /** The earliest and the latest day of the month on which they fall. */
  earliest: number
  latest: number
  isLast: boolean
}

const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'] as const

/** The local time of the change, by the clocks before it. */
const wallOf = ({ at, from }: Transition) => new Date(at + from)

const isLastOfMonth = (wall: Date) => new Date(+wall + 7 * DAY_MS).getUTCMonth() !== wall.getUTCMonth()

const timeOfDay = (wall: Date) => ((+wall % DAY_MS) + DAY_MS) % DAY_MS

function startRun(change: Transition): Run {
  const wall = wallOf(change)
  const day = wall.getUTCDate()
  return { changes: [change], earliest: day, latest: day, isLast: isLastOfMonth(wall) }
}

/** Whether `change` is the same change one year later. */
function isNext(before: Transition, change: Transition): boolean {
  const [last, wall] = [wallOf(before), wallOf(change)]
  return (
    before.from === change.from &&
    before.to === change.to &&
    wall.getUTCFullYear() === last.getUTCFullYear() + 1 &&
    wall.getUTCMonth() === last.getUTCMonth() &&
    wall.getUTCDay() === last.getUTCDay() &&
    timeOfDay(wall) === timeOfDay(last)
  )
}

/** Adds the change to the run if it fits. Returns whether it does. */
function continues(run: Run, change: Transition): boolean {
  const wall = wallOf(change)
  const isAlike = run.changes.slice(-1).every((before) => isNext(before, change))
  const day = wall.getUTCDate()
  const [earliest, latest] = [Math.min(run.earliest, day), Math.max(run.latest, day)]
  const isLast = run.isLast && isLastOfMonth(wall)
  if (!isAlike || (!isLast && latest - earliest > 6)) return false
  run.changes.push(change)
  Object.assign(run, { earliest, latest, isLast })
  return true
}

function runsOf(changes: readonly Transition[]): Run[] {
  const runs: Run[] = []
  for (const change of changes) {
    // Two changes a year alternate; some zones have four.
    if (!runs.slice(-4).some((run) => continues(run, change))) runs.push(startRun(change))
  }
  return runs
}

const digits = (instant: number) => new Date(instant).toISOString().replaceAll(/[-:]|\.\d+Z/g, '')

function offset(ms: number): string {
  const seconds = Math.abs(ms) / 1000
  const parts = [seconds / 3600, (seconds / 60) % 60, seconds % 60].map((part) =>
    String(Math.floor(part)).padStart(2, '0'),
  )
  return `${ms < 0 ? '-' : '+'}${parts[0]}${parts[1]}${parts[2] === '00' ? '' : parts[2]}`
}

/** `4SU`, `-1SU`, or the weekday limited to seven days of the month. */
function daysOf({ earliest, latest, isLast }: Run, weekday: string): string {
  if (isLast) return `BYDAY=-1${weekday}`
  const week = Math.ceil(latest / 7)
  if (earliest > (week - 1) * 7) return `BYDAY=${week}${weekday}`
  const days = Array.from({ length: 7 }, (_, index) => earliest + index)
  return `BYMONTHDAY=${days.join(',')};BYDAY=${weekday}`
}

function observance(run: Run): string[] {
  const [first, ...later] = run.changes
  const last = later.at(-1)
  if (!first) return []
  const wall = wallOf(first)
  const days = daysOf(run, WEEKDAYS[wall.getUTCDay()] ?? 'SU')
  const kind = first.isDaylight ? 'DAYLIGHT' : 'STANDARD'
  return [
    `BEGIN:${kind}`,
    `DTSTART:${digits(+wall)}`,
    `TZOFFSETFROM:${offset(first.from)}`,
    `TZOFFSETTO:${offset(first.to)}`,
    ...(last
      ? [`RRULE:FREQ=YEARLY;UNTIL=${digits(last.at)}Z;BYMONTH=${wall.getUTCMonth() + 1};${days}`]
      : []),
    `END:${kind}`,
  ]
}

/** The start of the offset before the first relevant change. */
const EPOCH = '19000101T000000'

const fixed = (ms: number) => [
  'BEGIN:STANDARD',
  `DTSTART:${EPOCH}`,
  `TZOFFSETFROM:${offset(ms)}`,
  `TZOFFSETTO:${offset(ms)}`,
  'END:STANDARD',
]

/** A VTIMEZONE that is correct from `from` to the end of 2200 (RFC 5545, section 3.6.5). */
export function zoneLines(zone: string, from: number): string[] {
  const { first, changes } = transitionsOf(zone)
  const before = changes.filter(({ at }) => at <= from).at(-1)
  const wanted = before ? changes.slice(changes.indexOf(before)) : changes
  return [
    'BEGIN:VTIMEZONE',
    `TZID:${zone}`,
    ...(before ? [] : fixed(first)),
    ...runsOf(wanted).flatMap(observance),
    'END:VTIMEZONE',
  ]
}

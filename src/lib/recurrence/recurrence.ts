/**
 * Series: a recurrence rule from its first start on (contract: events.series; RFC 5545, sections 3.3.5, 3.3.10 and 3.8.5).
 *
 * `recurrence.calendar.ts` names wall times, free of zones; here they become points: instants in the zone of a timed series, days of
 * an all-day one. DTSTART is always the first occurrence and uses up one of COUNT. A wall time that the zone skips moves forward by
 * the gap, one that it repeats is the first; what thereby coincides is one occurrence, though COUNT counts the wall times. Only starts
 * are computed: an occurrence ends the exact duration of the first one after its start.
 */
import {
  compile,
  countWalls,
  DAY,
  dayOf,
  LAST_WALL,
  nthWall,
  type Pattern,
  wallsBack,
  wallsFrom,
} from './calendar'
import type { Rule, Until } from './rule'
import { instantAt, wallAt } from '../time/zone'

/** The wall times of a zone and their instants, both in milliseconds. */
interface Clock {
  /** Where the zone skips the wall time it has moved forward by the gap; where the zone repeats it, the instant is the first. */
  readonly resolve: (wall: number) => { readonly instant: number; readonly moved: boolean }
  /** The first wall time that may become `instant` or later, and the last that may become `instant` or earlier. */
  readonly bounds: (instant: number) => { readonly earliest: number; readonly latest: number }
}

/** Days have no zone: a day's midnight is its instant. */
const CALENDAR: Clock = {
  resolve: (wall) => ({ instant: wall, moved: false }),
  bounds: (instant) => ({ earliest: instant, latest: instant }),
}

const zoneClock = (zone: string): Clock => ({
  resolve(wall) {
    const instant = instantAt(zone, wall)
    return { instant, moved: wallAt(zone, instant) !== wall }
  },
  bounds(instant) {
    // No gap or repetition is longer than a day, so the offset of a day ago is the one before it.
    const walls = [wallAt(zone, instant), wallAt(zone, instant - DAY) + DAY]
    return { earliest: Math.min(...walls), latest: Math.max(...walls) }
  },
})

/** What expands: DTSTART as a wall time and as an instant, and the last of either that COUNT or UNTIL leaves. */
interface Expansion {
  readonly rule: Rule
  readonly first: number
  readonly start: number
  readonly clock: Clock
  readonly pattern: Pattern
  readonly lastWall: number
  readonly lastInstant: number
}

/** A rule at work; a point in time is a `Date` in a timed series, a day as `YYYY-MM-DD` in an all-day one. */
export interface Series<Point extends Date | string> extends Expansion {
  readonly toPoint: (instant: number) => Point
  readonly toInstant: (point: Point) => number
}

// UNTIL has no fractions of a second, a start may.
const SECOND_REST = 999

function lastWall({ count, until }: Rule, pattern: Pattern, first: number): number {
  if (count === 1) return first
  if (count !== undefined) return Math.min(nthWall(pattern, first + 1, count - 1) ?? LAST_WALL, LAST_WALL)
  if (until?.form === 'date') return until.at + DAY - 1
  return until?.form === 'local' ? until.at + SECOND_REST : LAST_WALL
}

/**
 * The series of a timed event: its wall time in `zone` (IANA, aliases included) stays the same. `first` is that wall time, which
 * `start` does not tell where the zone skips it.
 */
export function timedSeries(
  start: Date,
  zone: string,
  rule: Rule,
  first = wallAt(zone, start.getTime()),
): Series<Date> {
  const pattern = compile(rule, first)
  return {
    rule,
    first,
    start: start.getTime(),
    clock: zoneClock(zone),
    pattern,
    lastWall: lastWall(rule, pattern, first),
    lastInstant: rule.until?.form === 'instant' ? rule.until.at + SECOND_REST : Infinity,
    toPoint: (instant) => new Date(instant),
    toInstant: (point) => point.getTime(),
  }
}

/** The series of an all-day event from the day `start` (`YYYY-MM-DD`) on; of an UNTIL with a time only the date counts. */
export function allDaySeries(start: string, rule: Rule): Series<string> {
  const first = Date.parse(start)
  const pattern = compile(rule, first)
  const until: Until | undefined = rule.until && { form: 'date', at: dayOf(rule.until.at) * DAY }
  return {
    rule,
    first,
    start: first,
    clock: CALENDAR,
    pattern,
    lastWall: lastWall({ ...rule, until }, pattern, first),
    lastInstant: Infinity,
    toPoint: (instant) => new Date(instant).toISOString().slice(0, 10),
    toInstant: (point) => Date.parse(point),
  }
}

/** The rule's wall times after DTSTART, from `from` to `to`, both included. */
const walls = ({ pattern, first, lastWall: last }: Expansion, from: number, to: number): Generator<number> =>
  wallsFrom(pattern, Math.max(first + 1, from), Math.min(last, to))

const latestWall = (clock: Clock, instant: number): number =>
  instant > LAST_WALL + DAY ? LAST_WALL : clock.bounds(instant).latest

/** The instants of ascending wall times, ascending and each once: a gap may move some to or past later ones. */
function* inOrder(ascending: Iterable<number>, clock: Clock): Generator<number> {
  const waiting: number[] = []
  let next = 0
  const head = () => waiting[next] ?? Infinity
  for (const wall of ascending) {
    const { instant, moved } = clock.resolve(wall)
    if (moved) {
      waiting.push(instant)
      continue
    }
    for (; head() < instant; next++) yield head()
    if (head() === instant) next++
    yield instant
  }
  yield* waiting.slice(next)
}

/** The starts from `from` to `to`, both included, in order. */
function* startsBetween(series: Expansion, from: number, to: number): Generator<number> {
  const { start, clock } = series
  if (start >= from && start <= to) yield start
  const [later, last] = [Math.max(from, start + 1), Math.min(to, series.lastInstant)]
  if (later > last) return
  for (const instant of inOrder(walls(series, clock.bounds(later).earliest, latestWall(clock, last)), clock))
    if (instant >= later && instant <= last) yield instant
}

/** The last start before `before`. */
function lastStart(series: Expansion, before: number): number | undefined {
  const { start, pattern, first, clock } = series
  if (start >= before) return undefined
  const last = Math.min(before - 1, series.lastInstant)
  const bound = Math.min(series.lastWall, latestWall(clock, last))
  const latest = wallsBack(pattern, bound, first + 1)
    .map((wall) => clock.resolve(wall).instant)
    .find((instant) => instant <= last)
  // A gap may have moved an earlier wall time past this one.
  return [...startsBetween(series, Math.max(start, latest ?? start), Math.max(start, last))].at(-1)
}

function firstOf<Point extends Date | string>(series: Series<Point>, from: number): Point | undefined {
  const { value } = startsBetween(series, from, Infinity).next()
  return typeof value === 'number' ? series.toPoint(value) : undefined
}

/** The starts from `from` up to and without `to`, in order. The cost does not grow with the age of the series. */
export const startsWithin = <Point extends Date | string>(
  series: Series<Point>,
  from: Point,
  to: Point,
): IteratorObject<Point> =>
  startsBetween(series, series.toInstant(from), series.toInstant(to) - 1).map(series.toPoint)

/** The same, at most `limit`. */
export const occurrencesBetween = <Point extends Date | string>(
  series: Series<Point>,
  from: Point,
  to: Point,
  limit: number,
): Point[] => startsWithin(series, from, to).take(limit).toArray()

/** The first start after `after`. */
export const nextOccurrence = <Point extends Date | string>(series: Series<Point>, after: Point) =>
  firstOf(series, series.toInstant(after) + 1)

/** The last start before `before`. */
export function previousOccurrence<Point extends Date | string>(
  series: Series<Point>,
  before: Point,
): Point | undefined {
  const instant = lastStart(series, series.toInstant(before))
  return instant === undefined ? undefined : series.toPoint(instant)
}

/** The last start; undefined for a series without COUNT and UNTIL. */
export function lastOccurrence<Point extends Date | string>(series: Series<Point>): Point | undefined {
  if (series.rule.count === undefined && series.rule.until === undefined) return undefined
  return series.toPoint(lastStart(series, Infinity) ?? series.start)
}

const startsAt = (series: Expansion, instant: number) =>
  startsBetween(series, instant, instant).next().done !== true

/** Whether an occurrence starts at `start`. */
export const isOccurrence = <Point extends Date | string>(series: Series<Point>, start: Point): boolean =>
  startsAt(series, series.toInstant(start))

/** How much of COUNT is used up before the occurrence that starts at `start`. */
export function countBefore<Point extends Date | string>(series: Series<Point>, start: Point): number {
  const instant = series.toInstant(start)
  if (instant <= series.start) return 0
  const { earliest, latest } = series.clock.bounds(instant)
  const near = walls(series, earliest, latest).filter((wall) => series.clock.resolve(wall).instant <= instant)
  return countWalls(series.pattern, series.first + 1, earliest) + near.toArray().length
}

/** The rule of the occurrences before `start`; undefined where there are none. */
export function ruleBefore<Point extends Date | string>(
  series: Series<Point>,
  start: Point,
): Rule | undefined {
  const before = lastStart(series, series.toInstant(start))
  if (before === undefined) return undefined
  const form = series.clock === CALENDAR ? 'date' : 'instant'
  return { ...series.rule, count: undefined, until: { form, at: Math.floor(before / 1000) * 1000 } }
}

/** Why `rule` cannot repeat what starts at this wall time, as the end of a sentence; undefined where it can. */
export function seriesProblem({ rule, pattern, first, clock }: Expansion): string | undefined {
  const hasTimes = rule.byHour.length + rule.byMinute.length + rule.bySecond.length > 0
  if (hasTimes && clock === CALENDAR) return 'must not have BYHOUR, BYMINUTE or BYSECOND in an all-day series'
  return wallsFrom(pattern, first, LAST_WALL).next().done === true
    ? 'must name a day on or after the start'
    : undefined
}

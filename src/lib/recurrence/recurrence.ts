/**
 * Series: a recurrence rule from its first start on (contract: events.series; RFC 5545, sections 3.3.5, 3.3.10 and 3.8.5).
 *
 * `calendar.ts` computes wall times without zones; here they become points: instants in the zone of a timed series, days in an
 * all-day series. DTSTART is always the first occurrence and counts towards COUNT. A wall time that the zone skips moves
 * forward by the gap, and of a repeated one the first counts; starts that thereby coincide are one occurrence, although COUNT
 * counts their wall times separately. Only starts are computed: each occurrence has the exact duration of the first.
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

/** Converts between the wall times of a zone and instants, both in milliseconds. */
interface Clock {
  /**
   * `moved` when the zone skips the wall time, which then moves forward by the gap; a repeated wall time is the first instant.
   */
  readonly resolve: (wall: number) => { readonly instant: number; readonly moved: boolean }
  /** The first wall time that may map to `instant` or later, and the last that may map to `instant` or earlier. */
  readonly bounds: (instant: number) => { readonly earliest: number; readonly latest: number }
}

/** Days have no zone: the instant of a day is its midnight as a wall time. */
const CALENDAR: Clock = {
  resolve: (wall) => ({ instant: wall, moved: false }),
  bounds: (instant) => ({ earliest: instant, latest: instant }),
}

/** What the clocks of a place show, and when; milliseconds. A skipped wall time moves forward, of a repeated one the first counts. */
export interface WallClock {
  readonly wallAt: (instant: number) => number
  readonly instantAt: (wall: number) => number
}

const clockOf = (clocks: WallClock): Clock => ({
  resolve(wall) {
    const instant = clocks.instantAt(wall)
    return { instant, moved: clocks.wallAt(instant) !== wall }
  },
  bounds(instant) {
    // No clock change is longer than a day, so the offset a day ago is that before any recent change.
    const walls = [clocks.wallAt(instant), clocks.wallAt(instant - DAY) + DAY]
    return { earliest: Math.min(...walls), latest: Math.max(...walls) }
  },
})

const zoneClock = (zone: string): Clock =>
  clockOf({ wallAt: (instant) => wallAt(zone, instant), instantAt: (wall) => instantAt(zone, wall) })

/** Where a series ends. */
type Ending = Pick<Rule, 'count' | 'until'>

/**
 * The data of an expansion: DTSTART as wall time (`first`) and instant (`start`), and the last of each that COUNT or UNTIL
 * allows.
 */
interface Expansion {
  readonly rule: Ending
  readonly first: number
  readonly start: number
  readonly clock: Clock
  readonly pattern: Pattern
  readonly lastWall: number
  readonly lastInstant: number
}

/** A rule with its first start; a point is a `Date` in a timed series, a `YYYY-MM-DD` in an all-day one. */
export interface Series<Point extends Date | string> extends Expansion {
  readonly rule: Rule
  readonly toPoint: (instant: number) => Point
  readonly toInstant: (point: Point) => number
}

// A start may have fractions of a second, UNTIL has none.
const SECOND_REST = 999

function lastWall({ count, until }: Ending, pattern: Pattern, first: number): number {
  if (count === 1) return first
  if (count !== undefined) return Math.min(nthWall(pattern, first + 1, count - 1) ?? LAST_WALL, LAST_WALL)
  if (until?.form === 'date') return until.at + DAY - 1
  return until?.form === 'local' ? until.at + SECOND_REST : LAST_WALL
}

/**
 * The series of a timed event, which keeps its wall time in `zone` (IANA, including aliases). `first` is the wall time of the
 * start, which cannot be derived from `start` when the zone skips it.
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

const asDay = (until: Until | undefined): Until | undefined =>
  until && { form: 'date', at: dayOf(until.at) * DAY }

/** The series of an all-day event from the day `start` (`YYYY-MM-DD`) on; of an UNTIL with a time only the date counts. */
export function allDaySeries(start: string, rule: Rule): Series<string> {
  const first = Date.parse(start)
  const pattern = compile(rule, first)
  const until = asDay(rule.until)
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

/** The starts of a pattern in epoch milliseconds. */
export interface PatternStarts {
  /** Those from `from` to `to`, both inclusive, ascending. The cost does not depend on the age of the series. */
  readonly between: (from: number, to: number) => Generator<number>
  readonly has: (start: number) => boolean
}

/** The series of a pattern that begins at the wall time `first`; without clocks its starts are days, as midnights in UTC. */
export function patternStarts(
  pattern: Pattern,
  first: number,
  ending: Ending,
  clocks: WallClock | undefined,
): PatternStarts {
  const rule = clocks ? ending : { ...ending, until: asDay(ending.until) }
  const series: Expansion = {
    rule,
    first,
    start: clocks ? clocks.instantAt(first) : first,
    clock: clocks ? clockOf(clocks) : CALENDAR,
    pattern,
    lastWall: lastWall(rule, pattern, first),
    lastInstant: rule.until?.form === 'instant' ? rule.until.at + SECOND_REST : Infinity,
  }
  return {
    between: (from, to) => startsBetween(series, from, to),
    has: (start) => startsAt(series, start),
  }
}

/** The rule's wall times after DTSTART, from `from` to `to`, both inclusive. */
const walls = ({ pattern, first, lastWall: last }: Expansion, from: number, to: number): Generator<number> =>
  wallsFrom(pattern, Math.max(first + 1, from), Math.min(last, to))

const latestWall = (clock: Clock, instant: number): number =>
  instant > LAST_WALL + DAY ? LAST_WALL : clock.bounds(instant).latest

/**
 * Converts ascending wall times to ascending instants without duplicates: a gap may move some wall times to or past later
 * ones.
 */
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

/** The starts from `from` to `to`, both inclusive, ascending. */
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

/** The starts from `from` to `to`, exclusive, ascending. The cost does not depend on the age of the series. */
export const startsWithin = <Point extends Date | string>(
  series: Series<Point>,
  from: Point,
  to: Point,
): IteratorObject<Point> =>
  startsBetween(series, series.toInstant(from), series.toInstant(to) - 1).map(series.toPoint)

/** The same, limited to `limit` starts. */
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

/** The last start; undefined without COUNT and UNTIL. */
export function lastOccurrence<Point extends Date | string>(series: Series<Point>): Point | undefined {
  if (series.rule.count === undefined && series.rule.until === undefined) return undefined
  return series.toPoint(lastStart(series, Infinity) ?? series.start)
}

const startsAt = (series: Expansion, instant: number) =>
  startsBetween(series, instant, instant).next().done !== true

/** Whether an occurrence starts at `start`. */
export const isOccurrence = <Point extends Date | string>(series: Series<Point>, start: Point): boolean =>
  startsAt(series, series.toInstant(start))

/** The part of COUNT used before the occurrence at `start`. */
export function countBefore<Point extends Date | string>(series: Series<Point>, start: Point): number {
  const instant = series.toInstant(start)
  if (instant <= series.start) return 0
  const { earliest, latest } = series.clock.bounds(instant)
  const near = walls(series, earliest, latest).filter((wall) => series.clock.resolve(wall).instant <= instant)
  return countWalls(series.pattern, series.first + 1, earliest) + near.toArray().length
}

/** The rule of the occurrences before `start`; undefined when there are none. */
export function ruleBefore<Point extends Date | string>(
  series: Series<Point>,
  start: Point,
): Rule | undefined {
  const before = lastStart(series, series.toInstant(start))
  if (before === undefined) return undefined
  const form = series.clock === CALENDAR ? 'date' : 'instant'
  return { ...series.rule, count: undefined, until: { form, at: Math.floor(before / 1000) * 1000 } }
}

/** Why `rule` cannot repeat from this wall time, as the end of a sentence; undefined when it can. */
export function seriesProblem({
  rule,
  pattern,
  first,
  clock,
}: Expansion & { readonly rule: Rule }): string | undefined {
  const hasTimes = rule.byHour.length + rule.byMinute.length + rule.bySecond.length > 0
  if (hasTimes && clock === CALENDAR) return 'must not have BYHOUR, BYMINUTE or BYSECOND in an all-day series'
  return wallsFrom(pattern, first, LAST_WALL).next().done === true
    ? 'must name a day on or after the start'
    : undefined
}

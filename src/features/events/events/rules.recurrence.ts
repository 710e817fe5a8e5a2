import { type AppError, invalid, invalidField } from '../../../lib/errors'
import * as recurrence from '../../../lib/recurrence/recurrence'
import { countWalls, filled, wallsFrom } from '../../../lib/recurrence/calendar'
import { densityProblem, parseRule } from '../../../lib/recurrence/grammar'
import type { Rule } from '../../../lib/recurrence/rule'
import { describeSeries } from '../../../lib/recurrence/text'
import { remembered } from '../../../lib/remembered'
import { isDay, parseDateTime } from '../../../lib/time/time'
import {
  addDaysTo,
  DAY_MS,
  dayOf,
  daysBetween,
  instantOf,
  midnightOf,
  wallIn,
  type WallTime,
} from '../../../lib/time/wall-time'
import { offsetMs } from '../../../lib/time/zone'
import { MAX_EXTRA_STARTS } from '../extra-starts/rules'
import { type Times, timesAt } from './rules.times'

/** A span of time, as instants and as days in the reader's zone; the ends are exclusive. */
export interface Span {
  readonly from: Date
  readonly to: Date
  readonly fromDay: string
  readonly toDay: string
}

/** Covers every possible series. */
export const EVER: Span = {
  from: new Date('1899-12-30T00:00:00Z'),
  to: new Date('2201-01-03T00:00:00Z'),
  fromDay: '1899-12-30',
  toDay: '2201-01-03',
}

const YEARS = Array.from({ length: 33 }, (_, decade) => Math.min(1890 + 10 * decade, 2201))

/** `EVER` in consecutive parts, so that searching for the occurrences of a very rare rule can pause in between. */
export const DECADES: readonly Span[] = YEARS.slice(1).map((year, index) => {
  const [fromDay, toDay] = [`${YEARS[index]}-01-03`, `${year}-01-03`]
  return { from: new Date(fromDay), to: new Date(toDay), fromDay, toDay }
})

/** How a series repeats: its rule, and extra starts. */
interface Repetition {
  readonly rule: Rule
  /** Ascending, and later than the first start. */
  readonly extras: readonly WallTime[]
}

/**
 * A series. An occurrence is identified by the wall time that the rule gives it, even if daylight saving shifts the actual
 * time.
 */
export interface Series extends Repetition {
  readonly first: Times
  /** The occurrences that may overlap `span`, ascending. */
  readonly within: (span: Span, limit: number) => WallTime[]
  /** Like `within`, but lazily, one occurrence at a time. */
  readonly startsIn: (span: Span) => IteratorObject<WallTime>
  readonly has: (wall: WallTime) => boolean
  /**
   * Finds an occurrence by its original start: a day, or a date-time, which without an offset is wall time in the zone of the
   * series. Undefined when there is none.
   */
  readonly find: (text: string) => WallTime | undefined
  /** The repetition of the occurrences before the one at `wall`; undefined when there are none. */
  readonly before: (wall: WallTime) => Repetition | undefined
  /**
   * The repetition of the occurrences from `wall` on: COUNT no longer includes the earlier ones.
   * @throws {AppError} 422 when the result would need too many extra starts.
   */
  readonly from: (wall: WallTime) => Repetition
  /** `Every 2 weeks on Monday and Friday` */
  readonly inWords: () => string
  /** Why the rule cannot repeat these times, worded as the end of a sentence. */
  readonly problem: () => string | undefined
  /** The times of the last occurrence; undefined for an endless series. */
  readonly last: () => Times | undefined
  /** Whether the rule itself produces the first start. */
  readonly namesFirst: () => boolean
  /** The last occurrence, ignoring extra starts; undefined for an endless series. */
  readonly lastNamed: () => WallTime | undefined
}

interface Points<Point extends Date | string> {
  readonly starts: recurrence.Series<Point>
  readonly toPoint: (wall: WallTime) => Point
  readonly toWall: (point: Point) => WallTime
  readonly read: (text: string) => Point | undefined
  readonly inWords: () => string
  /** The earliest start, and the exclusive end of the starts, of occurrences that may overlap `span`. */
  readonly bounds: (span: Span) => readonly [Point, Point]
}

function seriesOf<Point extends Date | string>(
  first: Times,
  repetition: Repetition,
  points: Points<Point>,
): Series {
  const { starts, toPoint, toWall, read, inWords, bounds } = points
  const { rule, extras } = repetition
  const instantOfWall = (wall: WallTime) => starts.toInstant(toPoint(wall))
  const isNamed = (wall: WallTime) =>
    recurrence.isOccurrence(starts, toPoint(wall)) && toWall(toPoint(wall)) === wall
  const beside = new Set(extras)
  const lastNamed = () => {
    const point = recurrence.lastOccurrence(starts)
    return point === undefined ? undefined : toWall(point)
  }
  const startsIn = (span: Span): IteratorObject<WallTime> => {
    const [from, to] = bounds(span)
    const named = recurrence.startsWithin(starts, from, to).map(toWall)
    const others = extras.filter((wall) => toPoint(wall) >= from && toPoint(wall) < to)
    return others.length === 0 ? named : merged(named, united(others, instantOfWall), instantOfWall)
  }
  return {
    first,
    rule,
    extras,
    within: (span, limit) => startsIn(span).take(limit).toArray(),
    startsIn,
    has: (wall) => isNamed(wall) || (beside.has(wall) && !recurrence.isOccurrence(starts, toPoint(wall))),
    find: (text) => findStart(points, extras, read(text)),
    before(wall) {
      const head = recurrence.ruleBefore(starts, toPoint(wall))
      return head && { rule: head, extras: extras.filter((extra) => extra < wall) }
    },
    from: (wall) =>
      isNamed(wall) ? fromNamed(points, repetition, wall) : fromExtra(points, repetition, wall),
    inWords,
    problem: () => recurrence.seriesProblem(starts),
    last() {
      const wall = lastNamed()
      if (wall === undefined) return undefined
      // A skipped wall time may be later than one that the clocks show after it.
      const latest = united([...extras, wall], instantOfWall).at(-1)
      return latest === undefined ? undefined : timesAt(first, latest)
    },
    namesFirst: () => wallsFrom(starts.pattern, starts.first, starts.first).next().done === false,
    lastNamed,
  }
}

function findStart<Point extends Date | string>(
  { starts, toPoint, toWall }: Points<Point>,
  extras: readonly WallTime[],
  point: Point | undefined,
): WallTime | undefined {
  if (point === undefined) return undefined
  if (recurrence.isOccurrence(starts, point)) return toWall(point)
  const instant = starts.toInstant(point)
  return extras.find(
    (wall) => Math.abs(wall - instant) <= DAY_MS && starts.toInstant(toPoint(wall)) === instant,
  )
}

/** Sorts by instant; of several walls at the same instant, keeps the last one given. */
const united = (walls: readonly WallTime[], instantOfWall: (wall: WallTime) => number): WallTime[] =>
  [...new Map(walls.map((wall) => [instantOfWall(wall), wall]))]
    .toSorted(([one], [other]) => one - other)
    .map(([, wall]) => wall)

/** Merges two ascending lists; when both have the same instant, the wall time of the rule wins. */
function* merged(
  named: Iterable<WallTime>,
  others: readonly WallTime[],
  instantOfWall: (wall: WallTime) => number,
): Generator<WallTime> {
  const instants = others.map(instantOfWall)
  let next = 0
  for (const wall of named) {
    const instant = instantOfWall(wall)
    for (; (instants[next] ?? Infinity) < instant; next++) yield* others.slice(next, next + 1)
    if (instants[next] === instant) next++
    yield wall
  }
  yield* others.slice(next)
}

const later = ({ extras }: Repetition, wall: WallTime) => extras.filter((extra) => extra > wall)

function fromNamed<Point extends Date | string>(
  { starts }: Points<Point>,
  repetition: Repetition,
  wall: WallTime,
): Repetition {
  const { rule } = repetition
  // Counts wall times, not instants: when a gap puts two of them at one instant, COUNT continues from the one at which the new
  // series begins.
  const count = rule.count && rule.count - countWalls(starts.pattern, starts.first + 1, wall + 1)
  return { rule: { ...rule, count }, extras: later(repetition, wall) }
}

/** Starts at an extra start: the rule continues as it did from its own first start, and `wall` is one more start. */
function fromExtra<Point extends Date | string>(
  { starts, toPoint, toWall }: Points<Point>,
  repetition: Repetition,
  wall: WallTime,
): Repetition {
  const { rule } = repetition
  const extras = later(repetition, wall)
  const next = recurrence.nextOccurrence(starts, toPoint(wall))
  if (next === undefined) return { rule: ONCE, extras }
  if (!isInStep(starts, rule, wall)) {
    // INTERVAL counts from the first start, so from another period no rule gives the same occurrences. They become extra
    // starts; fetching one more than the limit shows whether there are too many.
    const end = starts.toPoint(+EVER.to)
    const rest = recurrence.occurrencesBetween(starts, next, end, MAX_EXTRA_STARTS + 1).map(toWall)
    const all = [...new Set([...extras, ...rest])].toSorted((a, b) => a - b)
    const isTooLong = rest.length > MAX_EXTRA_STARTS || all.length > Math.max(MAX_EXTRA_STARTS, extras.length)
    if (isTooLong) throw invalid([{ field: 'query.occurrence_start', message: TOO_MANY_STARTS }])
    return { rule: ONCE, extras: all }
  }
  const { byHour, byMinute, bySecond, ...days } = filled(rule, starts.first)
  const times = typeof next === 'string' ? {} : { byHour, byMinute, bySecond }
  // As many as the first start and those after it up to `wall` are gone, but `wall` is one more.
  const count = rule.count && rule.count - recurrence.countBefore(starts, toPoint(wall))
  return { rule: { ...rule, ...days, ...times, count }, extras }
}

const TOO_MANY_STARTS = `is beside the rule, and from there on the series would need more than ${MAX_EXTRA_STARTS} extra dates`

/** Whether INTERVAL selects the same periods when it counts from `wall` instead of the first start. */
function isInStep(
  { first, pattern }: Pick<recurrence.Series<Date>, 'first' | 'pattern'>,
  rule: Rule,
  wall: WallTime,
): boolean {
  const steps =
    rule.frequency === 'DAILY'
      ? Math.floor(wall / DAY_MS) - Math.floor(first / DAY_MS)
      : pattern.periodOf(wall) - pattern.origin
  return steps % rule.interval === 0
}

/** The series that starts with `first` and repeats by `rule` and at `extras`. */
export function toSeries(first: Times, rule: Rule, extras: readonly WallTime[] = []): Series {
  const repetition = { rule, extras }
  if (first.allDay) {
    const days = daysBetween(first.startDate, first.endDate)
    const starts = recurrence.allDaySeries(first.startDate, rule)
    return seriesOf(first, repetition, {
      starts,
      toPoint: dayOf,
      toWall: midnightOf,
      read: (text) => (isDay(text) ? text : undefined),
      inWords: () => describeSeries(starts),
      bounds: ({ fromDay, toDay }) => [addDaysTo(fromDay, -days), toDay],
    })
  }
  const { startAt, endAt, startWall, timeZone } = first
  const starts = recurrence.timedSeries(startAt, timeZone, rule, startWall)
  return seriesOf(first, repetition, {
    starts,
    toPoint: (wall) => (wall === startWall ? startAt : instantOf(timeZone, wall)),
    toWall: (at) => (+at === +startAt ? startWall : namedWall(timeZone, at, starts)),
    read: (text) => parseDateTime(timeZone, text),
    inWords: () => describeSeries(starts),
    bounds: ({ from, to }) => [new Date(+from - (+endAt - +startAt)), to],
  })
}

/** The wall time that the rule gives the occurrence at `at`: it differs from the clock when daylight saving skips it. */
function namedWall(zone: string, at: Date, { pattern }: recurrence.Series<Date>): WallTime {
  const shown = wallIn(zone, at)
  const gap = offsetMs(zone, +at) - offsetMs(zone, +at - DAY_MS)
  const skipped = shown - gap
  const isNamed =
    gap > 0 && +instantOf(zone, skipped) === +at && wallsFrom(pattern, skipped, skipped).next().done === false
  return isNamed ? skipped : shown
}

/** Parses a stored rule. Cached, as many series share the same few rules. @throws {AppError} 422 under `recurrence_rule`. */
export const readRule = remembered(1000, (text: string): Rule => {
  const read = parseRule(text)
  if ('problem' in read) throw invalidField('recurrence_rule', read.problem)
  return read.rule
})

/** Parses a rule from a request. @throws {AppError} 422 under `recurrence_rule`, also for too many occurrences a day. */
export function readGivenRule(text: string): Rule {
  const rule = readRule(text)
  const problem = densityProblem(rule)
  if (problem !== undefined) throw invalidField('recurrence_rule', problem)
  return rule
}

/** The rule of a series that repeats only at its extra starts. */
export const ONCE = readRule('FREQ=DAILY;COUNT=1')

/** Returns a 422 when the rule cannot repeat these times. */
export const refusalOfRule = (first: Times, rule: Rule): AppError | undefined => {
  const problem = toSeries(first, rule).problem()
  return problem === undefined ? undefined : invalidField('recurrence_rule', problem)
}

/** The end of the last occurrence, by which queries of a window find the event; nulls for an endless series. */
export function lastEndOf(first: Times, rule: Rule | undefined, extras: readonly WallTime[] = []) {
  const last = rule ? toSeries(first, rule, extras).last() : first
  return {
    lastEndAt: last && !last.allDay ? last.endAt : null,
    lastEndDate: last?.allDay ? last.endDate : null,
  }
}

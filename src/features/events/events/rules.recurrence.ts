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

/** A span of time: instants, and days in the zone of whoever looks; the ends are exclusive. */
export interface Span {
  readonly from: Date
  readonly to: Date
  readonly fromDay: string
  readonly toDay: string
}

/** All that series may be in. */
export const EVER: Span = {
  from: new Date('1899-12-30T00:00:00Z'),
  to: new Date('2201-01-03T00:00:00Z'),
  fromDay: '1899-12-30',
  toDay: '2201-01-03',
}

const YEARS = Array.from({ length: 33 }, (_, decade) => Math.min(1890 + 10 * decade, 2201))

/** The same in order and in parts: a rule that names a day a century is looked through for a while. */
export const DECADES: readonly Span[] = YEARS.slice(1).map((year, index) => {
  const [fromDay, toDay] = [`${YEARS[index]}-01-03`, `${year}-01-03`]
  return { from: new Date(fromDay), to: new Date(toDay), fromDay, toDay }
})

/** What a series repeats by: its rule, and starts beside those that it names. */
interface Repetition {
  readonly rule: Rule
  /** Later than the first, ascending. */
  readonly extras: readonly WallTime[]
}

/** A series. Its occurrences are known by the wall times that the rule names, also where daylight saving moves one. */
export interface Series extends Repetition {
  readonly first: Times
  /** The occurrences that may overlap `span`, in order. */
  readonly within: (span: Span, limit: number) => WallTime[]
  /** The same, each worked out as it is asked for. */
  readonly startsIn: (span: Span) => IteratorObject<WallTime>
  readonly has: (wall: WallTime) => boolean
  /**
   * The occurrence that a request names by its original start: a day, or a date-time that without an offset is wall time in
   * the zone of the series. Undefined where there is none such.
   */
  readonly find: (text: string) => WallTime | undefined
  /** What the occurrences before the one at `wall` repeat by, of which there is at least one. */
  readonly before: (wall: WallTime) => Repetition | undefined
  /**
   * What the occurrences from the one at `wall` on repeat by: COUNT is reduced by all that came before.
   * @throws {AppError} 422 where that would take too many extra starts.
   */
  readonly from: (wall: WallTime) => Repetition
  /** `Every 2 weeks on Monday and Friday` */
  readonly inWords: () => string
  /** Why the rule cannot repeat these times, as the end of a sentence. */
  readonly problem: () => string | undefined
  /** The times of the last occurrence; undefined for a series without an end. */
  readonly last: () => Times | undefined
  /** Whether the rule names the first start. */
  readonly namesFirst: () => boolean
  /** The last occurrence but for extra starts; undefined for a series without an end. */
  readonly lastNamed: () => WallTime | undefined
}

interface Points<Point extends Date | string> {
  readonly starts: recurrence.Series<Point>
  readonly toPoint: (wall: WallTime) => Point
  readonly toWall: (point: Point) => WallTime
  readonly read: (text: string) => Point | undefined
  readonly inWords: () => string
  /** The first and, exclusive, the last start of what may overlap `span`. */
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
      const latest = united([...extras.slice(-1), wall], instantOfWall).at(-1)
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

/** In the order of time, and one where several are the same instant: the last of those given. */
const united = (walls: readonly WallTime[], instantOfWall: (wall: WallTime) => number): WallTime[] =>
  [...new Map(walls.map((wall) => [instantOfWall(wall), wall]))]
    .toSorted(([one], [other]) => one - other)
    .map(([, wall]) => wall)

/** Both in order; where they are the same instant, what the rule names. */
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
  // By wall times: where a gap has put two of them at one instant, COUNT goes on from the one that the new series begins at.
  const count = rule.count && rule.count - countWalls(starts.pattern, starts.first + 1, wall + 1)
  return { rule: { ...rule, count }, extras: later(repetition, wall) }
}

/** From a start that the rule does not name it goes on as from its own first, with that start as one more. */
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
    // Where INTERVAL counts from is the first start: from elsewhere no rule says the same.
    // One more than an event may have tells that they are too many.
    const end = starts.toPoint(+EVER.to)
    const rest = recurrence.occurrencesBetween(starts, next, end, MAX_EXTRA_STARTS + 1).map(toWall)
    const all = [...new Set([...extras, ...rest])].toSorted((a, b) => a - b)
    const isTooLong = rest.length > MAX_EXTRA_STARTS || all.length > Math.max(MAX_EXTRA_STARTS, extras.length)
    if (isTooLong) throw invalid([{ field: 'query.occurrence_start', message: TOO_MANY_STARTS }])
    return { rule: ONCE, extras: all }
  }
  const { byHour, byMinute, bySecond, ...days } = filled(rule, starts.first)
  const times = typeof next === 'string' ? {} : { byHour, byMinute, bySecond }
  const count = rule.count && rule.count - recurrence.countBefore(starts, toPoint(wall)) + 1
  return { rule: { ...rule, ...days, ...times, count }, extras }
}

const TOO_MANY_STARTS = `is beside the rule, and from there on the series would need more than ${MAX_EXTRA_STARTS} extra dates`

/** Whether the periods that INTERVAL counts are the same from `wall` on as from the first start. */
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

/** The series that starts with `first` and repeats by `rule` and, beside it, at `extras`. */
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

/** The wall time that the rule names for the occurrence at `at`: not what clocks show where daylight saving skips that. */
function namedWall(zone: string, at: Date, { pattern }: recurrence.Series<Date>): WallTime {
  const shown = wallIn(zone, at)
  const gap = offsetMs(zone, +at) - offsetMs(zone, +at - DAY_MS)
  const skipped = shown - gap
  const isNamed =
    gap > 0 && +instantOf(zone, skipped) === +at && wallsFrom(pattern, skipped, skipped).next().done === false
  return isNamed ? skipped : shown
}

/**
 * A rule as the database keeps it. Many series have the same few.
 * @throws {AppError} 422 under `recurrence_rule`.
 */
export const readRule = remembered(1000, (text: string): Rule => {
  const read = parseRule(text)
  if ('problem' in read) throw invalidField('recurrence_rule', read.problem)
  return read.rule
})

/** A rule that a request gives. @throws {AppError} 422 under `recurrence_rule`, also for more occurrences a day than are taken. */
export function readGivenRule(text: string): Rule {
  const rule = readRule(text)
  const problem = densityProblem(rule)
  if (problem !== undefined) throw invalidField('recurrence_rule', problem)
  return rule
}

/** The rule of a series that has but its first start and extra ones. */
export const ONCE = readRule('FREQ=DAILY;COUNT=1')

/** 422 for a rule that cannot repeat these times. */
export const refusalOfRule = (first: Times, rule: Rule): AppError | undefined => {
  const problem = toSeries(first, rule).problem()
  return problem === undefined ? undefined : invalidField('recurrence_rule', problem)
}

/** When the last occurrence ends: what windows are found by. */
export function lastEndOf(first: Times, rule: Rule | undefined, extras: readonly WallTime[] = []) {
  const last = rule ? toSeries(first, rule, extras).last() : first
  return {
    lastEndAt: last && !last.allDay ? last.endAt : null,
    lastEndDate: last?.allDay ? last.endDate : null,
  }
}

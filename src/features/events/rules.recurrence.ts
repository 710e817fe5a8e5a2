import { type AppError, invalidField } from '../../lib/errors'
import * as recurrence from '../../lib/recurrence'
import { wallsFrom } from '../../lib/recurrence.calendar'
import { parseRule } from '../../lib/recurrence.grammar'
import type { Rule } from '../../lib/recurrence.rule'
import { describeSeries } from '../../lib/recurrence.text'
import { addDays, isDay, parseDateTime } from '../../lib/time'
import {
  addDaysTo,
  dayOf,
  daysBetween,
  instantOf,
  midnightOf,
  wallIn,
  type WallTime,
} from '../../lib/wall-time'
import { type Times, timesAt } from './rules.times'

/** A stretch of time: instants, and days in the zone of whoever looks; the ends are exclusive. */
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

/** A series. Its occurrences are known by the wall times that the rule names, also where daylight saving moves one. */
export interface Series {
  readonly first: Times
  readonly rule: Rule
  /** The occurrences that may overlap `span`, in order. */
  readonly within: (span: Span, limit: number) => WallTime[]
  readonly has: (wall: WallTime) => boolean
  /**
   * The occurrence that a request names by its original start: a day, or a date-time that without an offset is wall time in
   * the zone of the series. Undefined where there is none such.
   */
  readonly find: (text: string) => WallTime | undefined
  /** How much of COUNT is used up before the occurrence at `wall`. */
  readonly countBefore: (wall: WallTime) => number
  /** The rule of the occurrences before the one at `wall`, of which there is at least one. */
  readonly ruleBefore: (wall: WallTime) => Rule | undefined
  /** `Every 2 weeks on Monday and Friday` */
  readonly inWords: () => string
  /** Why the rule cannot repeat these times, as the end of a sentence. */
  readonly problem: () => string | undefined
  /** The times of the last occurrence; undefined for a series without an end. */
  readonly last: () => Times | undefined
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

const seriesOf = <Point extends Date | string>(
  first: Times,
  rule: Rule,
  { starts, toPoint, toWall, read, inWords, bounds }: Points<Point>,
): Series => ({
  first,
  rule,
  within: (span, limit) => recurrence.occurrencesBetween(starts, ...bounds(span), limit).map(toWall),
  has: (wall) => recurrence.isOccurrence(starts, toPoint(wall)) && toWall(toPoint(wall)) === wall,
  find(text) {
    const point = read(text)
    return point !== undefined && recurrence.isOccurrence(starts, point) ? toWall(point) : undefined
  },
  countBefore: (wall) => recurrence.countBefore(starts, toPoint(wall)),
  ruleBefore: (wall) => recurrence.splitAt(starts, toPoint(wall))?.head,
  inWords,
  problem: () => recurrence.seriesProblem(starts),
  last() {
    const point = recurrence.lastOccurrence(starts)
    return point === undefined ? undefined : timesAt(first, toWall(point))
  },
})

/** The series of `rule` that starts with `first`. */
export function toSeries(first: Times, rule: Rule): Series {
  if (first.allDay) {
    const days = daysBetween(first.startDate, first.endDate)
    const starts = recurrence.allDaySeries(first.startDate, rule)
    return seriesOf(first, rule, {
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
  return seriesOf(first, rule, {
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
  const gap = shown - +at - (wallIn(zone, addDays(at, -1)) - +addDays(at, -1))
  const skipped = shown - gap
  const isNamed =
    gap > 0 && +instantOf(zone, skipped) === +at && wallsFrom(pattern, skipped, skipped).next().done === false
  return isNamed ? skipped : shown
}

/**
 * A rule as the database keeps it.
 * @throws {AppError} 422 under `recurrence_rule`.
 */
export function readRule(text: string): Rule {
  const read = parseRule(text)
  if ('problem' in read) throw invalidField('recurrence_rule', read.problem)
  return read.rule
}

/** 422 for a rule that cannot repeat these times. */
export const refusalOfRule = (first: Times, rule: Rule): AppError | undefined => {
  const problem = toSeries(first, rule).problem()
  return problem === undefined ? undefined : invalidField('recurrence_rule', problem)
}

/** When the last occurrence ends: what windows are found by. */
export function lastEndOf(first: Times, rule: Rule | undefined) {
  const last = rule ? toSeries(first, rule).last() : first
  return {
    lastEndAt: last && !last.allDay ? last.endAt : null,
    lastEndDate: last?.allDay ? last.endDate : null,
  }
}

/**
 * The wall times of a recurrence rule, without any zone (RFC 5545, section 3.3.10).
 *
 * A wall time is the number of milliseconds since 1970-01-01T00:00 on a clock that never changes. A day is the number of days
 * since 1970-01-01. Each frequency numbers its periods (days, weeks, months, years), so that even a very old series finds a
 * window by arithmetic: INTERVAL selects the periods `origin + k × interval`. The set of a period combines every day that
 * passes all BY parts with every time of day of the rule. It can be very large, so it is indexed and never built.
 */

import { type Ascending, countBelow, picked } from './ascending'
import type { Rule, WeekdayRule } from './rule'

const SECOND = 1000
export const DAY = 86_400_000

/** The last wall time of the year 2200, where every series ends. */
export const LAST_WALL = Date.UTC(2201, 0, 1) - 1

export const dayOf = (wall: number): number => Math.floor(wall / DAY)
const weekdayOf = (day: number): number => ((((day + 3) % 7) + 7) % 7) + 1

/** The number of the month, counted from January of the year 0. */
function monthOf(day: number): number {
  const date = new Date(day * DAY)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

const startOfMonth = (month: number): number => Date.UTC(Math.floor(month / 12), month % 12, 1) / DAY

/** The first day of the first week with at least four days in `year`. */
function startOfWeekYear(year: number, weekStart: number): number {
  const fourth = startOfMonth(year * 12) + 3
  return fourth - ((weekdayOf(fourth) - weekStart + 7) % 7)
}

/** A span of days; `end` is exclusive. */
interface Span {
  readonly start: number
  readonly end: number
}

/** How a frequency divides time into periods. */
interface Periods {
  readonly numberOf: (day: number) => number
  readonly span: (period: number) => Span
}

const DAYS: Periods = { numberOf: (day) => day, span: (day) => ({ start: day, end: day + 1 }) }

const MONTHS: Periods = {
  numberOf: monthOf,
  span: (month) => ({ start: startOfMonth(month), end: startOfMonth(month + 1) }),
}

const YEARS: Periods = {
  numberOf: (day) => new Date(day * DAY).getUTCFullYear(),
  span: (year) => ({ start: startOfMonth(year * 12), end: startOfMonth(year * 12 + 12) }),
}

/** Weeks are aligned to day 4, which is a Monday. */
const weeks = (weekStart: number): Periods => ({
  numberOf: (day) => Math.floor((day - 3 - weekStart) / 7),
  span: (week) => ({ start: week * 7 + 3 + weekStart, end: week * 7 + 10 + weekStart }),
})

/** Years made of whole weeks: week 1 may begin in the year before. */
const weekYears = (weekStart: number): Periods => ({
  numberOf(day) {
    const year = YEARS.numberOf(day)
    if (day < startOfWeekYear(year, weekStart)) return year - 1
    return day < startOfWeekYear(year + 1, weekStart) ? year : year + 1
  },
  span: (year) => ({ start: startOfWeekYear(year, weekStart), end: startOfWeekYear(year + 1, weekStart) }),
})

/** Whether BY parts remove days from a daily rule, or weeks from a weekly one. */
const isLimited = ({ frequency, byMonth, byYearDay, byMonthDay, byDay }: Rule): boolean =>
  byMonth.length > 0 || (frequency !== 'WEEKLY' && byYearDay.length + byMonthDay.length + byDay.length > 0)

function periodsOf(rule: Rule): Periods {
  if (rule.frequency === 'WEEKLY') return weeks(rule.weekStart)
  if (rule.frequency === 'YEARLY') return rule.byWeekNo.length > 0 ? weekYears(rule.weekStart) : YEARS
  // When a daily rule may skip most days, its periods are months, of which it takes every nth day.
  return rule.frequency === 'DAILY' && !isLimited(rule) ? DAYS : MONTHS
}

/** Adds the days that the rule takes from DTSTART: `FREQ=YEARLY;BYMONTH=1` gets DTSTART's day of the month. */
function withDays(rule: Rule, first: number): Rule {
  const date = new Date(first)
  const weekday = [{ weekday: weekdayOf(dayOf(first)), ordinal: 0 }]
  const named = rule.byDay.length + rule.byMonthDay.length + rule.byYearDay.length > 0
  if (named || rule.frequency === 'DAILY') return rule
  if (rule.frequency === 'WEEKLY' || rule.byWeekNo.length > 0) return { ...rule, byDay: weekday }
  const byMonthDay = [date.getUTCDate()]
  if (rule.frequency === 'MONTHLY' || rule.byMonth.length > 0) return { ...rule, byMonthDay }
  return { ...rule, byMonth: [date.getUTCMonth() + 1], byMonthDay }
}

const listOr = (list: readonly number[], value: number) => (list.length > 0 ? list : [value])

/** Adds everything that the rule takes from DTSTART, including times. */
export function filled(rule: Rule, first: number): Rule {
  const date = new Date(first)
  return {
    ...withDays(rule, first),
    byHour: listOr(rule.byHour, date.getUTCHours()),
    byMinute: listOr(rule.byMinute, date.getUTCMinutes()),
    bySecond: listOr(rule.bySecond, date.getUTCSeconds()),
  }
}

/** Whether a BY part includes `day`, given the spans that contain it. */
type DayTest = (day: number, month: Span, year: Span, period: Span) => boolean

/** Tests whether the list contains the position of `day` in `span`, counted in units of `size` days from either end. */
function positionTest(list: readonly number[], size = 1): (day: number, span: Span) => boolean {
  const positions = new Set(list)
  return (day, span) =>
    positions.has(Math.floor((day - span.start) / size) + 1) ||
    positions.has(-Math.floor((span.end - 1 - day) / size) - 1)
}

function weekdayTest(byDay: readonly WeekdayRule[]): (day: number, span: Span) => boolean {
  const tests = new Map(
    [...Map.groupBy(byDay, ({ weekday }) => weekday)].map(([weekday, rules]) => {
      const ordinals = rules.map(({ ordinal }) => ordinal)
      return [weekday, ordinals.includes(0) ? () => true : positionTest(ordinals, 7)] as const
    }),
  )
  return (day, span) => tests.get(weekdayOf(day))?.(day, span) === true
}

/** One test for each BY part of a filled `rule`, except BYMONTH. */
function dayTests(rule: Rule, first: number): DayTest[] {
  const tests: DayTest[] = []
  const [yearDay, weekNo] = [positionTest(rule.byYearDay), positionTest(rule.byWeekNo, 7)]
  const weekday = weekdayTest(rule.byDay)
  const ordinalsOfYear = rule.frequency === 'YEARLY' && rule.byMonth.length === 0
  if (rule.byMonthDay.length > 0) tests.push(positionTest(rule.byMonthDay))
  if (rule.byYearDay.length > 0) tests.push((day, _month, year) => yearDay(day, year))
  if (rule.byWeekNo.length > 0) tests.push((day, _month, _year, period) => weekNo(day, period))
  if (rule.byDay.length > 0) tests.push((day, month, year) => weekday(day, ordinalsOfYear ? year : month))
  if (rule.frequency === 'DAILY') tests.push((day) => (day - dayOf(first)) % rule.interval === 0)
  return tests
}

const cycled = (list: readonly number[], index: number) => list[index % list.length] ?? 0

function timesOf({ byHour, byMinute, bySecond }: Rule, first: number): Ascending {
  const fraction = ((first % SECOND) + SECOND) % SECOND
  return {
    size: byHour.length * byMinute.length * bySecond.length,
    at(index) {
      const minute = Math.floor(index / bySecond.length)
      const hour = Math.floor(minute / byMinute.length)
      return (
        ((cycled(byHour, hour) * 60 + cycled(byMinute, minute)) * 60 + cycled(bySecond, index)) * SECOND +
        fraction
      )
    },
  }
}

/** Combines days, counted from `start`, with times. */
const onDays = (start: number, days: readonly number[], times: Ascending): Ascending => ({
  size: days.length * times.size,
  at: (index) => (start + (days[Math.floor(index / times.size)] ?? 0)) * DAY + times.at(index % times.size),
})

/** A rule compiled for its DTSTART. */
export interface Pattern {
  readonly periodOf: (wall: number) => number
  /** The selected periods are `origin` and every `interval`th after it. */
  readonly origin: number
  readonly interval: number
  /** Whether all selected periods have the same wall times relative to their start. */
  readonly isUniform: boolean
  /** The wall times of a period. */
  readonly set: (period: number) => Ascending
}

/** Compiles `rule` for the wall time of DTSTART. */
export function compile(rule: Rule, first: number): Pattern {
  const full = filled(rule, first)
  const periods = periodsOf(rule)
  const tests = dayTests(full, first)
  const months = new Set(full.byMonth)
  const daily = rule.frequency === 'DAILY'
  // A daily rule applies BYSETPOS to one day, so it picks the same times every day.
  const times = daily ? picked(timesOf(full, first), rule.bySetPos) : timesOf(full, first)

  /** Relative to the start of the period. */
  function days(period: Span): number[] {
    const found: number[] = []
    for (let number = monthOf(period.start), end = monthOf(period.end - 1); number <= end; number++) {
      if (months.size > 0 && !months.has((number % 12) + 1)) continue
      const month = MONTHS.span(number)
      const year = YEARS.span(Math.floor(number / 12))
      const last = Math.min(month.end, period.end)
      for (let day = Math.max(month.start, period.start); day < last; day++) {
        if (tests.every((test) => test(day, month, year, period))) found.push(day - period.start)
      }
    }
    return found
  }

  const origin = periods.numberOf(dayOf(first))
  const isUniform = (daily || rule.frequency === 'WEEKLY') && !isLimited(rule)
  const same = isUniform ? days(periods.span(origin)) : undefined
  const all = (span: Span) => onDays(span.start, same ?? days(span), times)
  return {
    periodOf: (wall) => periods.numberOf(dayOf(wall)),
    origin,
    interval: periods === MONTHS && daily ? 1 : rule.interval,
    isUniform,
    set: (period) => picked(all(periods.span(period)), daily ? [] : rule.bySetPos),
  }
}

/** The first selected period that does not end before `wall`. */
function periodFrom({ periodOf, origin, interval }: Pattern, wall: number): number {
  const ahead = Math.ceil((periodOf(wall) - origin) / interval)
  return origin + Math.max(0, ahead) * interval
}

/** The wall times of the rule from `from` to `last`, both inclusive, ascending. */
export function* wallsFrom(pattern: Pattern, from: number, last: number): Generator<number> {
  const end = pattern.periodOf(last)
  for (let period = periodFrom(pattern, from); period <= end; period += pattern.interval) {
    const set = pattern.set(period)
    for (let index = countBelow(set, from); index < set.size; index++) {
      const wall = set.at(index)
      if (wall > last) return
      yield wall
    }
  }
}

/** The wall times of the rule from `last` back to `from`, both inclusive, descending. */
export function* wallsBack(pattern: Pattern, last: number, from: number): Generator<number> {
  const { periodOf, origin, interval } = pattern
  const latest = origin + Math.floor((periodOf(last) - origin) / interval) * interval
  for (let period = latest, end = periodFrom(pattern, from); period >= end; period -= interval) {
    const set = pattern.set(period)
    for (let index = countBelow(set, last + 1) - 1; index >= 0; index--) {
      const wall = set.at(index)
      if (wall < from) return
      yield wall
    }
  }
}

/** Counts the wall times of the rule from `from` to `before`, exclusive. */
export function countWalls(pattern: Pattern, from: number, before: number): number {
  let count = 0
  const last = pattern.periodOf(before)
  for (let period = periodFrom(pattern, from); period <= last; period += pattern.interval) {
    const set = pattern.set(period)
    count += Math.max(0, countBelow(set, before) - countBelow(set, from))
  }
  return count
}

/** The `nth` wall time (from 1) of the rule from `from` on; undefined when it is after 2200. */
export function nthWall(pattern: Pattern, from: number, nth: number): number | undefined {
  let left = nth
  const last = pattern.periodOf(LAST_WALL)
  for (let period = periodFrom(pattern, from); period <= last; period += pattern.interval) {
    const set = pattern.set(period)
    const skipped = countBelow(set, from)
    if (left <= set.size - skipped) return set.at(skipped + left - 1)
    left -= set.size - skipped
    const whole = pattern.isUniform ? Math.floor((left - 1) / set.size) : 0
    left -= whole * set.size
    period += whole * pattern.interval
  }
  return undefined
}

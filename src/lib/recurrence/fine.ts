/**
 * Rules that repeat within a day (RFC 5545, section 3.3.10), which only calendars of other programs have. Their units are
 * hours, minutes and seconds by the clocks; the periods of the pattern are days.
 */

import { type Ascending, picked } from './ascending'
import { compile, DAY, dayOf, type Pattern } from './calendar'
import type { Rule } from './rule'

export interface FineRule extends Omit<Rule, 'frequency'> {
  readonly frequency: 'HOURLY' | 'MINUTELY' | 'SECONDLY'
}

const SIZES = { HOURLY: 3_600_000, MINUTELY: 60_000, SECONDLY: 1000 } as const

const EMPTY: Ascending = { size: 0, at: () => 0 }

const listed = (list: readonly number[]): Ascending => ({
  size: list.length,
  at: (index) => list[index] ?? 0,
})

const all = ({ size, at }: Ascending) => Array.from({ length: size }, (_, index) => at(index))

/** Numbers of two digits, the higher first: `high × base + low`. */
const combined = (high: Ascending, low: Ascending, base: number): Ascending => ({
  size: high.size * low.size,
  at: (index) => high.at(Math.floor(index / low.size)) * base + low.at(index % low.size),
})

const upTo = (size: number): Ascending => ({ size, at: (index) => index })
const listOr = (list: readonly number[], size: number) => (list.length > 0 ? listed(list) : upTo(size))

/** The units of a day that the BY parts leave. */
function leftOver({ frequency, byHour, byMinute, bySecond }: FineRule): Ascending {
  const hours = listOr(byHour, 24)
  if (frequency === 'HOURLY') return hours
  const minutes = combined(hours, listOr(byMinute, 60), 60)
  return frequency === 'MINUTELY' ? minutes : combined(minutes, listOr(bySecond, 60), 60)
}

/** The times within a unit, in milliseconds. */
function within({ frequency, byMinute, bySecond, bySetPos }: FineRule, first: number): Ascending {
  const time = new Date(first)
  const seconds = bySecond.length > 0 ? bySecond : [time.getUTCSeconds()]
  const minutes = byMinute.length > 0 ? byMinute : [time.getUTCMinutes()]
  const named = {
    HOURLY: combined(listed(minutes), listed(seconds), 60),
    MINUTELY: listed(seconds),
    SECONDLY: listed([0]),
  }[frequency]
  const some = picked(named, bySetPos)
  return { size: some.size, at: (index) => some.at(index) * 1000 }
}

/** Whether the rule takes place on a day at all. Days are asked for in ascending order, mostly. */
function dayTest(rule: FineRule): (day: number) => boolean {
  const { byMonth, byMonthDay, byYearDay, byDay } = rule
  if (byMonth.length + byMonthDay.length + byYearDay.length + byDay.length === 0) return () => true
  const none = { byHour: [], byMinute: [], bySecond: [], bySetPos: [] }
  const pattern = compile({ ...rule, ...none, frequency: 'DAILY', interval: 1 }, 0)
  let known = { period: Number.NaN, days: new Set<number>() }
  return (day) => {
    const period = pattern.periodOf(day * DAY)
    if (period !== known.period) {
      known = { period, days: new Set(all(pattern.set(period)).map(dayOf)) }
    }
    return known.days.has(day)
  }
}

const modulo = (number: number, divisor: number) => ((number % divisor) + divisor) % divisor

/** The units of a day, by the first unit that INTERVAL selects: there are as many different days as that has values. */
function unitsFrom(rule: FineRule, perDay: number): (phase: number) => Ascending {
  const { interval } = rule
  const left = leftOver(rule)
  const known = new Map<number, Ascending>()
  let allowed: ReadonlySet<number> | undefined
  const find = (phase: number): Ascending => {
    const size = phase < perDay ? Math.floor((perDay - 1 - phase) / interval) + 1 : 0
    const steps: Ascending = { size, at: (index) => phase + index * interval }
    if (left.size === perDay) return steps
    if (interval === 1) return left
    const named = (allowed ??= new Set(all(left)))
    return listed(all(steps).filter((one) => named.has(one)))
  }
  return (phase) => known.getOrInsertComputed(Math.min(phase, perDay), find)
}

/** Compiles `rule` for the wall time of DTSTART. */
export function compileFine(rule: FineRule, first: number): Pattern {
  const size = SIZES[rule.frequency]
  const perDay = DAY / size
  const origin = Math.floor(first / size)
  const isDay = dayTest(rule)
  const units = unitsFrom(rule, perDay)
  const times = within(rule, first)
  return {
    periodOf: dayOf,
    origin: dayOf(first),
    interval: 1,
    isUniform: false,
    set(day) {
      if (!isDay(day)) return EMPTY
      const some = units(modulo(origin - day * perDay, rule.interval))
      return {
        size: some.size * times.size,
        at: (index) =>
          day * DAY + some.at(Math.floor(index / times.size)) * size + times.at(index % times.size),
      }
    },
  }
}

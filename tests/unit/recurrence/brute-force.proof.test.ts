import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { parseRule } from '../../../src/lib/recurrence/grammar'
import {
  allDaySeries,
  countBefore,
  isOccurrence,
  nextOccurrence,
  occurrencesBetween,
  previousOccurrence,
  seriesProblem,
  type Series,
  timedSeries,
} from '../../../src/lib/recurrence/recurrence'
import { EVER, toSeries } from '../../../src/features/events/events/rules.recurrence'
import { type Times, timesAt } from '../../../src/features/events/events/rules.times'
import type { Rule } from '../../../src/lib/recurrence/rule'
import { wallIn } from '../../../src/lib/time/wall-time'
import { bruteForce, namesAnything } from './brute-force'
import { readRule } from './series'

// Both hemispheres, half an hour of daylight saving, gaps at midnight, negative daylight saving, and a day that Samoa skipped.
const ZONES = [
  'UTC',
  'America/New_York',
  'America/St_Johns',
  'America/Sao_Paulo',
  'Europe/Berlin',
  'Europe/Kiev',
  'Africa/Casablanca',
  'Asia/Kathmandu',
  'Asia/Tehran',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Auckland',
]

const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const

const weekday = fc.constantFrom('MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU')

const either = (max: number) => fc.oneof(fc.integer({ min: 1, max }), fc.integer({ min: -max, max: -1 }))

const numbered = (max: number) =>
  fc.tuple(fc.oneof(fc.constant(''), either(max)), weekday).map(([ordinal, day]) => `${ordinal}${day}`)

const never = fc.constant(undefined)

const inSome = (percent: number, values: fc.Arbitrary<number | string>, maxLength = 4) =>
  fc.oneof(
    { weight: percent, arbitrary: fc.uniqueArray(values, { minLength: 1, maxLength }) },
    { weight: 100 - percent, arbitrary: never },
  )

const two = (value: number) => String(value).padStart(2, '0')

/** A wall time at an hour at which clocks change, on the half hour: `2011-12-30T02:30:00`. */
const walls = (minYear: number, maxYear: number) =>
  fc
    .tuple(
      fc.oneof({ weight: 9, arbitrary: fc.integer({ min: minYear, max: maxYear }) }, fc.constant(2011)),
      fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constantFrom(3, 10, 12)),
      fc.oneof(fc.integer({ min: 1, max: 28 }), fc.constantFrom(29, 30, 31)),
      fc.oneof(fc.constantFrom(0, 1, 2, 3), fc.integer({ min: 0, max: 23 })),
      fc.constantFrom(0, 15, 30),
    )
    .map(([year, month, day, hour, minute]) =>
      Temporal.PlainDateTime.from({ year, month, day, hour, minute }, { overflow: 'constrain' }),
    )

const basic = (wall: Temporal.PlainDateTime) =>
  `${wall.year}${two(wall.month)}${two(wall.day)}T${two(wall.hour)}${two(wall.minute)}00`

interface Case {
  readonly text: string
  readonly start: Temporal.PlainDateTime
  readonly zone: string | undefined
}

const cases = (minYear: number, maxYear: number, spanYears: number): fc.Arbitrary<Case> =>
  fc
    .record({
      frequency: fc.constantFrom(...FREQUENCIES),
      zone: fc.option(fc.constantFrom(...ZONES), { nil: undefined, freq: 4 }),
      hasWeeks: fc.boolean(),
    })
    .chain(({ frequency, zone, hasWeeks }) => {
      const yearly = frequency === 'YEARLY'
      const weeks = yearly && hasWeeks
      const isNumbered = (frequency === 'MONTHLY' || yearly) && !weeks
      const time = (percent: number, values: fc.Arbitrary<number>) =>
        zone === undefined ? never : inSome(percent, values, 2)
      return fc
        .record({
          parts: fc.record({
            INTERVAL: fc.oneof(never, fc.integer({ min: 1, max: 5 })),
            WKST: fc.option(weekday, { nil: undefined, freq: 1 }),
            BYMONTH: inSome(25, fc.integer({ min: 1, max: 12 })),
            BYWEEKNO: weeks ? inSome(100, fc.oneof(either(53), fc.constantFrom(1, 53, -1)), 6) : never,
            BYYEARDAY: yearly ? inSome(15, either(366), 12) : never,
            BYMONTHDAY: frequency === 'WEEKLY' ? never : inSome(25, either(31), 8),
            BYDAY: inSome(45, isNumbered ? numbered(yearly ? 53 : 5) : weekday),
            BYHOUR: time(20, fc.integer({ min: 0, max: 5 })),
            BYMINUTE: time(20, fc.constantFrom(0, 15, 30, 45)),
            BYSECOND: time(10, fc.constantFrom(0, 30, 59)),
            BYSETPOS: inSome(25, either(5), 3),
          }),
          start: walls(minYear, maxYear),
          count: fc.integer({ min: 1, max: 60 }),
          until: walls(minYear, maxYear + spanYears),
          end: fc.constantFrom('none', 'none', 'COUNT', 'date', 'local', 'instant'),
        })
        .map(({ parts, start, count, until, end }) => {
          const ends = {
            none: '',
            COUNT: `;COUNT=${count}`,
            date: `;UNTIL=${basic(until).slice(0, 8)}`,
            local: `;UNTIL=${basic(until)}`,
            instant: `;UNTIL=${basic(until)}Z`,
          }
          const named = Object.entries(parts).flatMap(([name, value]) =>
            value === undefined ? [] : [`;${name}=${String(value)}`],
          )
          // BYSETPOS, which is last, needs another BY part.
          if (named.filter((part) => part.startsWith(';BY')).length === 1 && parts.BYSETPOS) named.pop()
          return {
            text: `FREQ=${frequency}${named.join('')}${ends[end]}`,
            start: zone === undefined ? start.with({ hour: 0, minute: 0 }) : start,
            zone,
          }
        })
    })

/** The rule of a text that `parseRule` refuses because its parts exclude each other. */
function readUnchecked(text: string): Rule {
  const [frequency = '', ...parts] = text.split(';')
  const rules = parts.map((part) => {
    const rule = readRule(`FREQ=YEARLY;${part}${part.startsWith('BYSETPOS') ? ';BYHOUR=0,1,2,3,4' : ''}`)
    return Object.entries(rule).filter(([name]) => name.toUpperCase() === part.replace(/=.*/, ''))
  })
  return { ...readRule(frequency), ...Object.fromEntries(rules.flat()) }
}

/** Milliseconds in and out, whatever the points of the series are. */
function numbers<Point extends Date | string>(series: Series<Point>) {
  const optional = (point: Point | undefined) => (point === undefined ? undefined : series.toInstant(point))
  return {
    between: (from: number, to: number, limit: number) =>
      occurrencesBetween(series, series.toPoint(from), series.toPoint(to), limit).map(series.toInstant),
    next: (after: number) => optional(nextOccurrence(series, series.toPoint(after))),
    previous: (before: number) => optional(previousOccurrence(series, series.toPoint(before))),
    has: (at: number) => isOccurrence(series, series.toPoint(at)),
    countBefore: (at: number) => countBefore(series, series.toPoint(at)),
    problem: seriesProblem(series),
  }
}

const DAY = 86_400_000

const expand = (rule: Rule, instant: number, zone: string | undefined) =>
  zone === undefined
    ? numbers(allDaySeries(new Date(instant).toISOString().slice(0, 10), rule))
    : numbers(timedSeries(new Date(instant), zone, rule))

/** The start as the zone has it: one in a gap is one after it. */
function normalised({ start, zone }: Case): {
  readonly wall: Temporal.PlainDateTime
  readonly instant: number
} {
  const zoned = start.toZonedDateTime(zone ?? 'UTC')
  return { wall: zoned.toPlainDateTime(), instant: zoned.epochMilliseconds }
}

/** Daylight saving skips both of its times on one day. */
const TWO_IN_A_GAP: Case = {
  text: 'FREQ=WEEKLY;INTERVAL=2;BYMINUTE=30,0',
  start: Temporal.PlainDateTime.from('2013-03-03T03:30'),
  zone: 'Pacific/Apia',
}

/** A day that Samoa has never had: two wall times are one instant. */
const SKIPPED_DAY: Case = {
  text: 'FREQ=DAILY;COUNT=11',
  start: Temporal.PlainDateTime.from('2011-12-29T00:00'),
  zone: 'Pacific/Apia',
}

/** An event that begins and ends at `instant`. */
function timesFrom({ zone }: Case, instant: number): Times {
  const at = new Date(instant)
  const day = at.toISOString().slice(0, 10)
  return zone === undefined
    ? { allDay: true, startDate: day, endDate: day }
    : { allDay: false, startAt: at, endAt: at, startWall: wallIn(zone, at), timeZone: zone }
}

describe('against an expander that walks every day', () => {
  test('10 000 random rules have the same starts', () => {
    let compared = 0
    fc.assert(
      fc.property(cases(2001, 2030, 3), fc.nat(), (example, pick) => {
        const { wall, instant } = normalised(example)
        const years = example.text.startsWith('FREQ=YEARLY') ? 9 : 3
        const parsed = parseRule(example.text)
        if ('problem' in parsed) {
          expect(parsed.problem).toBe('must match at least one day')
          expect(namesAnything(readUnchecked(example.text), wall, wall.year + years)).toBe(false)
          return
        }
        compared++
        const end = wall.year + years
        const horizon = Date.UTC(end, 0, 1) - 2 * DAY
        const expected = bruteForce(parsed.rule, wall, example.zone, end).filter((at) => at < horizon)
        const actual = expand(parsed.rule, instant, example.zone)
        expect(actual.between(instant - DAY, horizon, Infinity)).toEqual(expected)

        const index = pick % expected.length
        const [at = 0, following = horizon] = expected.slice(index)
        expect(actual.has(at)).toBe(true)
        expect(actual.between(at, horizon, 3)).toEqual(expected.slice(index, index + 3))
        const step = example.zone === undefined ? DAY : 1
        expect(actual.between(at, at + step, 3)).toEqual([at])
        expect(actual.between(at - step, at, 3)).not.toContain(at)
        expect(actual.previous(following)).toBe(at)
        expect(actual.previous(at)).toBe(expected[index - 1])
        if (following < horizon) expect(actual.next(at)).toBe(following)
      }),
      { numRuns: 10_000 },
    )
    expect(compared).toBeGreaterThan(5000)
  }, 120_000)

  test('random rules have the same starts a lifetime after the first one', () => {
    const span = 130
    fc.assert(
      fc.property(cases(1962, 1978, span), fc.integer({ min: 20, max: span }), (example, years) => {
        const { wall, instant } = normalised(example)
        const parsed = parseRule(example.text)
        if ('problem' in parsed) return
        const actual = expand(parsed.rule, instant, example.zone)
        const from = Date.UTC(wall.year + years, 0, 1)
        const to = from + 400 * DAY
        const all = bruteForce(parsed.rule, wall, example.zone, wall.year + years + 2)
        const expected = all.filter((at) => at >= from && at < to)
        expect(actual.between(from, to, Infinity)).toEqual(expected)
        expect(actual.previous(to)).toBe(all.findLast((at) => at < to))
        if (expected.length > 0) expect(actual.next(from - DAY)).toBe(all.find((at) => at > from - DAY))
        if (actual.problem !== undefined) expect(all).toEqual([instant])
      }),
      { numRuns: 300 },
    )
  }, 120_000)

  test('a random series and the two that it is divided into have the same starts', () => {
    fc.assert(
      fc.property(cases(2001, 2030, 3), fc.nat(), (example, pick) => {
        const { wall, instant } = normalised(example)
        const parsed = parseRule(example.text)
        if ('problem' in parsed) return
        const span = { ...EVER, to: new Date(Date.UTC(wall.year + 4, 0, 1)), toDay: `${wall.year + 4}-01-01` }
        const startsOf = (first: Times, rule: Rule) => toSeries(first, rule).within(span, Infinity)
        const first = timesFrom(example, instant)
        const series = toSeries(first, parsed.rule)
        const all = series.within(span, Infinity)
        const index = pick % all.length
        const at = all[index] ?? 0
        const head = series.before(at)
        if (index === 0) return expect(head).toBeUndefined()
        expect(startsOf(first, head?.rule ?? parsed.rule)).toEqual(all.slice(0, index))
        expect(startsOf(timesAt(first, at), series.from(at).rule)).toEqual(all.slice(index))
      }),
      {
        numRuns: 3000,
        examples: [
          [TWO_IN_A_GAP, 29],
          [TWO_IN_A_GAP, 30],
          [SKIPPED_DAY, 1],
        ],
      },
    )
  }, 120_000)
})

import { describe, expect, test } from 'bun:test'
import { EVER, readRule, toSeries } from '../../src/features/events/events/rules.recurrence'
import type { Times } from '../../src/features/events/events/rules.times'
import { formatRule } from '../../src/lib/recurrence/grammar'

const wall = (text: string) => Date.parse(`${text}Z`)
const shown = (walls: readonly number[]) => walls.map((one) => new Date(one).toISOString().slice(0, 16))
const timed = (text: string): Times => ({
  allDay: false,
  startAt: new Date(`${text}Z`),
  endAt: new Date(wall(text) + 3_600_000),
  startWall: wall(text),
  timeZone: 'UTC',
})
const day = (startDate: string): Times => ({ allDay: true, startDate, endDate: startDate })

describe('a daily series of every other day that is split at an extra start', () => {
  const split = (first: string, extra: string, rule: string) =>
    toSeries(timed(first), readRule(rule), [wall(extra)]).from(wall(extra))

  test.each(['2026-03-04T15:00', '2026-03-05T15:00'])(
    'keeps its rule where the extra start is on a day of its own, from %s',
    (first) => {
      const extra = new Date(wall(first) + 4 * 86_400_000 - 6 * 3_600_000).toISOString().slice(0, 16)
      const { rule, extras } = split(first, extra, 'FREQ=DAILY;INTERVAL=2')
      expect([formatRule(rule), extras]).toEqual([
        'FREQ=DAILY;INTERVAL=2;BYHOUR=15;BYMINUTE=0;BYSECOND=0',
        [],
      ])
    },
  )

  test.each(['2026-03-04T15:00', '2026-03-05T15:00'])(
    'goes on at extra starts where it is on a day between, from %s',
    (first) => {
      const extra = new Date(wall(first) + 3 * 86_400_000).toISOString().slice(0, 16)
      const { rule, extras } = split(first, extra, 'FREQ=DAILY;INTERVAL=2;COUNT=4')
      expect(formatRule(rule)).toBe('FREQ=DAILY;COUNT=1')
      expect(extras).toEqual([wall(first) + 4 * 86_400_000, wall(first) + 6 * 86_400_000])
    },
  )

  test('counts days also where it takes place in some months only', () => {
    const { extras } = split(
      '2026-03-04T15:00',
      '2026-03-27T15:00',
      'FREQ=DAILY;INTERVAL=2;BYMONTH=3;COUNT=14',
    )
    expect(shown(extras)).toEqual(['2026-03-28T15:00', '2026-03-30T15:00'])
  })
})

describe('a series that is divided at an extra start', () => {
  const at = (date: string) => wall(`${date}T15:00`)

  test('keeps it in the later part alone', () => {
    const extra = at('2026-03-05')
    const head = toSeries(timed('2026-03-04T15:00'), readRule('FREQ=WEEKLY'), [extra]).before(extra)
    expect(head?.extras).toEqual([])
  })

  test('has the rest of its rule among the other extra starts, in order, where INTERVAL does not meet it', () => {
    const extras = [at('2026-03-10'), at('2026-03-20')]
    const series = toSeries(timed('2026-03-02T15:00'), readRule('FREQ=WEEKLY;INTERVAL=2;COUNT=4'), extras)
    expect(shown(series.from(at('2026-03-10')).extras)).toEqual(
      ['2026-03-16', '2026-03-20', '2026-03-30', '2026-04-13'].map((date) => `${date}T15:00`),
    )
  })

  const divided = (text: string, date: string) => {
    const extra = wall(`${date}T09:00`)
    const series = toSeries(timed('2026-03-03T15:00'), readRule(`${text};COUNT=9`), [extra])
    return formatRule(series.from(extra).rule)
  }

  test.each([
    ['FREQ=DAILY;INTERVAL=3', '2026-03-06'],
    ['FREQ=WEEKLY;INTERVAL=3', '2026-03-25'],
    ['FREQ=MONTHLY;INTERVAL=3', '2026-06-09'],
    ['FREQ=YEARLY;INTERVAL=3', '2029-03-09'],
  ])('keeps its rule where INTERVAL meets the start: %s at %s', (text, date) => {
    expect(divided(text, date)).toStartWith(`${text};`)
  })

  test.each([
    ['FREQ=DAILY;INTERVAL=3', '2026-03-07'],
    ['FREQ=WEEKLY;INTERVAL=3', '2026-03-18'],
    ['FREQ=MONTHLY;INTERVAL=3', '2026-05-09'],
    ['FREQ=YEARLY;INTERVAL=3', '2027-03-09'],
  ])('has extra starts instead where INTERVAL does not meet it: %s at %s', (text, date) => {
    expect(divided(text, date)).toBe('FREQ=DAILY;COUNT=1')
  })

  test('is divided where the rest of its rule needs at most a thousand extra starts', () => {
    const first = wall('2026-03-04T15:00')
    const DAY = 86_400_000
    const extra = first + DAY
    const needed = (count: number, ...others: readonly number[]) =>
      toSeries(timed('2026-03-04T15:00'), readRule(`FREQ=DAILY;INTERVAL=2;COUNT=${count}`), [
        extra,
        ...others,
      ]).from(extra).extras.length
    expect(needed(1001)).toBe(1000)
    expect(() => needed(1002)).toThrow('more than 1000 extra dates')
    expect(() => needed(1001, first + 3 * DAY)).toThrow('more than 1000 extra dates')
    // What is left of the rule is not complete, although what is known of it is among the extra starts.
    const known = Array.from({ length: 1001 }, (_, n) => first + 2 * (n + 1) * DAY)
    expect(() => needed(1003, ...known)).toThrow('more than 1000 extra dates')
  })
})

test('a series that is split within a week or month keeps the rest of its COUNT', () => {
  const rest = (first: string, from: string, rule: string) =>
    toSeries(timed(first), readRule(rule)).from(wall(from)).rule.count
  const weekly = 'FREQ=WEEKLY;BYDAY=MO,WE,FR;COUNT=9'
  expect(rest('2026-03-02T15:00', '2026-03-06T15:00', weekly)).toBe(7)
  expect(rest('2026-03-02T15:00', '2026-03-11T15:00', weekly)).toBe(5)
  expect(rest('2026-03-01T15:00', '2026-03-21T15:00', 'FREQ=MONTHLY;BYMONTHDAY=1,11,21;COUNT=9')).toBe(7)
})

test('a series of days that is split at an extra day gets no times of day', () => {
  const first = day('2026-03-04')
  const series = toSeries(first, readRule('FREQ=WEEKLY;COUNT=3'), [wall('2026-03-06T00:00')])
  const { rule, extras } = series.from(wall('2026-03-06T00:00'))
  expect([formatRule(rule), extras]).toEqual(['FREQ=WEEKLY;COUNT=3;BYDAY=WE', []])
  expect(shown(toSeries(day('2026-03-06'), rule, extras).within(EVER, 9))).toEqual([
    '2026-03-06T00:00',
    '2026-03-11T00:00',
    '2026-03-18T00:00',
  ])
})

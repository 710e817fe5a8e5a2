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

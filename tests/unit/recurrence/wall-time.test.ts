import { describe, expect, test } from 'bun:test'
import {
  allDaySeries,
  countBefore,
  lastOccurrence,
  nextOccurrence,
  occurrencesBetween,
  previousOccurrence,
  timedSeries,
} from '../../../src/lib/recurrence/recurrence'
import { ALWAYS, at, days, readRule, starts, timed } from './series'

const TORONTO = 'America/Toronto'
const BERLIN = 'Europe/Berlin'

describe('wall time', () => {
  test('19:00 in Toronto stays 19:00 in November', () => {
    const series = timed(TORONTO, '2026-10-25T19:00', 'FREQ=WEEKLY')
    expect(occurrencesBetween(series, ...ALWAYS, 3).map((start) => start.toISOString())).toEqual([
      '2026-10-25T23:00:00.000Z',
      '2026-11-02T00:00:00.000Z',
      '2026-11-09T00:00:00.000Z',
    ])
  })

  test.each(['America/Sao_Paulo', BERLIN, 'Australia/Lord_Howe', 'Africa/Casablanca', 'Europe/Kiev'])(
    'a daily series has one occurrence on every day of two years in %s',
    (zone) => {
      const walls = starts(zone, '2017-01-01T00:15', 'FREQ=DAILY', 730)
      expect(walls.map((wall) => wall.slice(0, 10))).toEqual(days('2017-01-01', 'FREQ=DAILY', 730))
    },
  )

  test('a time that does not exist moves forward by the gap, that day only', () => {
    expect(starts(BERLIN, '2026-03-28T02:30', 'FREQ=DAILY', 3)).toEqual([
      '2026-03-28T02:30',
      '2026-03-29T03:30',
      '2026-03-30T02:30',
    ])
    expect(starts('Australia/Lord_Howe', '2026-10-03T02:10', 'FREQ=DAILY', 3)).toEqual([
      '2026-10-03T02:10',
      '2026-10-04T02:40',
      '2026-10-05T02:10',
    ])
  })

  test('a time that exists twice is the first', () => {
    const series = timed(TORONTO, '2026-10-31T01:30', 'FREQ=DAILY')
    expect(nextOccurrence(series, at(TORONTO, '2026-10-31T01:30'))).toEqual(new Date('2026-11-01T05:30:00Z'))
  })

  test('a first occurrence at the second of two equal times stays there', () => {
    const second = new Date('2026-11-01T06:30:00Z')
    const series = timedSeries(second, TORONTO, readRule('FREQ=DAILY;COUNT=3'))
    expect(occurrencesBetween(series, ...ALWAYS, 9)).toEqual([
      second,
      new Date('2026-11-02T06:30:00Z'),
      new Date('2026-11-03T06:30:00Z'),
    ])
  })

  test('times that a gap moves stay in order, and what coincides is one occurrence', () => {
    expect(starts(BERLIN, '2026-03-29T01:00', 'FREQ=DAILY;BYHOUR=2,3;BYMINUTE=0,30', 5)).toEqual([
      '2026-03-29T01:00',
      '2026-03-29T03:00',
      '2026-03-29T03:30',
      '2026-03-30T02:00',
      '2026-03-30T02:30',
    ])
  })

  test('what coincides is one occurrence also where nothing comes after it', () => {
    expect(starts(BERLIN, '2026-03-29T01:00', 'FREQ=DAILY;BYHOUR=2,3;COUNT=3', 9)).toEqual([
      '2026-03-29T01:00',
      '2026-03-29T03:00',
    ])
  })

  test('of what comes before the end of an hour that comes twice, nothing of the next hour counts', () => {
    const series = timed(BERLIN, '2026-10-24T01:00', 'FREQ=DAILY;BYHOUR=1,3')
    expect(previousOccurrence(series, new Date('2026-10-25T01:10:00Z'))).toEqual(
      at(BERLIN, '2026-10-25T01:00'),
    )
  })

  test('of what comes before a skipped time has moved, that time is not', () => {
    const series = timed(BERLIN, '2026-03-27T02:30', 'FREQ=DAILY')
    expect(previousOccurrence(series, new Date('2026-03-29T01:20:00Z'))).toEqual(
      at(BERLIN, '2026-03-28T02:30'),
    )
  })

  test('COUNT is used up by nothing later, and by nothing of before the first start', () => {
    const autumn = timed(BERLIN, '2026-10-24T03:00', 'FREQ=DAILY;BYMINUTE=0,30;COUNT=9')
    expect(countBefore(autumn, at(BERLIN, '2026-10-25T03:00'))).toBe(2)
    const spring = timed(BERLIN, '2026-03-29T03:00', 'FREQ=DAILY;BYMINUTE=0,30;COUNT=9')
    expect(countBefore(spring, at(BERLIN, '2026-03-29T03:30'))).toBe(1)
    const skipped = Date.parse('2026-03-29T02:30Z')
    const gap = timedSeries(
      at(BERLIN, '2026-03-29T03:30'),
      BERLIN,
      readRule('FREQ=DAILY;BYHOUR=2,3;BYMINUTE=0,30;COUNT=9'),
      skipped,
    )
    expect(countBefore(gap, at(BERLIN, '2026-03-29T03:30'))).toBe(0)
  })

  test('a first start that a gap moves to or past later ones is the first, once', () => {
    const series = timedSeries(
      at(BERLIN, '2026-03-29T03:30'),
      BERLIN,
      readRule('FREQ=DAILY;BYHOUR=2,3;BYMINUTE=0,30'),
      Date.parse('2026-03-29T02:30Z'),
    )
    expect(occurrencesBetween(series, ...ALWAYS, 2)).toEqual(
      ['2026-03-29T03:30', '2026-03-30T02:00'].map((wall) => at(BERLIN, wall)),
    )
  })

  test('the day that Samoa skipped moves to the next, where it is one with it', () => {
    expect(starts('Pacific/Apia', '2011-12-28T09:00', 'FREQ=DAILY', 4)).toEqual([
      '2011-12-28T09:00',
      '2011-12-29T09:00',
      '2011-12-31T09:00',
      '2012-01-01T09:00',
    ])
  })

  test('2040 has the daylight saving of today', () => {
    const series = timed(BERLIN, '2026-01-01T09:00', 'FREQ=MONTHLY')
    const [july] = occurrencesBetween(series, new Date('2040-07-01'), new Date('2040-08-01'), 2)
    expect(july).toEqual(new Date('2040-07-01T07:00:00Z'))
  })

  test('Europe/Kiev is Europe/Kyiv', () => {
    const of = (zone: string) =>
      occurrencesBetween(timed(zone, '2026-01-01T09:00', 'FREQ=WEEKLY'), ...ALWAYS, 60)
    expect(of('Europe/Kiev')).toEqual(of('Europe/Kyiv'))
  })

  test('fractions of a second are those of the start', () => {
    const series = timedSeries(
      new Date('2026-01-01T09:00:00.250Z'),
      'UTC',
      readRule('FREQ=DAILY;UNTIL=20260102T090000Z'),
    )
    expect(lastOccurrence(series)).toEqual(new Date('2026-01-02T09:00:00.250Z'))
  })
})

describe('UNTIL is inclusive', () => {
  test.each([
    { until: '20260303', last: '2026-03-03T20:00' },
    { until: '20260303T200000', last: '2026-03-03T20:00' },
    { until: '20260303T195959', last: '2026-03-02T20:00' },
    // 20:00 in Toronto is 1:00 of the next day in UTC.
    { until: '20260304T010000Z', last: '2026-03-03T20:00' },
    { until: '20260304T005959Z', last: '2026-03-02T20:00' },
    { until: '20260301T000000Z', last: '2026-03-01T20:00' },
  ])('of a timed series: $until', ({ until, last }) => {
    const series = timed(TORONTO, '2026-03-01T20:00', `FREQ=DAILY;UNTIL=${until}`)
    expect(lastOccurrence(series)).toEqual(at(TORONTO, last))
    expect(occurrencesBetween(series, ...ALWAYS, 99).at(-1)).toEqual(at(TORONTO, last))
  })

  test('of an instant within the hour that comes twice', () => {
    const last = (until: string) =>
      lastOccurrence(timed(TORONTO, '2026-10-30T01:45', `FREQ=DAILY;UNTIL=${until}`))?.toISOString()
    expect(last('20261101T054500Z')).toBe('2026-11-01T05:45:00.000Z')
    expect(last('20261101T061000Z')).toBe('2026-11-01T05:45:00.000Z')
    expect(last('20261101T054400Z')).toBe('2026-10-31T05:45:00.000Z')
  })

  test.each(['20260303', '20260303T000000', '20260303T235959Z'])(
    'of an all-day series, where only its date counts: %s',
    (until) => {
      const series = allDaySeries('2026-03-01', readRule(`FREQ=DAILY;UNTIL=${until}`))
      expect(lastOccurrence(series)).toBe('2026-03-03')
    },
  )
})

import { describe, expect, test } from 'bun:test'
import { assert, date, property } from 'fast-check'
import { isStill, movedRule, movedTimes, movedWall } from '../../src/features/events/series/rules'
import { extentOf, overlaps } from '../../src/features/events/occurrences/rules'
import { readWindow } from '../../src/features/events/windows/rules'
import { readRule } from '../../src/features/events/events/rules.recurrence'
import {
  moveFirst,
  readTimes,
  type Times,
  timesAt,
  wallOf,
} from '../../src/features/events/events/rules.times'
import { instantOf, readMoment, wallFromText, wallIn, wallToText } from '../../src/lib/time/wall-time'

const BERLIN = 'Europe/Berlin'
const timed = (start_at: string, end_at: string, zone = BERLIN) =>
  readTimes({ start_at, end_at, time_zone: zone }, undefined, 'UTC')
const days = (start_date: string, end_date = start_date) =>
  readTimes({ all_day: true, start_date, end_date }, undefined, 'UTC')
const iso = (times: Times) =>
  times.allDay ? [times.startDate, times.endDate] : [times.startAt.toISOString(), times.endAt.toISOString()]

describe('wall time', () => {
  test('is read from what PostgreSQL writes and from ISO 8601', () => {
    for (const text of ['2026-03-29 02:30:00', '2026-03-29T02:30:00.000', '2026-03-29T02:30']) {
      expect(wallToText(wallFromText(text))).toBe('2026-03-29T02:30:00.000')
    }
  })

  test('is read as it was written, in every year and to the millisecond', () => {
    const years = { min: new Date('1900-01-01'), max: new Date('2200-12-31'), noInvalidDate: true }
    assert(
      property(date(years), (at) => {
        const text = at.toISOString().slice(0, -1)
        expect(wallFromText(text)).toBe(+at)
        // PostgreSQL leaves out the zeros at the end of a fraction.
        expect(wallFromText(text.replace('T', ' ').replace(/\.?0{1,3}$/, ''))).toBe(+at)
      }),
    )
  })

  test('moves forward where it is skipped, and is the first where it is repeated', () => {
    const at = (text: string) => instantOf(BERLIN, wallFromText(text)).toISOString()
    expect(at('2026-03-29T02:30')).toBe('2026-03-29T01:30:00.000Z')
    expect(at('2026-10-25T02:30')).toBe('2026-10-25T00:30:00.000Z')
  })

  test('of a moment without an offset is as it was written, also where it is skipped', () => {
    const skipped = readMoment(BERLIN, '2026-03-29T02:30')
    expect(skipped).toEqual({ at: new Date('2026-03-29T01:30Z'), wall: wallFromText('2026-03-29T02:30') })
    expect(readMoment(BERLIN, '2026-03-29T01:30Z')?.wall).toBe(wallFromText('2026-03-29T03:30'))
    expect(wallIn('Australia/Lord_Howe', new Date('2026-01-01T00:00Z'))).toBe(
      wallFromText('2026-01-01T11:00'),
    )
    expect(readMoment(BERLIN, 'soon')).toBeUndefined()
  })
})

describe('an occurrence', () => {
  test('keeps the exact duration, and days their number', () => {
    const series = timed('2026-03-28T23:00', '2026-03-29T04:00')
    expect(iso(timesAt(series, wallFromText('2026-04-04T23:00')))).toEqual([
      '2026-04-04T21:00:00.000Z',
      '2026-04-05T01:00:00.000Z',
    ])
    expect(iso(timesAt(days('2026-02-27', '2026-03-01'), wallFromText('2028-02-27')))).toEqual([
      '2028-02-27',
      '2028-02-29',
    ])
  })

  test('that moves takes the first with it by the same amount on the wall', () => {
    const first = timed('2026-03-02T09:00', '2026-03-02T10:00')
    const third = timesAt(first, wallFromText('2026-04-06T09:00'))
    const moved = readTimes({ start_at: '2026-04-07T11:30', end_at: '2026-04-07T12:00' }, third, BERLIN)
    expect(iso(moveFirst(first, third, moved))).toEqual([
      '2026-03-03T10:30:00.000Z',
      '2026-03-03T11:00:00.000Z',
    ])
    const early = readTimes({ start_at: '1900-01-01T09:00' }, third, BERLIN)
    expect(() => moveFirst(first, third, early)).toThrow('start_at: must be in the years 1900 to 2200')
  })
})

describe('a series that moves', () => {
  const rule = (text: string, from: Times, to: Times) => movedRule(text, readRule(text), { from, to })

  test.each([
    ['FREQ=WEEKLY;BYDAY=MO,WE', 'FREQ=WEEKLY;BYDAY=TU,TH'],
    ['FREQ=DAILY;INTERVAL=2;BYDAY=MO,WE', 'FREQ=DAILY;INTERVAL=2;BYDAY=TU,TH'],
    ['FREQ=WEEKLY;BYDAY=SU,SA', 'FREQ=WEEKLY;BYDAY=MO,SU'],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=MO', 'FREQ=WEEKLY;INTERVAL=2;WKST=TU;BYDAY=TU'],
    ['FREQ=DAILY;BYHOUR=9;BYMINUTE=0', 'FREQ=DAILY;BYHOUR=11;BYMINUTE=0'],
    ['FREQ=WEEKLY;BYDAY=MO;BYHOUR=9', 'FREQ=WEEKLY;BYHOUR=11;BYDAY=TU'],
    ['FREQ=DAILY;BYHOUR=9,17', 'FREQ=DAILY;BYHOUR=9,17'],
    ['FREQ=MONTHLY;BYMONTHDAY=2', 'FREQ=MONTHLY;BYMONTHDAY=3'],
    ['FREQ=MONTHLY;BYMONTHDAY=2,16', 'FREQ=MONTHLY;BYMONTHDAY=2,16'],
    ['FREQ=DAILY;UNTIL=20260331', 'FREQ=DAILY;UNTIL=20260401'],
    ['FREQ=DAILY;UNTIL=20260331T070000Z', 'FREQ=DAILY;UNTIL=20260401T090000Z'],
    ['FREQ=DAILY;UNTIL=20260331T090000', 'FREQ=DAILY;UNTIL=20260401T110000'],
    ['COUNT=3;FREQ=DAILY', 'COUNT=3;FREQ=DAILY'],
  ])('by a day and two hours turns %s into %s', (text, expected) => {
    const [from, to] = [
      timed('2026-03-02T09:00', '2026-03-02T10:00'),
      timed('2026-03-03T11:00', '2026-03-03T12:00'),
    ]
    expect(rule(text, from, to)).toBe(expected)
    expect(rule(text, from, from)).toBe(text)
  })

  test('follows its own month and no other, and keeps the nth weekdays of months', () => {
    const from = timed('2026-03-31T09:00', '2026-03-31T10:00')
    const to = timed('2026-04-01T09:00', '2026-04-01T10:00')
    expect(rule('FREQ=DAILY;BYMONTH=3', from, to)).toBe('FREQ=DAILY;BYMONTH=4')
    expect(rule('FREQ=WEEKLY;BYMONTH=3', from, to)).toBe('FREQ=WEEKLY;BYMONTH=4')
    expect(rule('FREQ=DAILY;BYMONTH=6', from, to)).toBe('FREQ=DAILY;BYMONTH=6')
    expect(rule('FREQ=MONTHLY;BYDAY=5TU', from, to)).toBe('FREQ=MONTHLY;BYDAY=5TU')
  })

  test('to an earlier time of the same day keeps the last day of its rule', () => {
    const from = timed('2026-03-02T09:00', '2026-03-02T10:00')
    const to = timed('2026-03-02T08:00', '2026-03-02T09:00')
    expect(rule('FREQ=DAILY;UNTIL=20260331', from, to)).toBe('FREQ=DAILY;UNTIL=20260331')
  })

  test('keeps the text of its rule where it stays still, however the end is written', () => {
    expect(rule('FREQ=DAILY;UNTIL=20260401T000000Z', days('2026-03-02'), days('2026-03-02'))).toBe(
      'FREQ=DAILY;UNTIL=20260401T000000Z',
    )
    const night = timed('2026-10-20T02:30', '2026-10-20T03:00')
    expect(rule('FREQ=DAILY;UNTIL=20261025T013000Z', night, night)).toBe('FREQ=DAILY;UNTIL=20261025T013000Z')
  })

  test('stays still only with the same start on the clock and the same zone', () => {
    const from = timed('2026-03-02T09:00', '2026-03-02T10:00')
    expect(isStill({ from, to: timed('2026-03-02T09:00', '2026-03-02T12:00') })).toBe(true)
    expect(isStill({ from, to: timed('2026-03-02T09:00', '2026-03-02T10:00', 'Europe/Lisbon') })).toBe(false)
    expect(isStill({ from, to: timed('2026-03-02T09:01', '2026-03-02T10:00') })).toBe(false)
    expect(isStill({ from: days('2026-03-02'), to: days('2026-03-02', '2026-03-04') })).toBe(true)
    expect(isStill({ from: days('2026-03-02'), to: timed('2026-03-02T00:00', '2026-03-02T10:00') })).toBe(
      false,
    )
  })

  test('to whole days ends on the day that its zone had', () => {
    const from = timed('2026-03-02T19:00', '2026-03-02T20:00', 'America/Toronto')
    expect(rule('FREQ=DAILY;UNTIL=20260401T000000Z', from, days('2026-03-02'))).toBe(
      'FREQ=DAILY;UNTIL=20260331',
    )
  })

  test('takes overrides along in the new zone', () => {
    const from = timed('2026-03-02T19:00', '2026-03-02T20:00')
    const to = timed('2026-03-02T19:00', '2026-03-02T20:00', 'America/Toronto')
    const override = timed('2026-03-09T21:00', '2026-03-09T21:30')
    const moved = movedTimes({ from, to }, override)
    expect(moved && iso(moved)).toEqual(['2026-03-10T01:00:00.000Z', '2026-03-10T01:30:00.000Z'])
    expect(movedTimes({ from, to: days('2026-03-02') }, override)).toBeUndefined()
    expect(movedWall({ from, to: days('2026-03-03') }, wallOf(override))).toBe(
      wallFromText('2026-03-10T00:00'),
    )
  })
})

describe('a series of days that moves', () => {
  test('takes an override with times along to the same time, also where the clocks change', () => {
    const [from, to] = [days('2026-03-02'), days('2026-03-03')]
    const moved = movedTimes({ from, to }, timed('2026-03-28T10:00', '2026-03-28T10:30'))
    expect(moved).toEqual(timed('2026-03-29T10:00', '2026-03-29T10:30'))
  })
})

test('what has no length overlaps a window that it is in or begins with, and what ends with the beginning does not', () => {
  const window = readWindow(
    { from: '2026-03-02T10:00Z', to: '2026-03-02T11:00Z' },
    { server: 'UTC', reader: 'UTC' },
  )
  const extent = (start: string, end: string) => ({
    start: Date.parse(`2026-03-02T${start}Z`),
    end: Date.parse(`2026-03-02T${end}Z`),
  })
  expect(overlaps(window, extent('10:00', '10:00'))).toBe(true)
  expect(overlaps(window, extent('10:30', '10:30'))).toBe(true)
  expect(overlaps(window, extent('09:00', '10:01'))).toBe(true)
  expect(overlaps(window, extent('09:00', '10:00'))).toBe(false)
  expect(overlaps(window, extent('09:00', '09:00'))).toBe(false)
  expect(overlaps(window, extent('11:00', '11:00'))).toBe(false)
})

describe('a window', () => {
  const zones = { server: 'UTC', reader: BERLIN }

  test('of days begins and ends with them, also where they have 23 hours', () => {
    const window = readWindow({ from: '2026-03-29', to: '2026-03-30' }, zones)
    expect([window.from.toISOString(), window.to.toISOString()]).toEqual([
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
    ])
    expect([window.fromDay, window.toDay]).toEqual(['2026-03-29', '2026-03-30'])
  })

  test('of date-times is in the zone of the server, and its days in that of the reader', () => {
    const window = readWindow({ from: '2026-03-29T22:30', to: '2026-03-30T22:00' }, zones)
    expect(window.from.toISOString()).toBe('2026-03-29T22:30:00.000Z')
    expect([window.fromDay, window.toDay]).toEqual(['2026-03-30', '2026-03-31'])
  })

  test('may be 400 days long, an hour more or less of daylight saving included', () => {
    for (const from of ['2026-03-01', '2026-09-20']) {
      const to = new Date(Date.parse(from) + 400 * 86_400_000).toISOString().slice(0, 10)
      expect(() => readWindow({ from, to }, zones)).not.toThrow()
      const late = new Date(Date.parse(from) + 401 * 86_400_000).toISOString().slice(0, 10)
      expect(() => readWindow({ from, to: late }, zones)).toThrow('to: must be after from')
    }
  })

  test('holds a day while it is that day for the reader', () => {
    const { start, end } = extentOf(days('2026-03-29'), BERLIN)
    expect((end - start) / 3_600_000).toBe(23)
    const window = readWindow({ from: '2026-03-28T22:59Z', to: '2026-03-28T23:00Z' }, zones)
    expect(overlaps(window, extentOf(days('2026-03-29'), BERLIN))).toBe(false)
    expect(overlaps(window, extentOf(days('2026-03-28'), BERLIN))).toBe(true)
  })
})

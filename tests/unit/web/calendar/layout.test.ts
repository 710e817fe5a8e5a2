import { describe, expect, test } from 'bun:test'
import { array, assert, constantFrom, integer, property, tuple } from 'fast-check'
import { placeBars } from '../../../../src/web/calendar/layout/bars'
import { placeInColumns, SHORTEST_MINUTES } from '../../../../src/web/calendar/layout/columns'
import { hourRows, minuteIn } from '../../../../src/web/calendar/layout/hours'
import { clockTime } from '../../../../src/web/time/format'
import { daySpan } from '../../../../src/web/time/days'

const span = (date: string, zone: string) => daySpan(Temporal.PlainDate.from(date), zone)
const labels = (date: string, zone: string) =>
  hourRows(span(date, zone)).map(({ startMs }) =>
    clockTime(Temporal.Instant.fromEpochMilliseconds(startMs), zone, 'en-GB'),
  )

describe('a day has as many rows as hours really pass in it', () => {
  test.each([
    ['2026-11-23', 'Europe/Berlin', 24],
    ['2026-03-29', 'Europe/Berlin', 23],
    ['2026-10-25', 'Europe/Berlin', 25],
    ['2026-09-27', 'Pacific/Auckland', 23],
    ['2026-04-05', 'Pacific/Auckland', 25],
    ['2026-03-08', 'America/New_York', 23],
    ['2026-11-01', 'America/New_York', 25],
    ['2018-11-04', 'America/Sao_Paulo', 23],
    ['2026-10-25', 'Asia/Kathmandu', 24],
  ])('%s in %s: %d', (date, zone, count) => {
    expect(hourRows(span(date, zone))).toHaveLength(count)
  })

  test('the label of the hour that clocks skip is missing, that of the repeated hour stands twice', () => {
    expect(labels('2026-03-29', 'Europe/Berlin').slice(0, 4)).toEqual(['00:00', '01:00', '03:00', '04:00'])
    expect(labels('2026-10-25', 'Europe/Berlin').slice(0, 5)).toEqual([
      '00:00',
      '01:00',
      '02:00',
      '02:00',
      '03:00',
    ])
    expect(labels('2018-11-04', 'America/Sao_Paulo')[0]).toBe('01:00')
  })

  test('rows cover the day without gaps, in every zone and on every day', () => {
    const zones = [
      'Europe/Berlin',
      'Pacific/Auckland',
      'America/Sao_Paulo',
      'Asia/Kathmandu',
      'Australia/Lord_Howe',
    ]
    assert(
      property(constantFrom(...zones), integer({ min: 0, max: 20_000 }), (zone, days) => {
        const day = daySpan(Temporal.PlainDate.from('1990-01-01').add({ days }), zone)
        const rows = hourRows(day)
        expect(rows.reduce((sum, { minutes }) => sum + minutes, 0)).toBe(day.minutes)
      }),
    )
  })
})

test('an event stands where its time is, by what has really passed since the day began', () => {
  const at = (text: string) => Temporal.Instant.from(text).epochMilliseconds
  const spring = span('2026-03-29', 'Europe/Berlin')
  expect(minuteIn(spring, at('2026-03-29T03:30:00+02:00'))).toBe(150)
  const autumn = span('2026-10-25', 'Europe/Berlin')
  expect(minuteIn(autumn, at('2026-10-25T02:30:00+02:00'))).toBe(150)
  expect(minuteIn(autumn, at('2026-10-25T02:30:00+01:00'))).toBe(210)
  expect(minuteIn(autumn, at('2026-10-24T23:00:00+02:00'))).toBe(0)
  expect(minuteIn(autumn, at('2026-10-26T09:00:00+01:00'))).toBe(1500)
})

const DAY = span('2026-11-23', 'UTC')
const timed = (from: number, to: number) => ({
  startMs: DAY.startMs + from * 60_000,
  endMs: DAY.startMs + to * 60_000,
})
const placed = (...times: ReadonlyArray<readonly [number, number]>) =>
  placeInColumns(
    times.map(([from, to]) => timed(from, to)),
    DAY,
  ).map(({ top, length, column, width, columns }) => [top, length, column, width, columns])

describe('events that overlap stand side by side, each as wide as there is room', () => {
  test('one alone has the whole day; two that only touch do not share it', () => {
    expect(placed([540, 600], [600, 660])).toEqual([
      [540, 60, 0, 1, 1],
      [600, 60, 0, 1, 1],
    ])
  })
  test('two at once have half each', () => {
    expect(placed([540, 600], [540, 600])).toEqual([
      [540, 60, 0, 1, 2],
      [540, 60, 1, 1, 2],
    ])
  })
  test('a third beside a long one takes the column that became free', () => {
    expect(placed([540, 720], [540, 600], [600, 660])).toEqual([
      [540, 180, 0, 1, 2],
      [540, 60, 1, 1, 2],
      [600, 60, 1, 1, 2],
    ])
  })
  test('what has no neighbour for its time takes their columns too', () => {
    expect(placed([540, 600], [540, 600], [540, 720], [620, 700])).toEqual([
      [540, 180, 0, 1, 3],
      [540, 60, 1, 1, 3],
      [540, 60, 2, 1, 3],
      [620, 80, 1, 2, 3],
    ])
  })
  test('what is short or empty takes enough room to be read, also at the end of the day', () => {
    expect(placed([600, 600], [1430, 1440])).toEqual([
      [600, SHORTEST_MINUTES, 0, 1, 1],
      [1440 - SHORTEST_MINUTES, SHORTEST_MINUTES, 0, 1, 1],
    ])
  })
  test('what began the day before stands at the top, what ends later reaches the bottom', () => {
    expect(placed([-60, 60], [1380, 1500])).toEqual([
      [0, 60, 0, 1, 1],
      [1380, 60, 0, 1, 1],
    ])
  })

  test('no two of any events ever cover the same place', () => {
    const time = tuple(integer({ min: -100, max: 1500 }), integer({ min: 0, max: 400 }))
    assert(
      property(array(time, { maxLength: 30 }), (times) => {
        const places = placeInColumns(
          times.map(([from, length]) => timed(from, from + length)),
          DAY,
        )
        expect(places).toHaveLength(times.length)
        for (const [index, a] of places.entries()) {
          expect(a.column + a.width).toBeLessThanOrEqual(a.columns)
          for (const b of places.slice(index + 1)) {
            const apart = a.top + a.length <= b.top || b.top + b.length <= a.top
            const beside = a.column + a.width <= b.column || b.column + b.width <= a.column
            expect(apart || beside).toBe(true)
          }
        }
      }),
    )
  })
})

const bar = (firstDay: number, lastDay: number) => ({ firstDay, lastDay })

describe('bars over days', () => {
  test('a long one is above the short ones that begin with it, and what is free below is used', () => {
    const { bars, rows } = placeBars([bar(0, 0), bar(0, 2), bar(1, 1), bar(3, 3)], { firstDay: 0, days: 7 })
    expect(bars.map(({ row, column, width }) => [row, column, width])).toEqual([
      [0, 0, 3],
      [1, 0, 1],
      [1, 1, 1],
      [0, 3, 1],
    ])
    expect(rows).toBe(2)
  })
  test('what begins before or ends after the days shown is cut, and says so', () => {
    const { bars } = placeBars([bar(-3, 1), bar(5, 9), bar(-2, 20), bar(7, 8), bar(-4, -1)], {
      firstDay: 0,
      days: 7,
    })
    expect(
      bars.map(({ column, width, beginsBefore, endsAfter }) => [column, width, beginsBefore, endsAfter]),
    ).toEqual([
      [0, 2, true, false],
      [0, 7, true, true],
      [5, 2, false, true],
    ])
  })
  test('a day with too many shows one row less, and how many more there are', () => {
    const four = [bar(0, 0), bar(0, 0), bar(0, 0), bar(0, 0), bar(1, 1), bar(1, 1), bar(1, 1)]
    const { bars, hidden } = placeBars(four, { firstDay: 0, days: 7, rows: 3 })
    expect(bars.filter(({ column }) => column === 0)).toHaveLength(2)
    expect(bars.filter(({ column }) => column === 1)).toHaveLength(3)
    expect(hidden).toEqual([2, 0, 0, 0, 0, 0, 0])
  })
  test('no two bars share a place, and every bar is shown or counted on each of its days', () => {
    const any = tuple(integer({ min: -10, max: 10 }), integer({ min: 0, max: 9 }))
    assert(
      property(array(any, { maxLength: 25 }), integer({ min: 1, max: 5 }), (given, rows) => {
        const items = given.map(([first, length]) => bar(first, first + length))
        const { bars, hidden } = placeBars(items, { firstDay: 0, days: 7, rows })
        for (let day = 0; day < 7; day += 1) {
          const shown = bars.filter(({ column, width }) => column <= day && day < column + width)
          expect(new Set(shown.map(({ row }) => row)).size).toBe(shown.length)
          const covering = items.filter(({ firstDay, lastDay }) => firstDay <= day && day <= lastDay)
          expect(shown.length + (hidden[day] ?? 0)).toBe(covering.length)
          expect(shown.every(({ row }) => row < rows - Number((hidden[day] ?? 0) > 0))).toBe(true)
        }
      }),
    )
  })
})

import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { expandSeries } from '../../src/features/events/occurrences/rules.expansion'
import { readRule, toSeries } from '../../src/features/events/events/rules.recurrence'
import { addDaysTo, DAY_MS, midnightOf } from '../../src/lib/time/wall-time'

const FIRST = '2026-01-01'
const DAYS = 60
const dayAt = (offset: number) => midnightOf(addDaysTo(FIRST, offset))

/** Offsets of days from the first occurrence. */
const offsets = fc.uniqueArray(fc.nat(DAYS - 1), { maxLength: 12 })

test('a series expands to each start in the span, override and answer once, without the cancelled ones', () => {
  fc.assert(
    fc.property(
      fc.record({
        interval: fc.integer({ min: 1, max: 5 }),
        cancelled: offsets,
        overridden: offsets,
        answered: offsets,
        from: fc.nat(DAYS),
        length: fc.integer({ min: 1, max: 20 }),
        most: fc.nat(10),
      }),
      ({ interval, cancelled, overridden, answered, from, length, most }) => {
        const isStart = (offset: number) => offset % interval === 0
        const first = { allDay: true, startDate: FIRST, endDate: FIRST } as const
        const series = toSeries(first, readRule(`FREQ=DAILY;INTERVAL=${interval}`))
        const differing = [...cancelled, ...overridden].filter(isStart)
        const isCancelled = (offset: number) => cancelled.includes(offset)
        const overrides = new Map(
          differing.map((offset) => [dayAt(offset), { isCancelled: isCancelled(offset) }]),
        )
        const responses = new Map(answered.map((offset) => [dayAt(offset), 'Going']))
        const range = { from: dayAt(from), to: dayAt(from + length - 1) }
        const span = {
          from: new Date(range.from),
          to: new Date(range.to + DAY_MS),
          fromDay: addDaysTo(FIRST, from),
          toDay: addDaysTo(FIRST, from + length),
        }
        const part = { starts: series.startsIn(span), most, range }
        const shown = [...expandSeries(series, { overrides, responses }, part)].filter(
          (one) => one !== undefined,
        )
        const walls = shown.map(({ wall }) => wall)
        const within = Array.from({ length }, (_, i) => from + i).filter(isStart)
        const isCut = within.length >= most
        const expected = new Set([
          ...within.slice(0, most),
          ...differing,
          ...(isCut ? answered.filter((offset) => within.includes(offset)) : []),
        ])
        const taking = [...expected].filter((offset) => !isCancelled(offset)).map(dayAt)
        expect(walls.toSorted((a, b) => a - b)).toEqual(taking.toSorted((a, b) => a - b))
        for (const one of shown) {
          expect(one.original).toMatchObject({ startDate: addDaysTo(FIRST, (one.wall - dayAt(0)) / DAY_MS) })
          expect(one.override).toBe(overrides.get(one.wall))
          expect(one.response).toBe(responses.get(one.wall))
        }
      },
    ),
  )
})

test('where no start is read, answers are found from the first start of the range to the last, and no others', () => {
  const series = toSeries({ allDay: true, startDate: FIRST, endDate: FIRST }, readRule('FREQ=DAILY'))
  const span = {
    from: new Date(dayAt(3)),
    to: new Date(dayAt(5)),
    fromDay: addDaysTo(FIRST, 3),
    toDay: addDaysTo(FIRST, 5),
  }
  const part = { starts: series.startsIn(span), most: 0, range: { from: dayAt(3), to: dayAt(4) } }
  const responses = new Map([2, 3, 4, 5].map((offset) => [dayAt(offset), 'Going']))
  const found = [...expandSeries(series, { overrides: new Map(), responses }, part)]
  expect(found.map((one) => one?.wall)).toEqual([dayAt(3), dayAt(4)])
})

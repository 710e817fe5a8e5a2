import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { MAX_PROPOSALS, propose, united } from '../../src/features/events/free-times/rules'
import { type Hours, starts, WEEKDAYS } from '../../src/features/events/free-times/rules.openings'

const MINUTE = 60_000
const QUARTER = 15 * MINUTE
const HOUR = 60 * MINUTE

/** Days around which clocks change, in zones that do so differently. */
const DAYS = [
  ['Europe/Berlin', '2026-03-28T00:00+01:00'],
  ['Europe/Berlin', '2026-10-24T00:00+02:00'],
  ['America/New_York', '2026-03-07T00:00-05:00'],
  ['America/New_York', '2026-10-31T00:00-04:00'],
  ['Australia/Lord_Howe', '2026-04-04T00:00+11:00'],
  ['Australia/Lord_Howe', '2026-10-03T00:00+10:30'],
  ['Asia/Kathmandu', '2026-05-01T00:00+05:45'],
  ['UTC', '2026-12-31T00:00Z'],
] as const

const time = fc
  .tuple(fc.nat(23), fc.constantFrom(0, 1, 15, 30, 45, 59))
  .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`)

const hours = fc.option(
  fc
    .record({
      from: time,
      to: time,
      days: fc.option(fc.uniqueArray(fc.constantFrom(...WEEKDAYS), { minLength: 1 }), { nil: undefined }),
    })
    .filter(({ from, to }) => to === '00:00' || to > from)
    .map(({ days, ...times }): Hours => (days ? { ...times, days } : times)),
  { nil: undefined },
)

/** Often whole quarters of an hour, so that ends meet. */
const lengths = (min: number, max: number) =>
  fc.oneof(
    fc.integer({ min, max }),
    fc.integer({ min: Math.ceil(min / 15), max: Math.floor(max / 15) }).map((quarters) => quarters * 15),
  )

const search = fc
  .record({
    day: fc.constantFrom(...DAYS),
    offset: lengths(0, 36 * 60),
    length: lengths(0, 3 * 24 * 60),
    minutes: lengths(5, 1440),
    hours,
  })
  .map(({ day: [zone, first], offset, length, ...rest }) => {
    const from = Date.parse(first) + offset * MINUTE
    return { zone, from, to: from + length * MINUTE, ...rest }
  })

const clockAt = (zone: string, at: number) =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone)

/** Whether Temporal finds that the length from there fits. */
function fits(
  { zone, from, to, minutes, hours: given }: ReturnType<typeof search.generate>['value'],
  at: number,
) {
  const start = clockAt(zone, at)
  const end = start.add({ minutes })
  if (at < from || end.epochMilliseconds > to || start.minute % 15 !== 0) return false
  if (!given) return true
  const day = start.toPlainDate()
  const opens = day.toZonedDateTime({ timeZone: zone, plainTime: given.from })
  const closes =
    given.to === '00:00'
      ? day.add({ days: 1 }).toZonedDateTime(zone)
      : day.toZonedDateTime({ timeZone: zone, plainTime: given.to })
  const isDay = !given.days || given.days.includes(WEEKDAYS[day.dayOfWeek - 1] ?? 'MO')
  return (
    isDay &&
    Temporal.ZonedDateTime.compare(start, opens) >= 0 &&
    Temporal.ZonedDateTime.compare(end, closes) <= 0
  )
}

test('times begin at each quarter of the clock within the hours and the span, also where clocks change', () => {
  fc.assert(
    fc.property(search, (given) => {
      const expected: number[] = []
      for (let at = Math.ceil(given.from / MINUTE) * MINUTE; at <= given.to; at += MINUTE)
        if (clockAt(given.zone, at).minute % 15 === 0 && fits(given, at)) expected.push(at)
      expect([...starts(given)]).toEqual(expected)
    }),
    { numRuns: 100 },
  )
})

test('hours that end at midnight do so with the day', () => {
  const [from, to] = [Date.parse('2026-03-04T12:00Z'), Date.parse('2026-03-05T12:00Z')]
  const found = [...starts({ from, to, minutes: 30, zone: 'UTC', hours: { from: '23:00', to: '00:00' } })]
  expect(found.map((at) => new Date(at).toISOString().slice(11, 16))).toEqual(['23:00', '23:15', '23:30'])
})

const span = fc
  .tuple(fc.nat(24 * 60), fc.nat(4 * 60))
  .map(([start, length]) => ({ start: start * MINUTE, end: (start + length) * MINUTE }))

const attendee = (userId: number) =>
  fc.record({
    userId: fc.constant(userId),
    isKnown: fc.boolean(),
    busy: fc.array(span, { maxLength: 6 }).map(united),
  })

const cases = fc.record({
  caller: attendee(1).map((one) => ({ ...one, isKnown: true })),
  others: fc.nat(3).chain((count) => fc.tuple(...Array.from({ length: count }, (_, i) => attendee(i + 2)))),
  starts: fc
    .uniqueArray(fc.nat(96), { maxLength: 40 })
    .map((quarters) => quarters.toSorted((a, b) => a - b).map((quarter) => quarter * QUARTER)),
  length: fc.integer({ min: 5, max: 300 }).map((minutes) => minutes * MINUTE),
})

type Case = ReturnType<typeof cases.generate>['value']

const isBusy = ({ busy }: Case['caller'], from: number, to: number) =>
  busy.some(({ start, end }) => end > start && start < to && end > from)

describe('proposals', () => {
  test('are twenty at most, however many are as good as each other', () => {
    const given = Array.from({ length: 60 }, (_, index) => index * HOUR)
    const busy = [{ start: 15 * HOUR, end: 60 * HOUR }]
    const [caller, other] = [
      { userId: 1, isKnown: true, busy: [] },
      { userId: 2, isKnown: true, busy },
    ]
    const found = propose(caller, [other], given, HOUR).map(({ from }) => from / HOUR)
    expect(found).toEqual(Array.from({ length: MAX_PROPOSALS }, (_, index) => index))
  })

  test('say of everybody whether something of theirs overlaps the time', () => {
    fc.assert(
      fc.property(cases, ({ caller, others, starts: given, length }) => {
        for (const { from, to, free, busy, unknown } of propose(caller, others, given, length)) {
          expect([to - from, isBusy(caller, from, to)]).toEqual([length, false])
          const those = (wanted: (one: Case['caller']) => boolean) =>
            others.filter(wanted).map(({ userId }) => userId)
          expect(busy).toEqual(those((one) => isBusy(one, from, to)))
          expect(free).toEqual([1, ...those((one) => one.isKnown && !isBusy(one, from, to))])
          expect(unknown).toEqual(those((one) => !one.isKnown && !isBusy(one, from, to)))
        }
      }),
    )
  })

  test('miss no time while there are fewer than 20, and put the best first, then the earliest', () => {
    fc.assert(
      fc.property(cases, ({ caller, others, starts: given, length }) => {
        const rank = (from: number) => {
          const busy = others.filter((one) => isBusy(one, from, from + length))
          return busy.length * 100 + others.filter((one) => !one.isKnown && !busy.includes(one)).length
        }
        const open = given.filter((from) => !isBusy(caller, from, from + length))
        const sorted = open.toSorted((one, other) => rank(one) - rank(other) || one - other)
        const found = propose(caller, others, given, length).map(({ from }) => from)
        expect(found.map(rank)).toEqual(sorted.slice(0, MAX_PROPOSALS).map(rank))
        expect(found).toEqual(sorted.filter((from) => found.includes(from)))
        expect(new Set(found).size).toBe(Math.min(open.length, MAX_PROPOSALS))
      }),
    )
  })

  test('of many as good are those that do not overlap', () => {
    const whole = Array.from({ length: 10 * 96 }, (_, quarter) => quarter * QUARTER)
    const caller = { userId: 1, isKnown: true, busy: [] }
    const found = propose(caller, [], whole, HOUR).map(({ from }) => from / HOUR)
    expect(found).toEqual(Array.from({ length: 20 }, (_, hour) => hour))
  })

  test('unite busy times that overlap or touch, and leave out those without a length', () => {
    const times = [
      [5, 7],
      [1, 2],
      [2, 3],
      [6, 6],
      [4, 4],
      [6, 9],
    ].map(([start = 0, end = 0]) => ({ start, end }))
    expect(united(times)).toEqual([
      { start: 1, end: 3 },
      { start: 5, end: 9 },
    ])
  })
})

import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { expandCalendar, limitFreeBusySet, limitRecurrenceSet } from '../../../src/dav/queries/expand'
import { readRule, toSeries } from '../../../src/features/events/events/rules.recurrence'
import { instantOf } from '../../../src/lib/time/wall-time'
import { calendarText, component, inRange, inRangeOf, objectOf, rangeOf } from '../../support/dav-queries'

const expanded = (source: string, start: string, end: string, zone = 'UTC') =>
  expandCalendar(objectOf(source, zone), rangeOf(start, end))

const starts = (source: string) => [...source.matchAll(/^DTSTART[^:]*:(.*)\r$/gm)].map(([, value]) => value)

const compact = (at: Date) => at.toISOString().replaceAll(/[-:]|\.\d+/g, '')

const RULES = [
  'FREQ=DAILY',
  'FREQ=DAILY;INTERVAL=3;COUNT=40',
  'FREQ=WEEKLY;BYDAY=MO,WE,SU',
  'FREQ=MONTHLY;BYDAY=-1FR',
  'FREQ=MONTHLY;BYMONTHDAY=31',
  'FREQ=YEARLY;BYMONTH=3,10;BYDAY=-1SU',
  'FREQ=WEEKLY;UNTIL=20300101T000000Z',
]
const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Pacific/Auckland', 'America/Sao_Paulo']

const cases = fc.record({
  rule: fc.constantFrom(...RULES),
  zone: fc.constantFrom(...ZONES),
  hours: fc.integer({ min: 0, max: 24 * 30 * 12 }),
  minutes: fc.integer({ min: 1, max: 5000 }),
  from: fc.integer({ min: -24 * 60, max: 24 * 3000 }),
  length: fc.integer({ min: 1, max: 24 * 60 }),
})

const HOUR = 3_600_000

test('a range expands to the occurrences that the windows of the same series have, and matches when there is one', () => {
  fc.assert(
    fc.property(cases, ({ rule, zone, hours, minutes, from, length }) => {
      const startWall = Date.UTC(2020, 0, 1) + hours * HOUR
      const startAt = instantOf(zone, startWall)
      const endAt = new Date(+startAt + minutes * 60_000)
      const [low, high] = [new Date(+startAt + from * HOUR), new Date(+startAt + (from + length) * HOUR)]
      const series = toSeries({ allDay: false, startAt, endAt, startWall, timeZone: zone }, readRule(rule))
      const day = (at: Date) => at.toISOString().slice(0, 10)
      const wanted = series
        .within({ from: low, to: high, fromDay: day(low), toDay: day(high) }, 10_000)
        .map((wall) => (wall === startWall ? startAt : instantOf(zone, wall)))
        .filter((at) => +at < +high && +at + minutes * 60_000 > +low)
      const local = compact(new Date(startWall)).slice(0, -1)
      const source = component(
        'VEVENT',
        `DTSTART;TZID=${zone}:${local}`,
        `DTEND:${compact(endAt)}`,
        `RRULE:${rule}`,
      )
      expect(starts(expanded(source, compact(low), compact(high)))).toEqual(wanted.map(compact))
      expect(inRange(source, 'VEVENT', compact(low), compact(high))).toBe(wanted.length > 0)
    }),
    { numRuns: 300 },
  )
})

const WEEKLY = [
  'BEGIN:VEVENT',
  'UID:one',
  'DTSTART;TZID=Europe/Berlin:20260302T090000',
  'DTEND;TZID=Europe/Berlin:20260302T100000',
  'RRULE:FREQ=WEEKLY',
  'EXDATE;TZID=Europe/Berlin:20260316T090000',
  'SUMMARY:A long line that is folded and stays so wherever it is kept as it',
  '  was',
  'END:VEVENT',
]
const moved = (id: string, to: string, ...more: string[]) => [
  'BEGIN:VEVENT',
  'UID:one',
  `RECURRENCE-ID${id}`,
  `DTSTART;TZID=Europe/Berlin:${to}`,
  'DURATION:PT30M',
  ...more,
  'END:VEVENT',
]
const MOVED = moved(';TZID=Europe/Berlin:20260309T090000', '20260601T120000')
const zone = ['BEGIN:VTIMEZONE', 'TZID:Europe/Berlin', 'END:VTIMEZONE']
const SERIES = calendarText(...zone, ...WEEKLY, ...MOVED)

describe('an override', () => {
  test('that moved out of a range leaves no occurrence there', () => {
    expect(inRange(SERIES, 'VEVENT', '20260309T000000Z', '20260310T000000Z')).toBe(false)
  })
  test('that moved into a range is an occurrence there', () => {
    expect(inRange(SERIES, 'VEVENT', '20260601T100000Z', '20260601T103000Z')).toBe(true)
    expect(inRange(SERIES, 'VEVENT', '20260601T103000Z', '20260601T110000Z')).toBe(false)
  })
  test('of all later occurrences moves those too', () => {
    const onward = moved(';RANGE=THISANDFUTURE;TZID=Europe/Berlin:20260323T090000', '20260324T140000')
    const source = calendarText(...WEEKLY, ...onward)
    const found = expanded(source, '20260301T000000Z', '20260408T000000Z')
    expect(starts(found)).toEqual([
      '20260302T080000Z',
      '20260309T080000Z',
      '20260324T130000Z',
      '20260331T120000Z',
      '20260407T120000Z',
    ])
    expect(inRange(source, 'VEVENT', '20400102T000000Z', '20400103T000000Z')).toBe(false)
    expect(inRange(source, 'VEVENT', '20400103T130000Z', '20400103T131000Z')).toBe(true)
  })
  test('without its series counts alone', () => {
    const source = calendarText(...MOVED)
    expect(inRange(source, 'VEVENT', '20260601T100000Z', '20260601T103000Z')).toBe(true)
    expect(inRange(source, 'VEVENT', '20260309T000000Z', '20260310T000000Z')).toBe(false)
  })
})

describe('the expansion of a series', () => {
  test('is in UTC, names each occurrence, and has neither rules nor zones', () => {
    expect(expanded(SERIES, '20260301T000000Z', '20260406T000000Z')).toBe(
      calendarText(
        ...['20260302T080000Z', '20260323T080000Z', '20260330T070000Z'].flatMap((start) => [
          'BEGIN:VEVENT',
          'UID:one',
          `DTSTART:${start}`,
          `RECURRENCE-ID:${start}`,
          `DTEND:${start.replace(/T0(\d)/, (_, hour) => `T0${Number(hour) + 1}`)}`,
          ...WEEKLY.slice(6),
        ]),
      ),
    )
  })
  test('has an override with its own lines, named by its original start', () => {
    const found = expanded(SERIES, '20260601T093000Z', '20260601T110000Z')
    expect(found).toBe(
      calendarText(
        'BEGIN:VEVENT',
        'UID:one',
        'DTSTART:20260601T100000Z',
        'RECURRENCE-ID:20260309T080000Z',
        'DURATION:PT30M',
        'END:VEVENT',
      ),
    )
  })
  test('leaves days and floating times what they are, and an event that does not repeat unnamed', () => {
    const days = component('VEVENT', 'DTSTART;VALUE=DATE:20260301', 'RRULE:FREQ=DAILY;COUNT=2')
    expect(expanded(days, '20260302T000000Z', '20260303T000000Z')).toBe(
      component('VEVENT', 'DTSTART;VALUE=DATE:20260302', 'RECURRENCE-ID;VALUE=DATE:20260302'),
    )
    const floating = component('VEVENT', 'DTSTART:20260301T090000', 'DURATION:P1D')
    expect(expanded(floating, '20260301T000000Z', '20260302T000000Z', 'Asia/Tokyo')).toBe(floating)
  })
  test('of days across a change of the clocks ends as long after them as clocks say', () => {
    const source = component('VEVENT', 'DTSTART;TZID=Europe/Berlin:20260328T120000', 'DURATION:P1D')
    expect(expanded(source, '20260328T000000Z', '20260330T000000Z')).toBe(
      component('VEVENT', 'DTSTART:20260328T110000Z', 'DTEND:20260329T100000Z'),
    )
  })
  test('counts RDATEs, periods among them, several rules, and EXRULEs', () => {
    const source = component(
      'VEVENT',
      'DTSTART:20260301T090000Z',
      'DURATION:PT1H',
      'RRULE:FREQ=DAILY;COUNT=3',
      'RRULE:FREQ=WEEKLY;COUNT=2',
      'EXRULE:FREQ=DAILY;INTERVAL=2;COUNT=2',
      'RDATE;VALUE=PERIOD:20260310T090000Z/PT3H',
    )
    const found = expanded(source, '20260301T000000Z', '20260401T000000Z')
    expect(starts(found)).toEqual(['20260302T090000Z', '20260308T090000Z', '20260310T090000Z'])
    expect(found).toContain('DTEND:20260310T120000Z')
    expect(inRange(source, 'VEVENT', '20260310T113000Z', '20260310T114000Z')).toBe(true)
  })
  test('counts hours of some days from the first hour on, also through other days', () => {
    const source = component('VEVENT', 'DTSTART:20260301T090000Z', 'RRULE:FREQ=HOURLY;INTERVAL=5;BYDAY=MO')
    const hours = ['00', '05', '10', '15', '20'].map((hour) => `20260302T${hour}0000Z`)
    expect(starts(expanded(source, '20260302T000000Z', '20260305T000000Z'))).toEqual(hours)
  })
  test.each(['HOURLY', 'MINUTELY', 'SECONDLY'] as const)(
    'has each start of a rule that is %s',
    (frequency) => {
      const size = { HOURLY: HOUR, MINUTELY: 60_000, SECONDLY: 1000 }[frequency]
      fc.assert(
        fc.property(
          fc.integer({ min: 1, max: 100_000 }),
          fc.integer({ min: 0, max: 2_000_000 }),
          (interval, skipped) => {
            const first = Date.UTC(2026, 2, 1, 9, 30, 15)
            const low = first + skipped * size
            const high = low + 3 * interval * size
            const source = component(
              'VEVENT',
              `DTSTART:${compact(new Date(first))}`,
              `RRULE:FREQ=${frequency};INTERVAL=${interval}`,
            )
            const next = first + Math.ceil((low - first) / (interval * size)) * interval * size
            const wanted = [0, 1, 2]
              .map((step) => next + step * interval * size)
              .filter((one) => one < Math.min(high, Date.UTC(2201, 0, 1)))
            expect(starts(expanded(source, compact(new Date(low)), compact(new Date(high))))).toEqual(
              wanted.map((one) => compact(new Date(one))),
            )
          },
        ),
        { numRuns: 60 },
      )
    },
  )
})

test('a series by a rule that nobody can count matches from its start on, so that no program loses it', () => {
  for (const rule of [
    'RSCALE=HEBREW;FREQ=YEARLY',
    'FREQ=DAILY;BYMOON=1',
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
  ]) {
    const source = component('VEVENT', 'DTSTART:20260301T090000Z', `RRULE:${rule}`)
    expect(inRange(source, 'VEVENT', '20400101T000000Z', '20400102T000000Z')).toBe(true)
    expect(inRange(source, 'VEVENT', '20260101T000000Z', '20260301T090000Z')).toBe(false)
    expect(starts(expanded(source, '20260101T000000Z', '20400101T000000Z'))).toEqual(['20260301T090000Z'])
  }
})

test('a rule counts also where our own events may not have it', () => {
  const long = component(
    'VEVENT',
    'DTSTART:20260301T090000Z',
    'RRULE:FREQ=DAILY;INTERVAL=1500;COUNT=20000;UNTIL=99991231T235959Z',
  )
  expect(starts(expanded(long, '20300101T000000Z', '20360101T000000Z'))).toEqual([
    '20300409T090000Z',
    '20340518T090000Z',
  ])
  const old = component(
    'VEVENT',
    'DTSTART;VALUE=DATE:16040301',
    'RRULE:FREQ=YEARLY;RSCALE=GREGORIAN;SKIP=OMIT',
  )
  expect(starts(expanded(old, '20260101T000000Z', '20270101T000000Z'))).toEqual(['20260301'])
})

describe('clocks', () => {
  test('floating times and days count by the zone of the report', () => {
    const floating = component('VEVENT', 'DTSTART:20260301T090000')
    expect(inRangeOf('Asia/Tokyo')(floating, 'VEVENT', '20260301T000000Z', '20260301T000001Z')).toBe(true)
    expect(inRangeOf('UTC')(floating, 'VEVENT', '20260301T000000Z', '20260301T000001Z')).toBe(false)
    const day = component('VEVENT', 'DTSTART;VALUE=DATE:20260301')
    expect(inRangeOf('Asia/Tokyo')(day, 'VEVENT', '20260228T150000Z', '20260228T150001Z')).toBe(true)
    expect(inRangeOf('Asia/Tokyo')(day, 'VEVENT', '20260301T150000Z', '20260301T160000Z')).toBe(false)
  })
  test('a zone that only the object knows counts as it is defined there', () => {
    const source = calendarText(
      'BEGIN:VTIMEZONE',
      'TZID:Mars',
      'BEGIN:STANDARD',
      'DTSTART:19700101T000000',
      'TZOFFSETFROM:+0337',
      'TZOFFSETTO:+0337',
      'END:STANDARD',
      'END:VTIMEZONE',
      'BEGIN:VEVENT',
      'UID:one',
      'DTSTART;TZID=Mars:20260301T090000',
      'RRULE:FREQ=DAILY',
      'END:VEVENT',
    )
    expect(inRange(source, 'VEVENT', '20300301T052300Z', '20300301T052301Z')).toBe(true)
    expect(inRange(source, 'VEVENT', '20300301T052301Z', '20300302T052300Z')).toBe(false)
  })
})

test('a limited recurrence set has the overrides that are or were in the range, byte for byte', () => {
  const limited = (start: string, end: string) => limitRecurrenceSet(objectOf(SERIES), rangeOf(start, end))
  expect(limited('20260601T000000Z', '20260602T000000Z')).toBe(SERIES)
  expect(limited('20260309T083000Z', '20260310T000000Z')).toBe(SERIES)
  expect(limited('20260401T000000Z', '20260402T000000Z')).toBe(calendarText(...zone, ...WEEKLY))
})

test('a limited free-busy set has the periods that overlap the range, and untouched lines byte for byte', () => {
  const lines = (first: string) => ['DTSTAMP:20260101T000000Z', first]
  const source = component(
    'VFREEBUSY',
    ...lines('FREEBUSY;FBTYPE=BUSY:20260301T090000Z/PT1H,20260302T090000Z/PT1H'),
  )
  const limited = (start: string, end: string) => limitFreeBusySet(objectOf(source), rangeOf(start, end))
  expect(limited('20260301T000000Z', '20260303T000000Z')).toBe(source)
  expect(limited('20260302T000000Z', '20260303T000000Z')).toBe(
    component('VFREEBUSY', ...lines('FREEBUSY;FBTYPE=BUSY:20260302T090000Z/PT1H')),
  )
})

import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { DAY, LAST_WALL } from '../../../src/lib/recurrence/calendar'
import { compileForeign, type ForeignRule, readForeignRule } from '../../../src/lib/recurrence/foreign'
import { patternStarts } from '../../../src/lib/recurrence/recurrence'

const UTC = { wallAt: (instant: number) => instant, instantAt: (wall: number) => wall }

const given = (text: string): ForeignRule => {
  const rule = readForeignRule(text)
  if (!rule) throw new Error(`${text} is no rule`)
  return rule
}

function seriesOf(text: string, first: string, isDays = false) {
  const [rule, wall] = [given(text), Date.parse(first)]
  const pattern = compileForeign(rule, wall, isDays)
  if (!pattern) throw new Error(`${text} has no pattern`)
  return patternStarts(pattern, wall, rule, isDays ? undefined : UTC)
}

/** The first starts, without what they have in common: `THH:MM:SS` on the first day, or `DDTHH:MM:SS`. */
const starts = (text: string, first: string, number: number, isDays = false) =>
  seriesOf(text, first, isDays)
    .between(Date.parse(first), LAST_WALL)
    .take(number)
    .map((start) => new Date(start).toISOString().slice(0, 19))
    .toArray()

const on = (day: string, ...times: readonly string[]) => times.map((time) => `${day}T${time}`)

describe('a rule that repeats within a day', () => {
  test.each<[rule: string, first: string, expected: string[]]>([
    [
      'FREQ=HOURLY;INTERVAL=9',
      '2026-03-04T05:30:10Z',
      [...on('2026-03-04', '05:30:10', '14:30:10', '23:30:10'), '2026-03-05T08:30:10'],
    ],
    [
      'FREQ=HOURLY;INTERVAL=30',
      '2026-03-04T20:00:00Z',
      ['2026-03-04T20:00:00', '2026-03-06T02:00:00', '2026-03-07T08:00:00'],
    ],
    [
      'FREQ=MINUTELY;INTERVAL=50',
      '2026-03-04T22:30:10Z',
      [...on('2026-03-04', '22:30:10', '23:20:10'), '2026-03-05T00:10:10'],
    ],
    [
      'FREQ=SECONDLY;INTERVAL=50',
      '2026-03-04T23:58:30Z',
      [...on('2026-03-04', '23:58:30', '23:59:20'), '2026-03-05T00:00:10'],
    ],
    [
      'FREQ=SECONDLY',
      '2026-03-04T23:59:58Z',
      [...on('2026-03-04', '23:59:58', '23:59:59'), '2026-03-05T00:00:00'],
    ],
    [
      'FREQ=HOURLY;BYMINUTE=0,30;BYSECOND=5,6',
      '2026-03-04T09:30:06Z',
      on('2026-03-04', '09:30:06', '10:00:05', '10:00:06', '10:30:05', '10:30:06', '11:00:05'),
    ],
    [
      'FREQ=HOURLY;BYHOUR=9,17',
      '2026-03-04T09:30:00Z',
      [...on('2026-03-04', '09:30:00', '17:30:00'), '2026-03-05T09:30:00'],
    ],
    [
      'FREQ=MINUTELY;BYHOUR=9;BYMINUTE=58,59;BYSECOND=1,2',
      '2026-03-04T09:58:02Z',
      [...on('2026-03-04', '09:58:02', '09:59:01', '09:59:02'), '2026-03-05T09:58:01'],
    ],
    [
      'FREQ=SECONDLY;BYMINUTE=59;BYSECOND=0,30',
      '2026-03-04T22:59:00Z',
      [...on('2026-03-04', '22:59:00', '22:59:30', '23:59:00', '23:59:30'), '2026-03-05T00:59:00'],
    ],
    [
      'FREQ=HOURLY;BYMINUTE=0,20,40;BYSETPOS=-1,1',
      '2026-03-04T09:40:00Z',
      on('2026-03-04', '09:40:00', '10:00:00', '10:40:00', '11:00:00'),
    ],
    [
      'FREQ=HOURLY;INTERVAL=12;BYMONTH=4',
      '2026-03-04T09:00:00Z',
      ['2026-03-04T09:00:00', '2026-04-01T09:00:00', '2026-04-01T21:00:00', '2026-04-02T09:00:00'],
    ],
    [
      'FREQ=HOURLY;INTERVAL=12;BYMONTH=4;BYMONTHDAY=9',
      '2026-03-04T09:00:00Z',
      ['2026-03-04T09:00:00', '2026-04-09T09:00:00', '2026-04-09T21:00:00', '2027-04-09T09:00:00'],
    ],
    [
      'FREQ=HOURLY;INTERVAL=12;BYMONTH=12;BYYEARDAY=-1',
      '2026-03-04T09:00:00Z',
      ['2026-03-04T09:00:00', '2026-12-31T09:00:00', '2026-12-31T21:00:00', '2027-12-31T09:00:00'],
    ],
    [
      'FREQ=HOURLY;INTERVAL=12;BYMONTH=4;BYDAY=MO',
      '2026-03-04T09:00:00Z',
      ['2026-03-04T09:00:00', '2026-04-06T09:00:00', '2026-04-06T21:00:00', '2026-04-13T09:00:00'],
    ],
    [
      'FREQ=HOURLY;INTERVAL=12;BYMONTHDAY=9',
      '2026-03-04T09:00:00Z',
      ['2026-03-04T09:00:00', '2026-03-09T09:00:00', '2026-03-09T21:00:00', '2026-04-09T09:00:00'],
    ],
    [
      'FREQ=HOURLY;INTERVAL=12;BYYEARDAY=-1',
      '2026-03-04T09:00:00Z',
      ['2026-03-04T09:00:00', '2026-12-31T09:00:00', '2026-12-31T21:00:00'],
    ],
    [
      'FREQ=HOURLY;INTERVAL=12;BYDAY=MO',
      '2026-03-04T09:00:00Z',
      ['2026-03-04T09:00:00', '2026-03-09T09:00:00', '2026-03-09T21:00:00', '2026-03-16T09:00:00'],
    ],
    [
      'FREQ=HOURLY;COUNT=3',
      '2026-03-04T23:00:00Z',
      ['2026-03-04T23:00:00', '2026-03-05T00:00:00', '2026-03-05T01:00:00'],
    ],
    [
      'FREQ=HOURLY;INTERVAL=9;COUNT=7',
      '2026-03-04T05:30:00Z',
      [
        ...on('2026-03-04', '05:30:00', '14:30:00', '23:30:00'),
        ...on('2026-03-05', '08:30:00', '17:30:00'),
        ...on('2026-03-06', '02:30:00', '11:30:00'),
      ],
    ],
    [
      'FREQ=HOURLY;INTERVAL=12;BYDAY=MO;COUNT=4',
      '2026-03-04T09:00:00Z',
      ['2026-03-04T09:00:00', '2026-03-09T09:00:00', '2026-03-09T21:00:00', '2026-03-16T09:00:00'],
    ],
    ['FREQ=HOURLY;UNTIL=20260304T110000Z', '2026-03-04T09:30:00Z', on('2026-03-04', '09:30:00', '10:30:00')],
    ['FREQ=HOURLY;UNTIL=20260304T103000Z', '2026-03-04T09:30:00Z', on('2026-03-04', '09:30:00', '10:30:00')],
  ])('%s from %s on takes place as it says', (rule, first, expected) => {
    const isEnded = /COUNT|UNTIL/.test(rule)
    expect(starts(rule, first, expected.length + (isEnded ? 5 : 0))).toEqual(expected)
  })

  test('takes place at every unit that its parts name, and at no other', () => {
    const some = (most: number) => fc.uniqueArray(fc.integer({ min: 0, max: most - 1 }), { maxLength: 3 })
    const cases = fc.record({
      frequency: fc.constantFrom('HOURLY', 'MINUTELY', 'SECONDLY'),
      interval: fc.oneof(
        fc.constant(1),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 100_000 }),
      ),
      hours: some(24),
      minutes: some(60),
      seconds: some(60),
      weekdays: fc.uniqueArray(fc.constantFrom('MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'), { maxLength: 4 }),
      first: fc.integer({ min: 0, max: 2 * 86_400 }).map((after) => Date.UTC(1969, 11, 30) + after * 1000),
    })
    fc.assert(
      fc.property(cases, ({ frequency, interval, hours, minutes, seconds, weekdays, first }) => {
        const part = (name: string, list: ReadonlyArray<number | string>) =>
          list.length > 0 ? `;${name}=${list.join()}` : ''
        const text = `FREQ=${frequency};INTERVAL=${interval}${part('BYHOUR', hours)}${part('BYMINUTE', minutes)}${part('BYSECOND', seconds)}${part('BYDAY', weekdays)}`
        const size = { HOURLY: 3_600_000, MINUTELY: 60_000, SECONDLY: 1000 }[frequency] ?? 0
        const start = new Date(first)
        const isOne = (list: readonly number[], value: number, otherwise: boolean) =>
          list.length > 0 ? list.includes(value) : otherwise
        const isNamed = (at: number) => {
          const time = new Date(at)
          const day = (['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'] as const)[time.getUTCDay()] ?? 'SU'
          const [minute, second] = [time.getUTCMinutes(), time.getUTCSeconds()]
          return (
            (Math.floor(at / size) - Math.floor(first / size)) % interval === 0 &&
            isOne(hours, time.getUTCHours(), true) &&
            isOne(minutes, minute, frequency !== 'HOURLY' || minute === start.getUTCMinutes()) &&
            isOne(seconds, second, frequency === 'SECONDLY' || second === start.getUTCSeconds()) &&
            (weekdays.length === 0 || weekdays.includes(day))
          )
        }
        const end = first + DAY + DAY / 8
        const expected = [first]
        for (let at = first + 1000; at <= end; at += 1000) if (isNamed(at)) expected.push(at)
        const series = seriesOf(text, start.toISOString())
        expect(series.between(first, end).toArray()).toEqual(expected)
        const last = expected.at(-1) ?? first
        expect([series.has(last), series.has(last + 1)]).toEqual([true, false])
      }),
      { numRuns: 40 },
    )
  })

  test('names no weeks of the year and no nth weekdays, and is none of days', () => {
    expect(readForeignRule('FREQ=HOURLY;BYWEEKNO=3')).toBeUndefined()
    expect(readForeignRule('FREQ=HOURLY;BYDAY=1MO')).toBeUndefined()
    expect(readForeignRule('FREQ=MINUTELY;BYDAY=MO,-1TU')).toBeUndefined()
    for (const frequency of ['HOURLY', 'MINUTELY', 'SECONDLY'])
      expect(compileForeign(given(`FREQ=${frequency}`), 0, true)).toBeUndefined()
  })
})

describe('a rule of another program', () => {
  const PLAIN = given('FREQ=WEEKLY;BYDAY=MO,FR')

  test.each([
    'freq=weekly;byday=mo,fr',
    ';FREQ=WEEKLY;;BYDAY=MO,FR;',
    ' FREQ = WEEKLY ;\n  BYDAY=MO,\t FR',
    'BYDAY=MO,FR;FREQ=WEEKLY',
    'RSCALE=GREGORIAN;FREQ=WEEKLY;SKIP=OMIT;BYDAY=MO,FR',
    'FREQ=WEEKLY;INTERVAL=1;BYDAY=MO,FR',
    'FREQ=WEEKLY;BYDAY=MO,FR;UNTIL=22010101T000000Z',
  ])('is read however it is spelt: %j', (text) => {
    expect(readForeignRule(text)).toEqual(PLAIN)
  })

  test('may have any INTERVAL and COUNT of up to nine digits', () => {
    expect(readForeignRule('FREQ=DAILY;INTERVAL=999999999;COUNT=123456789')).toMatchObject({
      frequency: 'DAILY',
      interval: 999_999_999,
      count: 123_456_789,
    })
  })

  test.each<[text: string, form: string, at: string]>([
    ['20260304', 'date', '2026-03-04T00:00:00Z'],
    ['2026-03-04', 'date', '2026-03-04T00:00:00Z'],
    ['20260304T102030', 'local', '2026-03-04T10:20:30Z'],
    ['2026-03-04T10:20:30Z', 'instant', '2026-03-04T10:20:30Z'],
    ['20260304T102060Z', 'instant', '2026-03-04T10:20:59Z'],
    ['10000101', 'date', '1000-01-01T00:00:00Z'],
    ['22001231', 'date', '2200-12-31T00:00:00Z'],
  ])('ends with UNTIL=%s', (text, form, at) => {
    expect(given(`FREQ=DAILY;UNTIL=${text}`).until as object).toEqual({ form, at: Date.parse(at) })
  })

  test.each([
    '',
    'FREQ',
    'FREQ=',
    '=DAILY',
    'DAILY',
    'INTERVAL=2',
    'FREQ=HOURS',
    'FREQ=DAILY=2',
    'FREQ=DAILY;FREQ=DAILY',
    'FREQ=DAILY;BY1=2',
    'FREQ=DAILY;X!FREQ=DAILY',
    '!FREQ=DAILY',
    'FREQ=DAILY;BYHOUR=24',
    'FREQ=HOURLY;BYHOUR=24',
    'FREQ=DAILY;NONE=1',
    'FREQ=DAILY;INTERVAL=0',
    'FREQ=DAILY;INTERVAL=01',
    'FREQ=DAILY;INTERVAL=X1',
    'FREQ=DAILY;INTERVAL=1X',
    'FREQ=DAILY;COUNT=0',
    'FREQ=DAILY;COUNT=1234567890',
    'RSCALE=HEBREW;FREQ=DAILY',
    'RSCALE=HEBREW;SKIP=OMIT;FREQ=DAILY',
    'FREQ=DAILY;SKIP=BACKWARD',
    'FREQ=DAILY;UNTIL=0999-12-31',
    'FREQ=DAILY;UNTIL=2026030',
    'FREQ=DAILY;UNTIL=202603040',
    'FREQ=DAILY;UNTIL=20260304T1020Z',
    'FREQ=DAILY;UNTIL=20260304T102030X',
    'FREQ=DAILY;UNTIL=X20260304',
    'FREQ=DAILY;UNTIL=2026X304',
  ])('is none where it cannot be understood: %j', (text) => {
    expect(readForeignRule(text)).toBeUndefined()
  })

  test('is read up to two thousand characters', () => {
    const text = `FREQ=DAILY${';'.repeat(1990)}`
    expect(readForeignRule(text)).toEqual(given('FREQ=DAILY'))
    expect(readForeignRule(`${text};`)).toBeUndefined()
  })

  test('has its times of day in a series of times, and only its days in one of days', () => {
    const twice = 'FREQ=DAILY;BYHOUR=9,17;UNTIL=20260306T120000'
    expect(starts(twice, '2026-03-04T09:00:00Z', 9)).toEqual([
      ...on('2026-03-04', '09:00:00', '17:00:00'),
      ...on('2026-03-05', '09:00:00', '17:00:00'),
      '2026-03-06T09:00:00',
    ])
    expect(starts(twice, '2026-03-04', 9, true)).toEqual(
      ['2026-03-04', '2026-03-05', '2026-03-06'].map((day) => `${day}T00:00:00`),
    )
    for (const frequency of ['WEEKLY', 'MONTHLY', 'YEARLY'])
      expect(starts(`FREQ=${frequency};BYHOUR=9`, '2026-03-04', 2, true)).toHaveLength(2)
  })
})

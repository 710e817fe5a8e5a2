import { describe, expect, test } from 'bun:test'
import { reportEffort, QueryRefusal } from '../../../src/dav/queries/effort'
import { readCalendarFilter } from '../../../src/dav/queries/calendar-filter'
import { matchesCalendar } from '../../../src/dav/queries/calendar-match'
import { expandCalendar, limitRecurrenceSet, MAX_INSTANCES } from '../../../src/dav/queries/expand'
import { freeBusy } from '../../../src/dav/queries/free-busy'
import {
  cal,
  calendarText,
  component,
  filterElement,
  filterOf,
  inRange,
  objectOf,
  rangeElement,
  rangeOf,
} from '../../support/dav-queries'

const ABOUT = { uid: 'x', stamp: 0, pause: async () => {} }
const CENTURY = ['20260101T000000Z', '21260101T000000Z'] as const
const SECONDLY = component('VEVENT', 'DTSTART:20260101T000000Z', 'RRULE:FREQ=SECONDLY', 'DURATION:PT1S')

/** The precondition of the refusal that ends `run`. */
function refusal(run: () => unknown): string | undefined {
  try {
    run()
  } catch (error) {
    if (error instanceof QueryRefusal) return error.precondition
    throw error
  }
  return undefined
}

const range = rangeOf(...CENTURY)
const event = filterOf(cal('comp-filter', { name: 'VEVENT' }, rangeElement(...CENTURY)))

describe('a rule for each second of a century', () => {
  test('matches at once, however late the range is', () => {
    expect(inRange(SECONDLY, 'VEVENT', '21991231T000000Z', '21991231T000001Z')).toBe(true)
  })
  test('is refused where all its instances are asked for', () => {
    expect(refusal(() => expandCalendar(objectOf(SECONDLY), range))).toBe('max-instances')
  })
  test('keeps its owner busy all the time, and hides nothing else', async () => {
    const text = await freeBusy([objectOf(SECONDLY)], range, ABOUT)
    expect(text.match(/^FREEBUSY/gm)).toHaveLength(1)
  })
  test('is expanded up to the most instances that an object may have', () => {
    const first = (count: number) =>
      component('VEVENT', 'DTSTART:20260101T000000Z', `RRULE:FREQ=SECONDLY;COUNT=${count}`)
    const found = expandCalendar(objectOf(first(MAX_INSTANCES)), range)
    expect(found.split('BEGIN:VEVENT').length).toBe(MAX_INSTANCES + 1)
    expect(refusal(() => expandCalendar(objectOf(first(MAX_INSTANCES + 1)), range))).toBe('max-instances')
  })
  test('that excludes all it names counts as a match instead of being counted out', () => {
    const none = component(
      'VEVENT',
      'DTSTART:20260101T000000Z',
      'RRULE:FREQ=SECONDLY',
      'EXRULE:FREQ=SECONDLY',
    )
    expect(inRange(none, 'VEVENT', ...CENTURY)).toBe(true)
  })
  test('with a COUNT and parts that leave nothing ends', () => {
    for (const parts of [
      'COUNT=900000000',
      'INTERVAL=86399;BYHOUR=3;COUNT=9000',
      'INTERVAL=2;BYSECOND=1',
      'BYMONTH=2;BYMONTHDAY=29;BYDAY=MO',
    ]) {
      const source = component('VEVENT', 'DTSTART:20260101T000000Z', `RRULE:FREQ=SECONDLY;${parts}`)
      expect(inRange(source, 'VEVENT', '20250101T000000Z', '20260101T000001Z')).toBe(true)
      expect(typeof inRange(source, 'VEVENT', '21500101T000000Z', '21500101T000001Z')).toBe('boolean')
    }
  })
})

test('others run while many busy times are written, and too many are refused', async () => {
  const busy = (hours: number) =>
    component('VEVENT', 'DTSTART:20260101T000000Z', 'DURATION:PT1M', `RRULE:FREQ=HOURLY;COUNT=${hours}`)
  const written = async (hours: number) => {
    let pauses = 0
    await freeBusy([objectOf(busy(hours))], range, { ...ABOUT, pause: async () => void pauses++ })
    return pauses
  }
  expect(await written(100)).toBe(0)
  expect(await written(10_000)).toBe(50)
  const many = Array.from({ length: 6 }, () => objectOf(busy(10_000)))
  await expect(freeBusy(many, range, ABOUT)).rejects.toMatchObject({
    precondition: 'number-of-matches-within-limits',
  })
})

test('20 000 exceptions count; an event with 50 000 matches instead of being counted out', () => {
  const without = (count: number) => {
    const days = Array.from({ length: count }, (_, day) =>
      new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10).replaceAll('-', ''),
    )
    const dates = days.map((day) => `EXDATE;TZID=Europe/Berlin:${day}T090000`)
    return component('VEVENT', 'DTSTART;TZID=Europe/Berlin:20260101T090000', 'RRULE:FREQ=DAILY', ...dates)
  }
  const [many, tooMany] = [without(20_000), without(50_000)]
  expect(inRange(many, 'VEVENT', '20260101T000000Z', '20270101T000000Z')).toBe(false)
  expect(inRange(many, 'VEVENT', '20900101T000000Z', '20900201T000000Z')).toBe(true)
  expect(inRange(tooMany, 'VEVENT', '20260101T000000Z', '20270101T000000Z')).toBe(true)
})

test('thousands of overrides, alarms and zones end', () => {
  const overridden = (count: number) => {
    const overrides = Array.from({ length: count }, (_, at) => {
      const day = new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10).replaceAll('-', '')
      return [
        'BEGIN:VEVENT',
        'UID:one',
        `RECURRENCE-ID:${day}T090000Z`,
        `DTSTART:${day}T100000Z`,
        'END:VEVENT',
      ]
    })
    const master = ['BEGIN:VEVENT', 'UID:one', 'DTSTART:20260101T090000Z', 'RRULE:FREQ=DAILY', 'END:VEVENT']
    return objectOf(calendarText(...master, ...overrides.flat()))
  }
  const [some, tooMany] = [overridden(2000), overridden(8000)]
  const day = rangeOf('20260201T000000Z', '20260202T000000Z')
  expect(limitRecurrenceSet(some, day).length).toBeLessThan(400)
  expect(refusal(() => limitRecurrenceSet(tooMany, day))).toBe('max-instances')
  expect(matchesCalendar(event, tooMany)).toBe(true)
  const alarms = Array.from({ length: 8000 }, () => [
    'BEGIN:VALARM',
    'TRIGGER:-PT1S',
    'REPEAT:999999999',
    'DURATION:P999999D',
    'END:VALARM',
  ])
  const loud = component('VEVENT', 'DTSTART:20260101T090000Z', 'RRULE:FREQ=MINUTELY', ...alarms.flat())
  const alarm = cal('comp-filter', { name: 'VALARM' }, rangeElement('18000101T000000Z', '18000102T000000Z'))
  expect(
    typeof matchesCalendar(filterOf(cal('comp-filter', { name: 'VEVENT' }, alarm)), objectOf(loud)),
  ).toBe('boolean')
  const zones = Array.from({ length: 3000 }, (_, at) => [
    'BEGIN:VTIMEZONE',
    `TZID:X${at}`,
    'BEGIN:STANDARD',
    'DTSTART:19000101T000000',
    'RRULE:FREQ=YEARLY;BYMONTH=1',
    'TZOFFSETFROM:+0000',
    'TZOFFSETTO:+0000',
    'END:STANDARD',
    'END:VTIMEZONE',
  ])
  const dates = zones.map((_, at) => `EXDATE;TZID=X${at}:20260101T090000`)
  const far = calendarText(
    ...zones.flat(),
    'BEGIN:VEVENT',
    'UID:one',
    'DTSTART:20260101T090000Z',
    ...dates,
    'END:VEVENT',
  )
  expect(typeof matchesCalendar(event, objectOf(far))).toBe('boolean')
})

test('ninety conditions on a text of a megabyte end, and a thousand are refused', () => {
  const conditions = (count: number) => {
    const wanted = Array.from({ length: count }, (_, at) =>
      cal(
        'prop-filter',
        { name: 'SUMMARY' },
        cal('text-match', { collation: 'i;unicode-casemap' }, `ä${at}`),
      ),
    )
    return cal('comp-filter', { name: 'VEVENT' }, ...wanted)
  }
  const long = component('VEVENT', `SUMMARY:${'äöü '.repeat(250_000)}`)
  expect(typeof matchesCalendar(filterOf(conditions(90)), objectOf(long))).toBe('boolean')
  expect(readCalendarFilter(filterElement(conditions(1000)))).toMatchObject({
    precondition: 'supported-filter',
  })
})

test('a report over objects that cost much is refused as a whole', () => {
  const none = component('VEVENT', 'DTSTART:20260101T000000Z', 'RRULE:FREQ=SECONDLY', 'EXRULE:FREQ=SECONDLY')
  const effort = reportEffort()
  const run = () => Array.from({ length: 1000 }, () => matchesCalendar(event, objectOf(none, 'UTC', effort)))
  expect(refusal(run)).toBe('number-of-matches-within-limits')
})

test('a month of ten thousand objects is no hostile query', () => {
  const effort = reportEffort()
  const month = filterOf(
    cal('comp-filter', { name: 'VEVENT' }, rangeElement('20260301T000000Z', '20260401T000000Z')),
  )
  const single = component(
    'VEVENT',
    'DTSTART;TZID=Europe/Berlin:20260310T090000',
    'DTEND;TZID=Europe/Berlin:20260310T100000',
  )
  const weekly = component(
    'VEVENT',
    'DTSTART;TZID=Europe/Berlin:19990310T090000',
    'RRULE:FREQ=WEEKLY;BYDAY=MO,WE',
  )
  const count = Array.from({ length: 10_000 }, (_, at) =>
    matchesCalendar(month, objectOf(at % 10 === 0 ? weekly : single, 'UTC', effort)),
  )
  expect(count.every(Boolean)).toBe(true)
})

test('a filter nested a thousand times is refused', () => {
  let inner = cal('comp-filter', { name: 'X-A' })
  for (let depth = 0; depth < 1000; depth++) inner = cal('comp-filter', { name: 'X-A' }, inner)
  expect(readCalendarFilter(filterElement(inner))).toMatchObject({ precondition: 'supported-filter' })
})

import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { presetsFor } from '../../../../src/web/recurrence/presets'
import {
  every,
  firstDay,
  FREQUENCIES,
  type Repeat,
  repeatOf,
  ruleOf,
} from '../../../../src/web/recurrence/rule'
import { inWords } from '../../../../src/web/recurrence/words'

const day = (text: string) => Temporal.PlainDate.from(text)

const repeats: fc.Arbitrary<Repeat> = fc
  .record({
    frequency: fc.constantFrom(...FREQUENCIES),
    interval: fc.integer({ min: 1, max: 1000 }),
    weekdays: fc.uniqueArray(fc.integer({ min: 1, max: 7 })).map((days) => days.toSorted((a, b) => a - b)),
    nth: fc.option(
      fc.record({ place: fc.constantFrom(-1, 1, 2, 3, 4, 5), weekday: fc.integer({ min: 1, max: 7 }) }),
      { nil: undefined },
    ),
    end: fc.oneof(
      fc.constant({}),
      fc.record({ count: fc.integer({ min: 1, max: 10_000 }) }),
      fc.record({ until: fc.constantFrom('2026-12-31', '2027-02-28') }),
    ),
  })
  .map(({ frequency, interval, weekdays, nth, end }) => ({
    frequency,
    interval,
    weekdays: frequency === 'WEEKLY' ? weekdays : [],
    ...(frequency === 'MONTHLY' && nth && { nth }),
    ...end,
  }))

test('a repetition that is written as a rule is read as the same repetition', () => {
  fc.assert(fc.property(repeats, (repeat) => expect(repeatOf(ruleOf(repeat))).toEqual(repeat)))
})

test('a rule that says more than the form can show is not read, so that saving the form cannot lose any of it', () => {
  for (const rule of [
    'FREQ=MONTHLY;BYMONTHDAY=15',
    'FREQ=MONTHLY;BYDAY=1MO,3MO',
    'FREQ=MONTHLY;BYDAY=MO',
    'FREQ=YEARLY;BYDAY=2SU',
    'FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=SU',
    'FREQ=DAILY;BYHOUR=9,12',
    'FREQ=HOURLY',
    'FREQ=DAILY;BYDAY=MO',
  ])
    expect([rule, repeatOf(rule)]).toEqual([rule, undefined])
})

test('every preset of a day has that day as its first', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2000 }), (ahead) => {
      const start = day('2026-01-01').add({ days: ahead })
      for (const preset of presetsFor(start)) expect(String(firstDay(preset, start))).toBe(String(start))
    }),
  )
})

test('presets are made from the day', () => {
  const of = (text: string, language: 'en' | 'de') =>
    presetsFor(day(text)).map((preset) => inWords(preset, language))
  expect(of('2026-12-13', 'en')).toEqual([
    'every day',
    'every Sunday',
    'every 2 weeks on Sunday',
    'every month',
    'every 2nd Sunday of the month',
    'every year',
  ])
  expect(of('2026-11-30', 'de')).toEqual([
    'jeden Tag',
    'jeden Werktag',
    'jeden Montag',
    'alle 2 Wochen am Montag',
    'jeden Monat',
    'jeden letzten Montag im Monat',
    'jedes Jahr',
  ])
})

describe('a repetition is said in both languages', () => {
  const cases: ReadonlyArray<readonly [Repeat, string, string]> = [
    [every('DAILY', 3), 'every 3 days', 'alle 3 Tage'],
    [{ ...every('WEEKLY'), weekdays: [1, 3] }, 'every Monday and Wednesday', 'jeden Montag und Mittwoch'],
    [{ ...every('WEEKLY', 2), weekdays: [5] }, 'every 2 weeks on Friday', 'alle 2 Wochen am Freitag'],
    [{ ...every('MONTHLY', 2), nth: { place: -1, weekday: 5 } }, 'every 2 months on the last Friday', 'alle 2 Monate am letzten Freitag'],
    [{ ...every('DAILY'), count: 10 }, 'every day, 10 times', 'jeden Tag, 10-mal'],
    [{ ...every('YEARLY'), until: '2030-06-12' }, 'every year, until 12 June 2030', 'jedes Jahr, bis 12. Juni 2030'],
  ] // prettier-ignore
  test.each(cases)('%j', (repeat, english, german) => {
    expect(inWords(repeat, 'en')).toBe(english)
    expect(inWords(repeat, 'de')).toBe(german)
  })
})

import { describe, expect, test } from 'bun:test'
import {
  allDaySeries,
  countBefore,
  isOccurrence,
  lastOccurrence,
  nextOccurrence,
  occurrencesBetween,
  previousOccurrence,
  ruleBefore,
  seriesProblem,
  timedSeries,
} from '../../../src/lib/recurrence/recurrence'
import { ALWAYS, at, days, readRule, starts, timed } from './series'

const TORONTO = 'America/Toronto'
const BERLIN = 'Europe/Berlin'

describe('a day that not every period has is left out', () => {
  test('monthly on the 31st', () => {
    expect(days('2026-01-31', 'FREQ=MONTHLY', 5)).toEqual([
      '2026-01-31',
      '2026-03-31',
      '2026-05-31',
      '2026-07-31',
      '2026-08-31',
    ])
  })

  test('the fifth Friday', () => {
    expect(days('2026-01-30', 'FREQ=MONTHLY;BYDAY=5FR', 4)).toEqual([
      '2026-01-30',
      '2026-05-29',
      '2026-07-31',
      '2026-10-30',
    ])
  })

  test('29 February, yearly, also over 2100', () => {
    expect(days('2088-02-29', 'FREQ=YEARLY', 5)).toEqual([
      '2088-02-29',
      '2092-02-29',
      '2096-02-29',
      '2104-02-29',
      '2108-02-29',
    ])
  })

  test('day 366 and week 53', () => {
    expect(days('2024-12-31', 'FREQ=YEARLY;BYYEARDAY=366', 3)).toEqual([
      '2024-12-31',
      '2028-12-31',
      '2032-12-31',
    ])
    expect(days('2020-12-28', 'FREQ=YEARLY;BYWEEKNO=53;BYDAY=MO', 3)).toEqual([
      '2020-12-28',
      '2026-12-28',
      '2032-12-27',
    ])
  })
})

describe('INTERVAL counts', () => {
  test('months, which a plain rule leaves out between', () => {
    expect(days('2026-01-30', 'FREQ=MONTHLY;INTERVAL=2', 3)).toEqual([
      '2026-01-30',
      '2026-03-30',
      '2026-05-30',
    ])
  })

  test('days, also where only those of some months take place', () => {
    expect(days('2026-03-29', 'FREQ=DAILY;INTERVAL=2;BYMONTH=3,4', 4)).toEqual([
      '2026-03-29',
      '2026-03-31',
      '2026-04-02',
      '2026-04-04',
    ])
  })
})

describe('what a rule leaves open is that of DTSTART', () => {
  test.each([
    {
      rule: 'FREQ=YEARLY;BYMONTHDAY=14',
      means: 'the 14th of every month',
      expected: ['2026-11-14', '2026-12-14', '2027-01-14', '2027-02-14'],
    },
    {
      rule: 'FREQ=YEARLY;BYMONTH=2,6',
      means: 'the 14th of February and June',
      expected: ['2026-11-14', '2027-02-14', '2027-06-14', '2028-02-14'],
    },
    {
      rule: 'FREQ=YEARLY;BYWEEKNO=10,-1',
      means: 'the Saturday of those weeks',
      expected: ['2026-11-14', '2027-01-02', '2027-03-13', '2028-01-01'],
    },
    {
      rule: 'FREQ=MONTHLY;BYMONTH=12',
      means: 'the 14th of December',
      expected: ['2026-11-14', '2026-12-14', '2027-12-14', '2028-12-14'],
    },
    {
      rule: 'FREQ=WEEKLY;BYMONTH=12',
      means: 'the Saturdays of December',
      expected: ['2026-11-14', '2026-12-05', '2026-12-12', '2026-12-19'],
    },
  ])('$rule is $means', ({ rule, expected }) => {
    expect(days('2026-11-14', rule, 4)).toEqual([...expected])
  })
})

describe('weeks of the year', () => {
  test('week 1 may begin in the year before, which it then counts for', () => {
    expect(days('2024-12-30', 'FREQ=YEARLY;INTERVAL=2;BYWEEKNO=1;BYDAY=MO', 3)).toEqual([
      '2024-12-30',
      '2027-01-04',
      '2029-01-01',
    ])
  })

  test('week 1 may begin with its year', () => {
    expect(days('2024-01-01', 'FREQ=YEARLY;INTERVAL=2;BYWEEKNO=1;BYDAY=MO', 3)).toEqual([
      '2024-01-01',
      '2025-12-29',
      '2028-01-03',
    ])
  })

  test('the last week of a year and the first of the next are found from the days of the other year', () => {
    const last = allDaySeries('2021-01-02', readRule('FREQ=YEARLY;BYWEEKNO=53;BYDAY=SA,SU'))
    expect(nextOccurrence(last, '2027-01-01')).toBe('2027-01-02')
    const first = allDaySeries('2019-12-30', readRule('FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO,TU'))
    expect(['2024-12-30', '2024-12-31', '2025-01-01'].map((day) => isOccurrence(first, day))).toEqual([
      true,
      true,
      false,
    ])
  })

  test('WKST moves the weeks', () => {
    const first = (weekStart: string) =>
      days('2022-12-01', `FREQ=YEARLY;BYWEEKNO=1;BYDAY=SU${weekStart}`, 2)[1]
    expect(first('')).toBe('2023-01-08')
    expect(first(';WKST=SU')).toBe('2023-01-01')
  })
})

describe('DTSTART', () => {
  test('is the first occurrence also where the rule does not name it, and uses up one of COUNT', () => {
    expect(days('2026-03-04', 'FREQ=WEEKLY;BYDAY=MO;COUNT=3', 99)).toEqual([
      '2026-03-04',
      '2026-03-09',
      '2026-03-16',
    ])
    expect(days('2026-03-04', 'FREQ=WEEKLY;BYDAY=MO;COUNT=1', 99)).toEqual(['2026-03-04'])
    expect(starts('UTC', '2026-01-01T08:00', 'FREQ=DAILY;COUNT=1;BYHOUR=9', 9)).toEqual(['2026-01-01T08:00'])
  })

  test('stays the first occurrence where UNTIL is before it', () => {
    const series = allDaySeries('2026-03-04', readRule('FREQ=DAILY;UNTIL=20260101'))
    expect(occurrencesBetween(series, '2026-01-01', '2027-01-01', 9)).toEqual(['2026-03-04'])
    expect(lastOccurrence(series)).toBe('2026-03-04')
  })
})

describe('BYSETPOS', () => {
  test('yields no duplicate', () => {
    expect(days('2026-01-01', 'FREQ=MONTHLY;BYDAY=TH;BYSETPOS=1,-5,-4', 4)).toEqual([
      '2026-01-01',
      '2026-01-08',
      '2026-02-05',
      '2026-03-05',
    ])
  })

  test('counts from the beginning of the period, also of that of DTSTART', () => {
    expect(days('2026-01-15', 'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1,-1', 3)).toEqual([
      '2026-01-15',
      '2026-01-30',
      '2026-02-02',
    ])
  })

  test('picks times of a day in a daily rule', () => {
    expect(starts('UTC', '2026-01-01T09:00', 'FREQ=DAILY;BYHOUR=9,12,15;BYSETPOS=-1', 3)).toEqual([
      '2026-01-01T09:00',
      '2026-01-01T15:00',
      '2026-01-02T15:00',
    ])
  })
})

test('nothing is generated after 2200', () => {
  expect(days('2200-12-30', 'FREQ=DAILY', 99)).toEqual(['2200-12-30', '2200-12-31'])
  expect(days('2200-12-30', 'FREQ=DAILY;COUNT=9', 99)).toEqual(['2200-12-30', '2200-12-31'])
  expect(days('2200-12-30', 'FREQ=WEEKLY;BYDAY=TU,SU;COUNT=3', 99)).toEqual(['2200-12-30'])
  expect(days('2199-06-01', 'FREQ=YEARLY', 99)).toEqual(['2199-06-01', '2200-06-01'])
  expect(days('2200-12-31', 'FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO,TU,WE,TH,FR,SA,SU', 99)).toEqual(['2200-12-31'])
  expect(starts(TORONTO, '2200-12-31T22:00', 'FREQ=DAILY;COUNT=5', 99)).toEqual(['2200-12-31T22:00'])
  expect(nextOccurrence(allDaySeries('2026-01-01', readRule('FREQ=DAILY')), '2200-12-31')).toBeUndefined()
})

describe('around an occurrence', () => {
  const series = timed(TORONTO, '2026-01-30T09:00', 'FREQ=MONTHLY;COUNT=4')
  const [january, march, april, may] = ['2026-01-30', '2026-03-30', '2026-04-30', '2026-05-30'].map((day) =>
    at(TORONTO, `${day}T09:00`),
  ) as [Date, Date, Date, Date]

  test('is what comes next and what came before', () => {
    expect(nextOccurrence(series, january)).toEqual(march)
    expect(nextOccurrence(series, may)).toBeUndefined()
    expect(previousOccurrence(series, april)).toEqual(march)
    expect(previousOccurrence(series, january)).toBeUndefined()
    expect(previousOccurrence(series, new Date('2190-01-01'))).toEqual(may)
  })

  test('is how much of COUNT came before', () => {
    expect([january, march, april, may].map((start) => countBefore(series, start))).toEqual([0, 1, 2, 3])
  })

  test('no other instant is one', () => {
    expect(isOccurrence(series, march)).toBe(true)
    expect(isOccurrence(series, new Date(march.getTime() + 1))).toBe(false)
    expect(isOccurrence(series, at(TORONTO, '2026-06-30T09:00'))).toBe(false)
    expect(isOccurrence(series, at(TORONTO, '2025-12-30T09:00'))).toBe(false)
  })

  test('an endless series has no last one', () => {
    expect(lastOccurrence(series)).toEqual(may)
    expect(lastOccurrence(timed(TORONTO, '2026-01-30T09:00', 'FREQ=MONTHLY'))).toBeUndefined()
  })
})

describe('the rule of what comes before an occurrence', () => {
  test('ends with the second of the one before it, instead of after a number', () => {
    const series = timedSeries(new Date('2026-01-30T14:00:00.5Z'), TORONTO, readRule('FREQ=MONTHLY;COUNT=4'))
    const [, march, april] = occurrencesBetween(series, ...ALWAYS, 3) as [Date, Date, Date]
    expect(ruleBefore(series, april)).toEqual({
      ...readRule('FREQ=MONTHLY'),
      until: { form: 'instant', at: Date.parse('2026-03-30T13:00:00Z') },
    })
    expect(ruleBefore(series, march)?.until?.at).toBe(Date.parse('2026-01-30T14:00:00Z'))
  })

  test('ends with a day in an all-day series', () => {
    const series = allDaySeries('2026-01-30', readRule('FREQ=MONTHLY;COUNT=4'))
    expect(ruleBefore(series, '2026-04-30')?.until).toEqual({ form: 'date', at: Date.parse('2026-03-30') })
  })

  test('is none before the first', () => {
    expect(
      ruleBefore(timed(TORONTO, '2026-01-30T09:00', 'FREQ=MONTHLY'), at(TORONTO, '2026-01-30T09:00')),
    ).toBe(undefined)
  })
})

describe('a start that a rule cannot repeat', () => {
  test.each(['BYHOUR=9', 'BYMINUTE=0', 'BYSECOND=0'])('a day, by %s', (part) => {
    expect(seriesProblem(allDaySeries('2026-01-01', readRule(`FREQ=DAILY;${part}`)))).toBe(
      'must not have BYHOUR, BYMINUTE or BYSECOND in an all-day series',
    )
    expect(seriesProblem(timed(BERLIN, '2026-01-01T09:00', `FREQ=DAILY;${part}`))).toBeUndefined()
  })

  test.each([
    { start: '2023-02-28', rule: 'FREQ=YEARLY;INTERVAL=2;BYMONTH=2;BYMONTHDAY=29' },
    { start: '2026-01-01', rule: 'FREQ=DAILY;INTERVAL=7;BYDAY=MO' },
    { start: '2026-03-01', rule: 'FREQ=MONTHLY;INTERVAL=12;BYMONTH=2' },
  ])('$start, by $rule, which never meets another day', ({ start, rule }) => {
    expect(seriesProblem(allDaySeries(start, readRule(rule)))).toBe('must name a day on or after the start')
  })

  test.each(['FREQ=YEARLY;INTERVAL=1000', 'FREQ=DAILY;UNTIL=20250101', 'FREQ=MONTHLY;BYDAY=5FR;COUNT=1'])(
    '%s is none',
    (rule) => {
      expect(seriesProblem(allDaySeries('2026-01-01', readRule(rule)))).toBeUndefined()
    },
  )
})

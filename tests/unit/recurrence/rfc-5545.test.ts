import { describe, expect, test } from 'bun:test'
import { parseRule } from '../../../src/lib/recurrence/grammar'
import { starts } from './series'

interface Example {
  readonly title: string
  readonly start: string
  readonly rules: readonly string[]
  /** Days as in the RFC, months between them: `1997-09 2-11`. */
  readonly days: string
  /** What ends by itself shows all its occurrences, the others as many as the RFC lists. */
  readonly endless?: true
}

// RFC 5545, section 3.8.5.3, all in America/New_York at 9:00; what it abbreviates by dots is written out.
const EXAMPLES: readonly Example[] = [
  {
    title: 'daily for 10 occurrences',
    start: '1997-09-02',
    rules: ['FREQ=DAILY;COUNT=10'],
    days: '1997-09 2-11',
  },
  {
    title: 'daily until December 24, 1997',
    start: '1997-09-02',
    rules: ['FREQ=DAILY;UNTIL=19971224T000000Z'],
    days: '1997-09 2-30 1997-10 1-31 1997-11 1-30 1997-12 1-23',
  },
  {
    title: 'every other day',
    start: '1997-09-02',
    rules: ['FREQ=DAILY;INTERVAL=2'],
    days: `1997-09 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30 1997-10 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30
      1997-11 1 3 5 7 9 11 13 15 17 19 21 23 25 27 29 1997-12 1 3`,
    endless: true,
  },
  {
    title: 'every 10 days, 5 occurrences',
    start: '1997-09-02',
    rules: ['FREQ=DAILY;INTERVAL=10;COUNT=5'],
    days: '1997-09 2 12 22 1997-10 2 12',
  },
  {
    title: 'every day in January, for 3 years',
    start: '1998-01-01',
    rules: [
      'FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA',
      'FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1',
    ],
    days: '1998-01 1-31 1999-01 1-31 2000-01 1-31',
  },
  {
    title: 'weekly for 10 occurrences',
    start: '1997-09-02',
    rules: ['FREQ=WEEKLY;COUNT=10'],
    days: '1997-09 2 9 16 23 30 1997-10 7 14 21 28 1997-11 4',
  },
  {
    title: 'weekly until December 24, 1997',
    start: '1997-09-02',
    rules: ['FREQ=WEEKLY;UNTIL=19971224T000000Z'],
    days: '1997-09 2 9 16 23 30 1997-10 7 14 21 28 1997-11 4 11 18 25 1997-12 2 9 16 23',
  },
  {
    title: 'every other week',
    start: '1997-09-02',
    rules: ['FREQ=WEEKLY;INTERVAL=2;WKST=SU'],
    days: '1997-09 2 16 30 1997-10 14 28 1997-11 11 25 1997-12 9 23 1998-01 6 20 1998-02 3 17',
    endless: true,
  },
  {
    title: 'weekly on Tuesday and Thursday for five weeks',
    start: '1997-09-02',
    rules: [
      'FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH',
      'FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH',
    ],
    days: '1997-09 2 4 9 11 16 18 23 25 30 1997-10 2',
  },
  {
    title: 'every other week on Monday, Wednesday and Friday until December 24, 1997',
    start: '1997-09-01',
    rules: ['FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR'],
    days: `1997-09 1 3 5 15 17 19 29 1997-10 1 3 13 15 17 27 29 31 1997-11 10 12 14 24 26 28
      1997-12 8 10 12 22`,
  },
  {
    title: 'every other week on Tuesday and Thursday, for 8 occurrences',
    start: '1997-09-02',
    rules: ['FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH'],
    days: '1997-09 2 4 16 18 30 1997-10 2 14 16',
  },
  {
    title: 'monthly on the first Friday for 10 occurrences',
    start: '1997-09-05',
    rules: ['FREQ=MONTHLY;COUNT=10;BYDAY=1FR'],
    days: '1997-09 5 1997-10 3 1997-11 7 1997-12 5 1998-01 2 1998-02 6 1998-03 6 1998-04 3 1998-05 1 1998-06 5',
  },
  {
    title: 'monthly on the first Friday until December 24, 1997',
    start: '1997-09-05',
    rules: ['FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR'],
    days: '1997-09 5 1997-10 3 1997-11 7 1997-12 5',
  },
  {
    title: 'every other month on the first and last Sunday for 10 occurrences',
    start: '1997-09-07',
    rules: ['FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU'],
    days: '1997-09 7 28 1997-11 2 30 1998-01 4 25 1998-03 1 29 1998-05 3 31',
  },
  {
    title: 'monthly on the second-to-last Monday for 6 months',
    start: '1997-09-22',
    rules: ['FREQ=MONTHLY;COUNT=6;BYDAY=-2MO'],
    days: '1997-09 22 1997-10 20 1997-11 17 1997-12 22 1998-01 19 1998-02 16',
  },
  {
    title: 'monthly on the third-to-the-last day',
    start: '1997-09-28',
    rules: ['FREQ=MONTHLY;BYMONTHDAY=-3'],
    days: '1997-09 28 1997-10 29 1997-11 28 1997-12 29 1998-01 29 1998-02 26',
    endless: true,
  },
  {
    title: 'monthly on the 2nd and 15th for 10 occurrences',
    start: '1997-09-02',
    rules: ['FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15'],
    days: '1997-09 2 15 1997-10 2 15 1997-11 2 15 1997-12 2 15 1998-01 2 15',
  },
  {
    title: 'monthly on the first and last day for 10 occurrences',
    start: '1997-09-30',
    rules: ['FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1'],
    days: '1997-09 30 1997-10 1 31 1997-11 1 30 1997-12 1 31 1998-01 1 31 1998-02 1',
  },
  {
    title: 'every 18 months on the 10th thru 15th for 10 occurrences',
    start: '1997-09-10',
    rules: ['FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15'],
    days: '1997-09 10-15 1999-03 10-13',
  },
  {
    title: 'every Tuesday, every other month',
    start: '1997-09-02',
    rules: ['FREQ=MONTHLY;INTERVAL=2;BYDAY=TU'],
    days: '1997-09 2 9 16 23 30 1997-11 4 11 18 25 1998-01 6 13 20 27 1998-03 3 10 17 24 31',
    endless: true,
  },
  {
    title: 'yearly in June and July for 10 occurrences',
    start: '1997-06-10',
    rules: ['FREQ=YEARLY;COUNT=10;BYMONTH=6,7'],
    days: `1997-06 10 1997-07 10 1998-06 10 1998-07 10 1999-06 10 1999-07 10
      2000-06 10 2000-07 10 2001-06 10 2001-07 10`,
  },
  {
    title: 'every other year on January, February and March for 10 occurrences',
    start: '1997-03-10',
    rules: ['FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3'],
    days: `1997-03 10 1999-01 10 1999-02 10 1999-03 10 2001-01 10 2001-02 10 2001-03 10
      2003-01 10 2003-02 10 2003-03 10`,
  },
  {
    title: 'every third year on the 1st, 100th and 200th day for 10 occurrences',
    start: '1997-01-01',
    rules: ['FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200'],
    days: `1997-01 1 1997-04 10 1997-07 19 2000-01 1 2000-04 9 2000-07 18 2003-01 1 2003-04 10 2003-07 19
      2006-01 1`,
  },
  {
    title: 'every 20th Monday of the year',
    start: '1997-05-19',
    rules: ['FREQ=YEARLY;BYDAY=20MO'],
    days: '1997-05 19 1998-05 18 1999-05 17',
    endless: true,
  },
  {
    title: 'Monday of week number 20',
    start: '1997-05-12',
    rules: ['FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO'],
    days: '1997-05 12 1998-05 11 1999-05 17',
    endless: true,
  },
  {
    title: 'every Thursday in March',
    start: '1997-03-13',
    rules: ['FREQ=YEARLY;BYMONTH=3;BYDAY=TH'],
    days: '1997-03 13 20 27 1998-03 5 12 19 26 1999-03 4 11 18 25',
    endless: true,
  },
  {
    title: 'every Thursday, but only during June, July and August',
    start: '1997-06-05',
    rules: ['FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8'],
    days: `1997-06 5 12 19 26 1997-07 3 10 17 24 31 1997-08 7 14 21 28
      1998-06 4 11 18 25 1998-07 2 9 16 23 30 1998-08 6 13 20 27
      1999-06 3 10 17 24 1999-07 1 8 15 22 29 1999-08 5 12 19 26`,
    endless: true,
  },
  {
    // The RFC removes DTSTART by an EXDATE, which is the caller's.
    title: 'every Friday the 13th',
    start: '1997-09-02',
    rules: ['FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13'],
    days: '1997-09 2 1998-02 13 1998-03 13 1998-11 13 1999-08 13 2000-10 13',
    endless: true,
  },
  {
    title: 'the first Saturday that follows the first Sunday of the month',
    start: '1997-09-13',
    rules: ['FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13'],
    days: '1997-09 13 1997-10 11 1997-11 8 1997-12 13 1998-01 10 1998-02 7 1998-03 7 1998-04 11 1998-05 9 1998-06 13',
    endless: true,
  },
  {
    title: 'U.S. presidential election day',
    start: '1996-11-05',
    rules: ['FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8'],
    days: '1996-11 5 2000-11 7 2004-11 2',
    endless: true,
  },
  {
    title: 'the third instance into the month of Tuesday, Wednesday or Thursday, for the next 3 months',
    start: '1997-09-04',
    rules: ['FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3'],
    days: '1997-09 4 1997-10 7 1997-11 6',
  },
  {
    title: 'the second-to-last weekday of the month',
    start: '1997-09-29',
    rules: ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2'],
    days: '1997-09 29 1997-10 30 1997-11 27 1997-12 30 1998-01 29 1998-02 26 1998-03 30',
    endless: true,
  },
  {
    title: 'weeks from Monday',
    start: '1997-08-05',
    rules: ['FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO'],
    days: '1997-08 5 10 19 24',
  },
  {
    title: 'weeks from Sunday',
    start: '1997-08-05',
    rules: ['FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU'],
    days: '1997-08 5 17 19 31',
  },
  {
    title: 'an invalid date is ignored',
    start: '2007-01-15',
    rules: ['FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5'],
    days: '2007-01 15 30 2007-02 15 2007-03 15 30',
  },
]

function daysOf(text: string): string[] {
  let month = ''
  return text.split(/\s+/).flatMap((word) => {
    if (/^\d{4}-\d\d$/.test(word)) {
      month = word
      return []
    }
    const [from = '', to = from] = word.split('-')
    const length = Number(to) - Number(from) + 1
    return Array.from({ length }, (_, index) => `${month}-${String(Number(from) + index).padStart(2, '0')}`)
  })
}

describe('RFC 5545, section 3.8.5.3', () => {
  const examples = EXAMPLES.flatMap(({ rules, ...example }) => rules.map((rule) => ({ ...example, rule })))
  test.each(examples)('$title: $rule', ({ start, rule, days, endless }) => {
    const expected = daysOf(days).map((day) => `${day}T09:00`)
    const limit = endless ? expected.length : 1000
    expect(starts('America/New_York', `${start}T09:00`, rule, limit)).toEqual(expected)
  })

  test('every 20 minutes from 9:00 to 16:40 every day', () => {
    const rule = 'FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40'
    const times = ['09', '10', '11', '12', '13', '14', '15', '16'].flatMap((hour) =>
      ['00', '20', '40'].map((minute) => `${hour}:${minute}`),
    )
    const expected = ['1997-09-02', '1997-09-03'].flatMap((day) => times.map((time) => `${day}T${time}`))
    expect(starts('America/New_York', '1997-09-02T09:00', rule, 48)).toEqual(expected)
  })

  test('section 3.3.10: every Sunday in January of every other year at 8:30 and 9:30', () => {
    const rule = 'FREQ=YEARLY;INTERVAL=2;BYMONTH=1;BYDAY=SU;BYHOUR=8,9;BYMINUTE=30'
    const days = ['1997-01-05', '1997-01-12', '1997-01-19', '1997-01-26', '1999-01-03', '1999-01-10']
    const expected = days.flatMap((day) => [`${day}T08:30`, `${day}T09:30`])
    expect(starts('America/New_York', '1997-01-05T08:30', rule, 12)).toEqual(expected)
  })

  test.each([
    'FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T170000Z',
    'FREQ=MINUTELY;INTERVAL=15;COUNT=6',
    'FREQ=MINUTELY;INTERVAL=90;COUNT=4',
    'FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10,11,12,13,14,15,16',
  ])('%s is finer than a day and refused', (rule) => {
    expect(parseRule(rule)).toEqual({ problem: 'must have DAILY, WEEKLY, MONTHLY or YEARLY as FREQ' })
  })
})

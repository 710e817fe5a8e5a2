import { describe, expect, test } from 'bun:test'
import { densityProblem, formatRule, parseRule } from '../../../src/lib/recurrence/grammar'
import { readRule } from './series'

const problem = (text: string) => {
  const parsed = parseRule(text)
  return 'problem' in parsed ? parsed.problem : undefined
}

const NO_RULE = 'must be a recurrence rule of RFC 5545, such as FREQ=WEEKLY;BYDAY=MO'
const NO_FREQUENCY = 'must have DAILY, WEEKLY, MONTHLY or YEARLY as FREQ'
const NO_MATCH = 'must match at least one day'

describe('a rule is read and written', () => {
  test.each([
    ['FREQ=DAILY', 'FREQ=DAILY'],
    ['rrule:freq=weekly;byday=fr,mo', 'FREQ=WEEKLY;BYDAY=MO,FR'],
    ['BYDAY=MO;FREQ=WEEKLY', 'FREQ=WEEKLY;BYDAY=MO'],
    ['FREQ=DAILY;INTERVAL=1;WKST=MO', 'FREQ=DAILY'],
    ['FREQ=DAILY;INTERVAL=0010', 'FREQ=DAILY;INTERVAL=10'],
    ['FREQ=DAILY;INTERVAL=1000;COUNT=10000', 'FREQ=DAILY;INTERVAL=1000;COUNT=10000'],
    ['FREQ=DAILY;UNTIL=20270303', 'FREQ=DAILY;UNTIL=20270303'],
    ['FREQ=DAILY;UNTIL=20270303T090001', 'FREQ=DAILY;UNTIL=20270303T090001'],
    ['FREQ=DAILY;UNTIL=20270303T195959', 'FREQ=DAILY;UNTIL=20270303T195959'],
    ['FREQ=DAILY;UNTIL=20270303t090000z', 'FREQ=DAILY;UNTIL=20270303T090000Z'],
    ['FREQ=DAILY;UNTIL=20161231T235960Z', 'FREQ=DAILY;UNTIL=20161231T235959Z'],
    ['FREQ=DAILY;BYSECOND=60,59', 'FREQ=DAILY;BYSECOND=59'],
    ['FREQ=MONTHLY;BYMONTHDAY=+15,-1,15,01', 'FREQ=MONTHLY;BYMONTHDAY=-1,1,15'],
    ['FREQ=MONTHLY;BYDAY=2MO,-1FR,+2MO,MO', 'FREQ=MONTHLY;BYDAY=-1FR,MO,2MO'],
    [
      'FREQ=YEARLY;WKST=SU;BYSETPOS=-1;BYSECOND=0;BYMINUTE=0;BYHOUR=9;BYDAY=MO;BYMONTHDAY=1;BYYEARDAY=-366,1;BYWEEKNO=-53,1;BYMONTH=1',
      'FREQ=YEARLY;WKST=SU;BYMONTH=1;BYWEEKNO=-53,1;BYYEARDAY=-366,1;BYMONTHDAY=1;BYHOUR=9;BYMINUTE=0;BYSECOND=0;BYDAY=MO;BYSETPOS=-1',
    ],
  ])('%s is %s', (text, canonical) => {
    expect(formatRule(readRule(text))).toBe(canonical)
    expect(readRule(canonical)).toEqual(readRule(text))
  })
})

describe('refused is', () => {
  test.each([
    '',
    ' FREQ=DAILY',
    'FREQ=DAILY;',
    'FREQ=DAILY\n',
    'FREQ=DAILY;;COUNT=1',
    'FREQ',
    'FREQ=',
    'FREQ=DAILY;COUNT=',
    'FREQ=DAILY;FREQ=DAILY',
    'FREQ=DAILY;COUNT=1;count=1',
    'FREQ=DAILY;BYEASTER=1',
    'FREQ=DAILY;X-NAME=1',
    'FREQ=DAILY=1',
    '1FREQ=DAILY',
    'FREQ=DAILY;-COUNT=1',
    `FREQ=DAILY;BYHOUR=9${',9'.repeat(491)}`,
    'DTSTART:20260101\nRRULE:FREQ=DAILY',
    'RRULE:RRULE:FREQ=DAILY',
    // Upper case would make an S and an I of these.
    'FREQ=DAILY;BYſETPOS=1',
    'FREQ=DAıLY',
    `FREQ=YEARLY;BYYEARDAY=${Array(400).fill('1').join()},${Array(100).fill('-1').join()}`,
  ])('what is no list of parts: %j', (text) => {
    expect(problem(text)).toBe(NO_RULE)
  })

  test.each([
    'COUNT=1',
    'FREQ=HOURLY',
    'FREQ=MINUTELY',
    'FREQ=SECONDLY',
    'FREQ=FORTNIGHTLY',
    'FREQ=DAILY,WEEKLY',
  ])('another frequency: %s', (text) => {
    expect(problem(text)).toBe(NO_FREQUENCY)
  })

  test.each([
    ['INTERVAL=0', 'must have a number from 1 to 1000 as INTERVAL'],
    ['INTERVAL=1001', 'must have a number from 1 to 1000 as INTERVAL'],
    ['INTERVAL=-1', 'must have a number from 1 to 1000 as INTERVAL'],
    ['INTERVAL=1,2', 'must have a number from 1 to 1000 as INTERVAL'],
    ['COUNT=0', 'must have a number from 1 to 10000 as COUNT'],
    ['COUNT=10001', 'must have a number from 1 to 10000 as COUNT'],
    ['COUNT=99999999999999999999', 'must have a number from 1 to 10000 as COUNT'],
    ['BYMONTH=0', 'must have numbers from 1 to 12 as BYMONTH'],
    ['BYMONTH=13', 'must have numbers from 1 to 12 as BYMONTH'],
    ['BYMONTH=-1', 'must have numbers from 1 to 12 as BYMONTH'],
    ['BYMONTH=1,', 'must have numbers from 1 to 12 as BYMONTH'],
    ['BYMONTH=1,13', 'must have numbers from 1 to 12 as BYMONTH'],
    ['BYMONTH=1E0', 'must have numbers from 1 to 12 as BYMONTH'],
    ['BYMONTH=1,0X1', 'must have numbers from 1 to 12 as BYMONTH'],
    ['BYMONTH=0X1', 'must have numbers from 1 to 12 as BYMONTH'],
    ['BYMONTHDAY=1,32', 'must have numbers from 1 to 31 or -31 to -1 as BYMONTHDAY'],
    ['BYMONTHDAY=0001', 'must have numbers from 1 to 31 or -31 to -1 as BYMONTHDAY'],
    ['BYMONTHDAY=1E0', 'must have numbers from 1 to 31 or -31 to -1 as BYMONTHDAY'],
    ['BYMONTHDAY=0X1', 'must have numbers from 1 to 31 or -31 to -1 as BYMONTHDAY'],
    ['BYWEEKNO=54', 'must have numbers from 1 to 53 or -53 to -1 as BYWEEKNO'],
    ['BYYEARDAY=367', 'must have numbers from 1 to 366 or -366 to -1 as BYYEARDAY'],
    ['BYYEARDAY=0', 'must have numbers from 1 to 366 or -366 to -1 as BYYEARDAY'],
    ['BYMONTHDAY=-32', 'must have numbers from 1 to 31 or -31 to -1 as BYMONTHDAY'],
    ['BYHOUR=24', 'must have numbers from 0 to 23 as BYHOUR'],
    ['BYHOUR=+9', 'must have numbers from 0 to 23 as BYHOUR'],
    ['BYMINUTE=60', 'must have numbers from 0 to 59 as BYMINUTE'],
    ['BYSECOND=61', 'must have numbers from 0 to 60 as BYSECOND'],
    ['BYDAY=MO;BYSETPOS=0', 'must have numbers from 1 to 366 or -366 to -1 as BYSETPOS'],
    ['BYDAY=0MO', 'must have weekdays such as MO or -1FR as BYDAY'],
    ['BYDAY=54MO', 'must have weekdays such as MO or -1FR as BYDAY'],
    ['BYDAY=XX', 'must have weekdays such as MO or -1FR as BYDAY'],
    ['BYDAY=XXMO', 'must have weekdays such as MO or -1FR as BYDAY'],
    ['BYDAY=100MO', 'must have weekdays such as MO or -1FR as BYDAY'],
    ['BYDAY=MONDAY', 'must have weekdays such as MO or -1FR as BYDAY'],
    ['WKST=1', 'must have a weekday such as MO as WKST'],
    ['WKST=MO,TU', 'must have a weekday such as MO as WKST'],
    ['UNTIL=20260230', 'must have a date or date-time of the years 1900 to 2200 as UNTIL'],
    ['UNTIL=18991231', 'must have a date or date-time of the years 1900 to 2200 as UNTIL'],
    ['UNTIL=22010101', 'must have a date or date-time of the years 1900 to 2200 as UNTIL'],
    ['UNTIL=20260101T240000Z', 'must have a date or date-time of the years 1900 to 2200 as UNTIL'],
    ['UNTIL=20260101T096000Z', 'must have a date or date-time of the years 1900 to 2200 as UNTIL'],
    ['UNTIL=20260101T090061Z', 'must have a date or date-time of the years 1900 to 2200 as UNTIL'],
    ['UNTIL=20260101T090000ZZ', 'must have a date or date-time of the years 1900 to 2200 as UNTIL'],
    ['UNTIL=20260101X', 'must have a date or date-time of the years 1900 to 2200 as UNTIL'],
    ['UNTIL=X20260101', 'must have a date or date-time of the years 1900 to 2200 as UNTIL'],
    ['UNTIL=20260101T0900', 'must have a date or date-time of the years 1900 to 2200 as UNTIL'],
    ['UNTIL=2026-01-01', 'must have a date or date-time of the years 1900 to 2200 as UNTIL'],
    ['COUNT=1;UNTIL=20260101', 'must not have both COUNT and UNTIL'],
    ['BYSETPOS=1', 'must not have BYSETPOS without another BY part'],
    ['BYWEEKNO=1;BYDAY=1MO', 'must not number weekdays beside BYWEEKNO'],
  ])('FREQ=YEARLY;%s', (part, expected) => {
    expect(problem(`FREQ=YEARLY;${part}`)).toBe(expected)
  })

  test.each([
    ['FREQ=DAILY;BYWEEKNO=1', 'must not have BYWEEKNO unless FREQ is YEARLY'],
    ['FREQ=WEEKLY;BYWEEKNO=1', 'must not have BYWEEKNO unless FREQ is YEARLY'],
    ['FREQ=MONTHLY;BYWEEKNO=1', 'must not have BYWEEKNO unless FREQ is YEARLY'],
    ['FREQ=DAILY;BYYEARDAY=1', 'must not have BYYEARDAY unless FREQ is YEARLY'],
    ['FREQ=MONTHLY;BYYEARDAY=1', 'must not have BYYEARDAY unless FREQ is YEARLY'],
    ['FREQ=WEEKLY;BYMONTHDAY=1', 'must not have BYMONTHDAY where FREQ is WEEKLY'],
    ['FREQ=DAILY;BYDAY=1MO', 'must not number weekdays unless FREQ is MONTHLY or YEARLY'],
    ['FREQ=WEEKLY;BYDAY=MO,-1FR', 'must not number weekdays unless FREQ is MONTHLY or YEARLY'],
  ])('what the frequency does not allow: %s', (text, expected) => {
    expect(problem(text)).toBe(expected)
  })

  test.each([
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30,31',
    'FREQ=MONTHLY;BYMONTH=4,6,9,11;BYMONTHDAY=31',
    'FREQ=MONTHLY;BYDAY=6MO',
    'FREQ=MONTHLY;BYMONTHDAY=8;BYDAY=1MO',
    'FREQ=MONTHLY;BYDAY=MO;BYSETPOS=6',
    'FREQ=MONTHLY;BYMONTHDAY=1,2;BYSETPOS=3',
    'FREQ=MONTHLY;BYHOUR=9,10;BYSETPOS=3',
    'FREQ=DAILY;BYHOUR=9,10;BYSETPOS=-3',
    'FREQ=WEEKLY;BYDAY=MO,TU;BYSETPOS=3',
    'FREQ=YEARLY;BYMONTH=6;BYSETPOS=2',
    'FREQ=YEARLY;BYYEARDAY=366;BYMONTH=3',
    'FREQ=YEARLY;BYYEARDAY=1;BYMONTHDAY=2',
    'FREQ=YEARLY;BYWEEKNO=20;BYMONTH=1',
    'FREQ=YEARLY;BYWEEKNO=53;BYYEARDAY=200',
    'FREQ=YEARLY;BYWEEKNO=1;BYMONTH=12;BYDAY=TH,FR,SA,SU',
    'FREQ=YEARLY;BYDAY=53MO;BYYEARDAY=1',
    'FREQ=YEARLY;BYDAY=MO;BYSETPOS=54',
  ])('what can never match: %s', (text) => {
    expect(problem(text)).toBe(NO_MATCH)
  })

  test.each([
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO',
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=TU',
    'FREQ=YEARLY;BYWEEKNO=53;BYMONTH=1',
    'FREQ=YEARLY;BYWEEKNO=1;BYMONTH=12',
    'FREQ=YEARLY;BYYEARDAY=366;BYWEEKNO=1',
    'FREQ=YEARLY;BYYEARDAY=-366;BYDAY=53SU,1SU',
    'FREQ=YEARLY;BYDAY=MO;BYSETPOS=53',
    'FREQ=MONTHLY;BYDAY=MO;BYSETPOS=-5',
  ])('but not what matches in some year only: %s', (text) => {
    expect(problem(text)).toBeUndefined()
  })
})

test('a rule may have a thousand characters', () => {
  const text = `FREQ=DAILY;BYHOUR=09${',9'.repeat(490)}`
  expect(text).toHaveLength(1000)
  expect(formatRule(readRule(text))).toBe('FREQ=DAILY;BYHOUR=9')
})

test('a rule has at most 24 occurrences a day, of which BYSETPOS may pick fewer', () => {
  const density = (times: string) => densityProblem(readRule(`FREQ=DAILY;${times}`))
  expect(density('BYHOUR=1,2,3,4,5,6;BYMINUTE=0,10,20,30')).toBeUndefined()
  expect(density('BYHOUR=1,2,3,4,5;BYMINUTE=0,10,20,30,40')).toBe('at most 24 occurrences a day')
  expect(density('BYHOUR=1,2,3,4,5;BYMINUTE=0,10,20,30,40;BYSETPOS=1,-1')).toBeUndefined()
})

import { expect, test } from 'bun:test'
import { allDaySeries } from '../../../src/lib/recurrence/recurrence'
import { describeSeries } from '../../../src/lib/recurrence/text'
import { readRule, timed } from './series'

test.each([
  ['FREQ=DAILY', 'Every day'],
  ['FREQ=DAILY;INTERVAL=3;COUNT=1', 'Every 3 days, once'],
  ['FREQ=DAILY;BYMONTH=1,3', 'Every day in January and March'],
  ['FREQ=DAILY;BYDAY=MO,WE', 'Every day on Monday and Wednesday'],
  ['FREQ=DAILY;BYMONTH=1;BYSETPOS=1', 'Every day in January, only the first of each day'],
  ['FREQ=DAILY;BYMONTHDAY=13;BYDAY=FR,SA', 'Every day on the 13th, when it is a Friday or Saturday'],
  ['FREQ=WEEKLY', 'Every week on Friday'],
  [
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR;UNTIL=20270303',
    'Every 2 weeks on Monday and Friday, until 3 March 2027',
  ],
  ['FREQ=WEEKLY;BYDAY=SU,MO,WE;BYMONTH=6', 'Every week on Monday, Wednesday and Sunday in June'],
  ['FREQ=WEEKLY;BYDAY=MO,TU;BYSETPOS=-1', 'Every week on the last Monday or Tuesday'],
  ['FREQ=MONTHLY', 'Every month on the 31st'],
  ['FREQ=MONTHLY;BYDAY=-1FR;COUNT=10', 'Every month on the last Friday, 10 times'],
  ['FREQ=MONTHLY;BYDAY=5FR', 'Every month on the fifth Friday'],
  ['FREQ=MONTHLY;BYDAY=1SU,-1SU', 'Every month on the first and last Sunday'],
  [
    'FREQ=MONTHLY;BYDAY=MO,2TU,-2WE',
    'Every month on Monday, the second Tuesday and the second to last Wednesday',
  ],
  [
    'FREQ=MONTHLY;INTERVAL=18;BYMONTHDAY=1,2,3,22,-1',
    'Every 18 months on the 1st, 2nd, 3rd, 22nd and last day',
  ],
  ['FREQ=MONTHLY;BYMONTHDAY=-3', 'Every month on the third to last day'],
  [
    'FREQ=MONTHLY;BYMONTHDAY=11,12,13;BYDAY=FR',
    'Every month on the 11th, 12th and 13th, when it is a Friday',
  ],
  ['FREQ=MONTHLY;BYMONTHDAY=1,2;BYDAY=1MO', 'Every month on the 1st and 2nd, when it is the first Monday'],
  [
    'FREQ=MONTHLY;BYMONTHDAY=1,2;BYDAY=MO,1TU',
    'Every month on the 1st and 2nd, when it is Monday and the first Tuesday',
  ],
  [
    'FREQ=MONTHLY;BYDAY=1MO,2TU;BYSETPOS=-1',
    'Every month on the first Monday and the second Tuesday, only the last of each month',
  ],
  ['FREQ=MONTHLY;BYDAY=TU,WE,TH;BYSETPOS=3', 'Every month on the third Tuesday, Wednesday or Thursday'],
  ['FREQ=MONTHLY;BYDAY=MO,FR;BYSETPOS=1,-1', 'Every month on the first and last Monday or Friday'],
  [
    'FREQ=MONTHLY;BYMONTHDAY=1,15;BYSETPOS=-1',
    'Every month on the 1st and 15th, only the last of each month',
  ],
  ['FREQ=MONTHLY;BYMONTH=4,5,9;BYMONTHDAY=1', 'Every month on the 1st in April, May and September'],
  [
    'FREQ=MONTHLY;BYMONTH=10,3;BYSETPOS=-1',
    'Every month on the 31st in March and October, only the last of each month',
  ],
  ['FREQ=YEARLY;BYMONTH=3;BYDAY=MO,1TU', 'Every year on Monday and the first Tuesday of March'],
  ['FREQ=MONTHLY;BYMONTH=12', 'Every month on the 31st in December'],
  ['FREQ=YEARLY', 'Every year on 31 July'],
  ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29', 'Every year on 29 February'],
  ['FREQ=YEARLY;BYMONTH=7;BYMONTHDAY=1,2', 'Every year on the 1st and 2nd of July'],
  ['FREQ=YEARLY;BYMONTH=7;BYMONTHDAY=13;BYDAY=FR', 'Every year on the 13th, when it is a Friday of July'],
  ['FREQ=YEARLY;INTERVAL=2;BYMONTH=7,8', 'Every 2 years on the 31st of July and August'],
  ['FREQ=YEARLY;BYMONTHDAY=14', 'Every year on the 14th of every month'],
  ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1', 'Every year on the last day of February'],
  ['FREQ=YEARLY;BYMONTH=11;BYDAY=4TH', 'Every year on the fourth Thursday of November'],
  ['FREQ=YEARLY;BYMONTH=3;BYDAY=TH', 'Every year on Thursday in March'],
  ['FREQ=YEARLY;BYDAY=20MO', 'Every year on the 20th Monday of the year'],
  ['FREQ=YEARLY;BYDAY=-1SU', 'Every year on the last Sunday of the year'],
  ['FREQ=YEARLY;BYYEARDAY=1,100,200', 'Every year on the first, 100th and 200th day of the year'],
  ['FREQ=YEARLY;BYYEARDAY=-1', 'Every year on the last day of the year'],
  [
    'FREQ=YEARLY;BYYEARDAY=13;BYMONTHDAY=13',
    'Every year on the 13th day of the year, when it is the 13th of every month',
  ],
  ['FREQ=YEARLY;BYWEEKNO=20', 'Every year on Friday in the 20th week'],
  ['FREQ=YEARLY;BYWEEKNO=1,-1;BYDAY=MO', 'Every year on Monday in the first and last week'],
  ['FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO;BYMONTH=12', 'Every year on Monday in the first week in December'],
  ['FREQ=YEARLY;BYDAY=MO;BYMONTH=1;BYSETPOS=-1', 'Every year on the last Monday in January'],
  [
    'FREQ=YEARLY;BYDAY=MO,TU;BYWEEKNO=20;BYSETPOS=-1',
    'Every year on the last Monday or Tuesday in the 20th week',
  ],
  [
    'FREQ=YEARLY;BYDAY=MO;BYMONTH=1,6;BYSETPOS=-1',
    'Every year on Monday in January and June, only the last of each year',
  ],
])('%s from Friday, 31 July 2026, is "%s"', (rule, text) => {
  expect(describeSeries(allDaySeries('2026-07-31', readRule(rule)))).toBe(text)
})

test.each([
  ['FREQ=DAILY;BYHOUR=9,17', 'Every day at 09:30 and 17:30'],
  ['FREQ=DAILY;BYHOUR=9;BYMINUTE=0', 'Every day at 09:00'],
  ['FREQ=DAILY;BYMINUTE=0;BYSECOND=30', 'Every day at 19:00:30'],
  [
    'FREQ=MONTHLY;BYDAY=MO;BYHOUR=9,10;BYSETPOS=-1',
    'Every month on Monday at 09:30 and 10:30, only the last of each month',
  ],
  ['FREQ=DAILY;BYMINUTE=0,15;BYSECOND=30', 'Every day at 19:00:30 and 19:15:30'],
  ['FREQ=DAILY;BYHOUR=9,10,11,12;BYMINUTE=0,15,30,45', 'Every day at 16 times of day'],
  ['FREQ=DAILY;BYHOUR=9,10;BYMINUTE=0,15,30,45;BYSECOND=0,30', 'Every day at 16 times of day'],
  [
    'FREQ=DAILY;BYHOUR=9,10,11,12;BYMINUTE=0,20,40',
    'Every day at 09:00, 09:20, 09:40, 10:00, 10:20, 10:40, 11:00, 11:20, 11:40, 12:00, 12:20 and 12:40',
  ],
  [
    'FREQ=WEEKLY;BYHOUR=9,17;BYSETPOS=1',
    'Every week on Friday at 09:30 and 17:30, only the first of each week',
  ],
  // In Toronto it is still the second.
  ['FREQ=DAILY;UNTIL=20270303T003000Z', 'Every day, until 2 March 2027'],
  ['FREQ=DAILY;UNTIL=20270303T003000', 'Every day, until 3 March 2027'],
])('%s from Friday at 19:30 in Toronto is "%s"', (rule, text) => {
  expect(describeSeries(timed('America/Toronto', '2026-07-31T19:30', rule))).toBe(text)
})

import { describe, expect, test } from 'bun:test'
import { dismissed, noTiming, refusalOfTiming, retime } from '../../src/features/tasks/reminders/rules'

const BERLIN = 'Europe/Berlin'
const timing = (remind_at: string, recurrence_rule: string, zone = BERLIN) =>
  retime(noTiming(zone), { remind_at, recurrence_rule })
const next = (stored: ReturnType<typeof timing>, now: string) => dismissed(stored, new Date(now))

describe('a series', () => {
  test('keeps its wall time across daylight saving, also one that is skipped on the first day', () => {
    const morning = timing('2026-03-27T09:00', 'FREQ=DAILY')
    expect(next(morning, '2026-03-28T12:00:00Z').remindAt).toEqual(new Date('2026-03-29T07:00:00Z'))
    const skipped = timing('2026-03-29T02:30', 'FREQ=DAILY')
    expect(skipped.remindAt).toEqual(new Date('2026-03-29T01:30:00Z'))
    expect(next(skipped, '2026-03-29T01:30:00Z').remindAt).toEqual(new Date('2026-03-30T00:30:00Z'))
  })

  test('counts from what the user set, however far it has come', () => {
    const third = {
      ...timing('2026-03-04T09:00', 'FREQ=DAILY;COUNT=3'),
      remindAt: new Date('2026-03-06T08:00:00Z'),
    }
    const over = { remindAt: third.remindAt, isDismissed: true, snoozedUntil: null }
    expect(next(third, '2026-03-06T08:00:00Z')).toEqual(over)
    expect(next({ ...third, isDismissed: true }, '2026-03-01T00:00:00Z')).toEqual(over)
  })

  test('is not begun again by who sends back what they read', () => {
    const second = {
      ...timing('2026-03-04T09:00', 'FREQ=DAILY;COUNT=3'),
      remindAt: new Date('2026-03-05T08:00:00Z'),
    }
    expect(retime(second, { remind_at: '2026-03-05T09:00:00+01:00', time_zone: BERLIN })).toEqual(second)
    expect(retime(second, { remind_at: '2026-03-05T09:01' }).seriesStart?.at).toEqual(
      new Date('2026-03-05T08:01:00Z'),
    )
  })

  test('keeps its instant in another zone and goes on by the clock there', () => {
    const moved = retime(timing('2026-03-27T09:00', 'FREQ=DAILY'), { time_zone: 'UTC' })
    expect(moved.remindAt).toEqual(new Date('2026-03-27T08:00:00Z'))
    expect(next(moved, '2026-03-30T00:00:00Z').remindAt).toEqual(new Date('2026-03-30T08:00:00Z'))
  })

  test('of the hour that autumn repeats begins when it was told to', () => {
    const second = timing('2026-10-25T02:30:00+01:00', 'FREQ=DAILY')
    expect(next(second, '2026-10-25T00:45:00Z').remindAt).toEqual(new Date('2026-10-25T01:30:00Z'))
  })
})

test.each([
  { rule: 'FREQ=HOURLY' },
  { rule: 'FREQ=DAILY;COUNT=2;UNTIL=20260401' },
  { rule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' },
  { rule: 'every day' },
  { rule: 'FREQ=DAILY;INTERVAL=0' },
])('$rule is refused', ({ rule }) => {
  expect(refusalOfTiming(timing('2026-03-04T09:00', rule), null)?.problems).toEqual([
    { field: 'body.recurrence_rule', message: expect.stringMatching(/^must /) },
  ])
})

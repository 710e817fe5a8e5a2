import { describe, expect, test } from 'bun:test'
import {
  isSameTime,
  NO_SCHEDULE,
  nextTurn,
  reschedule,
  type Schedule,
  scheduleOf,
  scheduleProblem,
  turnTo,
} from '../../src/features/tasks/todos/rules'

const week = { timeZone: 'UTC', firstDayOfWeek: 1 }
const NOW = new Date('2026-03-04T12:00:00Z')
const weekly: Schedule = {
  ...NO_SCHEDULE,
  dueDate: '2026-03-06',
  dueDay: 6,
  dueTime: '09:00:00',
  recurrence: 'weekly',
}
const done = reschedule(weekly, { completed: true }, NOW, week)

describe('what a change leaves', () => {
  test('is the time of the day, unless the day goes', () => {
    expect(reschedule(weekly, { due_date: '2026-03-07' }, NOW, week).dueTime).toBe('09:00:00')
    expect(reschedule(weekly, { due_time: '10:00' }, NOW, week).dueTime).toBe('10:00')
    expect(reschedule(weekly, { due_time: null }, NOW, week)).toEqual({ ...weekly, dueTime: null })
    expect(reschedule(weekly, { due_date: null }, NOW, week).dueTime).toBeNull()
  })

  test('is its completion, and the turn that was counted then', () => {
    const elsewhere = { timeZone: 'Pacific/Kiritimati', firstDayOfWeek: 0 }
    expect(done).toMatchObject({ completedAt: NOW, nextDueDate: '2026-03-13' })
    expect(reschedule(done, {}, NOW, elsewhere)).toEqual(done)
    expect(reschedule(done, { due_time: '10:00' }, NOW, elsewhere)).toEqual({ ...done, dueTime: '10:00' })
    expect(reschedule(done, { completed: false }, NOW, week)).toEqual(weekly)
  })
})

describe('two schedules', () => {
  test('are the same by day, minute and recurrence', () => {
    expect(isSameTime(weekly, { ...weekly, dueTime: '09:00', dueDay: 31, completedAt: NOW })).toBe(true)
    expect(isSameTime(weekly, { ...weekly, dueTime: '09:01' })).toBe(false)
    expect(isSameTime(weekly, { ...weekly, dueTime: null })).toBe(false)
    expect(isSameTime({ ...weekly, dueTime: null }, { ...weekly, dueTime: null })).toBe(true)
    expect(isSameTime({ ...weekly, dueTime: null }, weekly)).toBe(false)
    expect(isSameTime(weekly, { ...weekly, dueDate: '2026-03-07' })).toBe(false)
    expect(isSameTime(weekly, { ...weekly, recurrence: null })).toBe(false)
  })

  test('are valid but for a time without a day', () => {
    expect(scheduleProblem(weekly)).toBeUndefined()
    expect(scheduleProblem(NO_SCHEDULE)).toBeUndefined()
    expect(scheduleProblem({ ...weekly, dueTime: null })).toBeUndefined()
    expect(scheduleProblem({ ...weekly, dueDate: null })).toEqual({
      field: 'body.due_time',
      message: 'must be given together with due_date',
    })
  })
})

describe('a text', () => {
  const says = (more: Partial<Schedule> = {}) => {
    const { dueDate, dueTime, recurrence, completedAt } = { ...weekly, ...more }
    return { dueDate, dueTime, recurrence, completedAt }
  }

  test('that says again when the todo was completed completes it no second time', () => {
    const elsewhere = { timeZone: 'Pacific/Kiritimati', firstDayOfWeek: 0 }
    expect(scheduleOf(done, says({ completedAt: new Date(NOW) }), elsewhere, undefined)).toEqual(done)
    expect(scheduleOf(done, says({ completedAt: new Date(NOW) }), elsewhere, '2026-09-09')).toEqual(done)
    expect(scheduleOf(weekly, says(), week, undefined)).toEqual(weekly)
  })

  test('that completes it at another time counts from then', () => {
    const later = new Date('2026-03-11T12:00:00Z')
    expect(scheduleOf(done, says({ completedAt: later }), week, undefined)).toEqual({
      ...weekly,
      completedAt: later,
      resetAt: new Date('2026-03-16T00:00:00Z'),
      nextDueDate: '2026-03-20',
    })
    expect(scheduleOf(done, says(), week, undefined)).toEqual(weekly)
    expect(scheduleOf(weekly, says({ completedAt: NOW }), week, undefined)).toEqual(done)
  })

  test('remembers the day of the month until it sets another day or recurrence', () => {
    const monthly: Schedule = { ...weekly, recurrence: 'monthly', dueDate: '2026-02-28', dueDay: 31 }
    const same = { ...says(), recurrence: 'monthly', dueDate: '2026-02-28' } as const
    expect(scheduleOf(monthly, same, week, undefined).dueDay).toBe(31)
    expect(scheduleOf(monthly, { ...same, recurrence: 'weekly' }, week, undefined).dueDay).toBe(28)
    expect(scheduleOf(monthly, { ...same, dueDate: '2026-02-27' }, week, undefined).dueDay).toBe(27)
    expect(scheduleOf(monthly, { ...same, dueDate: null, dueTime: null }, week, undefined).dueDay).toBeNull()
    const completed = { ...same, completedAt: new Date('2026-02-28T12:00:00Z') }
    expect(scheduleOf(monthly, completed, week, undefined).nextDueDate).toBe('2026-03-31')
  })

  test('that changes a completed todo counts its turn anew', () => {
    expect(
      scheduleOf(done, says({ dueDate: '2026-03-07', completedAt: NOW }), week, undefined),
    ).toMatchObject({
      resetAt: new Date('2026-03-09T00:00:00Z'),
      nextDueDate: '2026-03-14',
    })
    expect(
      scheduleOf(done, says({ recurrence: 'daily', completedAt: NOW }), week, undefined).nextDueDate,
    ).toBe('2026-03-07')
    expect(scheduleOf(done, says({ recurrence: null, completedAt: NOW }), week, undefined)).toMatchObject({
      resetAt: null,
      nextDueDate: null,
    })
  })

  test('that completes it before its day does not make it due at the same day again', () => {
    // In the week before that of its day.
    const early = new Date('2026-02-25T12:00:00Z')
    expect(nextTurn(weekly, early, week).nextDueDate).toBe('2026-03-06')
    expect(scheduleOf(weekly, says({ completedAt: early }), week, undefined)).toMatchObject({
      completedAt: early,
      resetAt: new Date('2026-03-09T00:00:00Z'),
      nextDueDate: '2026-03-13',
    })
    const undated = says({ dueDate: null, dueTime: null, completedAt: early })
    expect(scheduleOf(weekly, undated, week, undefined).nextDueDate).toBe('2026-03-02')
  })

  test('of a series that only it can say is open again on the day after, and due when it says', () => {
    expect(
      scheduleOf(weekly, says({ recurrence: null, completedAt: NOW }), week, '2026-04-01'),
    ).toMatchObject({
      resetAt: new Date('2026-03-05T00:00:00Z'),
      nextDueDate: '2026-04-01',
    })
    expect(turnTo('2026-04-01', NOW, { ...week, timeZone: 'Pacific/Kiritimati' })).toEqual({
      resetAt: new Date('2026-03-05T10:00:00Z'),
      nextDueDate: '2026-04-01',
    })
    expect(turnTo('2026-04-01', null, week)).toBeUndefined()
    expect(turnTo(null, NOW, week)).toBeUndefined()
    expect(turnTo(undefined, NOW, week)).toBeUndefined()
  })
})

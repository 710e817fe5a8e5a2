import { describe, expect, test } from 'bun:test'
import { type Recurrence, NO_SCHEDULE, nextTurn, reschedule } from '../../src/features/tasks/todos/rules'
import { formatInstant } from '../../src/lib/time/time'

const ZONES = ['Pacific/Kiritimati', 'Europe/Berlin', 'America/Los_Angeles']
const at = (zone: string, wall: string) =>
  new Date(Temporal.PlainDateTime.from(wall).toZonedDateTime(zone).epochMilliseconds)

interface Case {
  readonly recurrence: Recurrence
  readonly first?: number
  readonly on: string
  readonly due?: string
  readonly dueDay?: number
  readonly reset: string
  readonly next?: string
}

/** Without `next` the todo is due on the reset day; without `first` it does not matter when weeks begin. */
const CASES: Case[] = [
  { recurrence: 'daily', on: '2026-03-04', reset: '2026-03-05' },
  { recurrence: 'daily', on: '2026-03-04', due: '2026-03-04', reset: '2026-03-05' },
  { recurrence: 'daily', on: '2026-03-04', due: '2026-02-01', reset: '2026-03-05' },
  { recurrence: 'daily', on: '2026-03-04', due: '2026-04-01', reset: '2026-03-05' },
  { recurrence: 'daily', on: '2026-02-28', reset: '2026-03-01' },
  { recurrence: 'daily', on: '2028-02-28', due: '2028-02-28', reset: '2028-02-29' },
  { recurrence: 'daily', on: '2026-12-31', reset: '2027-01-01' },
  // 4 March 2026 is a Wednesday.
  { recurrence: 'weekly', first: 0, on: '2026-03-04', reset: '2026-03-08' },
  { recurrence: 'weekly', first: 1, on: '2026-03-04', reset: '2026-03-09' },
  {
    recurrence: 'weekly',
    first: 0,
    on: '2026-03-04',
    due: '2026-03-06',
    reset: '2026-03-08',
    next: '2026-03-13',
  },
  {
    recurrence: 'weekly',
    first: 1,
    on: '2026-03-04',
    due: '2026-03-06',
    reset: '2026-03-09',
    next: '2026-03-13',
  },
  {
    recurrence: 'weekly',
    first: 0,
    on: '2026-03-04',
    due: '2026-01-04',
    reset: '2026-03-08',
    next: '2026-03-08',
  },
  {
    recurrence: 'weekly',
    first: 1,
    on: '2026-03-04',
    due: '2026-01-04',
    reset: '2026-03-09',
    next: '2026-03-15',
  },
  // A Sunday ends the week or begins it.
  { recurrence: 'weekly', first: 0, on: '2026-03-08', reset: '2026-03-15' },
  { recurrence: 'weekly', first: 1, on: '2026-03-08', reset: '2026-03-09' },
  {
    recurrence: 'weekly',
    first: 0,
    on: '2026-03-08',
    due: '2026-03-08',
    reset: '2026-03-15',
    next: '2026-03-15',
  },
  {
    recurrence: 'weekly',
    first: 1,
    on: '2026-03-08',
    due: '2026-03-08',
    reset: '2026-03-09',
    next: '2026-03-15',
  },
  {
    recurrence: 'weekly',
    first: 0,
    on: '2026-03-07',
    due: '2026-03-07',
    reset: '2026-03-08',
    next: '2026-03-14',
  },
  {
    recurrence: 'weekly',
    first: 1,
    on: '2026-03-09',
    due: '2026-03-09',
    reset: '2026-03-16',
    next: '2026-03-16',
  },
  {
    recurrence: 'weekly',
    first: 0,
    on: '2026-12-30',
    due: '2027-02-06',
    reset: '2027-01-03',
    next: '2027-01-09',
  },
  {
    recurrence: 'weekly',
    first: 1,
    on: '2028-02-28',
    due: '2028-02-29',
    reset: '2028-03-06',
    next: '2028-03-07',
  },
  { recurrence: 'monthly', on: '2026-03-04', reset: '2026-04-01' },
  { recurrence: 'monthly', on: '2026-12-31', reset: '2027-01-01' },
  { recurrence: 'monthly', on: '2026-03-31', due: '2026-03-15', reset: '2026-04-01', next: '2026-04-15' },
  { recurrence: 'monthly', on: '2026-01-31', due: '2026-01-31', reset: '2026-02-01', next: '2026-02-28' },
  { recurrence: 'monthly', on: '2028-01-31', due: '2028-01-31', reset: '2028-02-01', next: '2028-02-29' },
  {
    recurrence: 'monthly',
    on: '2026-02-28',
    due: '2026-02-28',
    dueDay: 31,
    reset: '2026-03-01',
    next: '2026-03-31',
  },
  {
    recurrence: 'monthly',
    on: '2026-03-31',
    due: '2026-03-31',
    dueDay: 31,
    reset: '2026-04-01',
    next: '2026-04-30',
  },
  {
    recurrence: 'monthly',
    on: '2026-02-28',
    due: '2026-02-28',
    dueDay: 28,
    reset: '2026-03-01',
    next: '2026-03-28',
  },
  { recurrence: 'monthly', on: '2026-01-01', due: '2026-01-30', reset: '2026-02-01', next: '2026-02-28' },
  { recurrence: 'monthly', on: '2027-12-31', due: '2027-12-29', reset: '2028-01-01', next: '2028-01-29' },
]

describe.each(ZONES)('completed at 23:56 in %s', (zone) => {
  for (const { recurrence, first, on, due, dueDay, reset, next = reset } of CASES) {
    for (const firstDayOfWeek of first === undefined ? [0, 1] : [first]) {
      const what = `${recurrence}, weeks from ${firstDayOfWeek}, due ${due ?? 'never'}${dueDay ? ` for the ${dueDay}th` : ''}`
      test(`${what}: on ${on} opens on ${reset} and is due on ${next}`, () => {
        const todo = { recurrence, dueDate: due ?? null, dueDay: dueDay ?? null }
        const turn = nextTurn(todo, at(zone, `${on}T23:56`), { timeZone: zone, firstDayOfWeek })
        expect(turn).toEqual({ resetAt: at(zone, `${reset}T00:00`), nextDueDate: next })
      })
    }
  }
})

test('a midnight that daylight saving skips moves forward, and of one that it repeats it is the first', () => {
  const reset = (zone: string, wall: string) =>
    nextTurn({ recurrence: 'daily', dueDate: null, dueDay: null }, at(zone, wall), {
      timeZone: zone,
      firstDayOfWeek: 0,
    }).resetAt ?? new Date(Number.NaN)
  const written = (zone: string, wall: string) => formatInstant(zone, reset(zone, wall))
  expect(written('America/Sao_Paulo', '2018-11-03T23:56')).toBe('2018-11-04T01:00:00-02:00')
  expect(written('Asia/Beirut', '2025-03-29T23:56')).toBe('2025-03-30T01:00:00+03:00')
  expect(written('America/Havana', '2025-11-01T23:56')).toBe('2025-11-02T00:00:00-04:00')
})

test('31 January comes back on 28 February and 31 March', () => {
  const week = { timeZone: 'UTC', firstDayOfWeek: 1 }
  let todo = reschedule(NO_SCHEDULE, { due_date: '2026-01-31', recurrence: 'monthly' }, new Date(0), week)
  const dueDates: Array<string | null> = []
  for (let turn = 0; turn < 14; turn++) {
    const done = reschedule(todo, { completed: true }, new Date(`${todo.dueDate}T12:00:00Z`), week)
    todo = { ...done, dueDate: done.nextDueDate, completedAt: null, resetAt: null, nextDueDate: null }
    dueDates.push(todo.dueDate)
  }
  expect(dueDates.slice(0, 3)).toEqual(['2026-02-28', '2026-03-31', '2026-04-30'])
  expect(dueDates.at(-2)).toBe('2027-02-28')
  expect(dueDates.at(-1)).toBe('2027-03-31')
})

describe('a change', () => {
  const week = { timeZone: 'UTC', firstDayOfWeek: 1 }
  const now = new Date('2026-03-04T12:00:00Z')
  const monthly = reschedule(NO_SCHEDULE, { due_date: '2026-01-31', recurrence: 'monthly' }, now, week)
  const shortened = { ...monthly, dueDate: '2026-02-28' }

  test('that sends back what was read keeps the remembered day', () => {
    const sent = { due_date: '2026-02-28', recurrence: 'monthly' } as const
    expect(reschedule(shortened, sent, now, week)).toEqual(shortened)
  })

  test('of the day or of the recurrence forgets it', () => {
    expect(reschedule(shortened, { due_date: '2026-02-27' }, now, week).dueDay).toBe(27)
    expect(reschedule(shortened, { recurrence: 'daily' }, now, week).dueDay).toBe(28)
    expect(reschedule(shortened, { due_date: null }, now, week).dueDay).toBeNull()
  })

  test('to completed leaves what is completed as it is', () => {
    const done = reschedule(monthly, { completed: true }, now, week)
    const later = new Date('2026-04-09T12:00:00Z')
    expect(reschedule(done, { completed: true }, later, week)).toEqual(done)
    expect(reschedule(done, { completed: false }, later, week)).toEqual(monthly)
  })

  test('while completed counts from the local day of the completion', () => {
    const done = reschedule(monthly, { completed: true }, now, week)
    const later = new Date('2026-03-06T12:00:00Z')
    expect(reschedule(done, { recurrence: 'daily' }, later, week)).toMatchObject({
      completedAt: now,
      resetAt: new Date('2026-03-05T00:00:00Z'),
      nextDueDate: '2026-03-05',
    })
    expect(reschedule(done, { due_date: '2026-03-10' }, later, week).nextDueDate).toBe('2026-04-10')
    expect(reschedule(done, { recurrence: null }, later, week)).toMatchObject({
      completedAt: now,
      resetAt: null,
      nextDueDate: null,
    })
    expect(reschedule(done, { due_date: null }, later, week).nextDueDate).toBe('2026-04-01')
  })
})

import type { CalendarView } from '../../features/calendars/calendars/model'
import type { NewEvent } from '../../features/events/events/model'
import type { NewReminder, ReminderView } from '../../features/tasks/reminders/model'
import type { NewTodo, TodoView } from '../../features/tasks/todos/model'
import { creating } from '../events/intents'
import { ruleOf } from '../recurrence/rule'
import { creation, type Intent, localId } from '../store/commands'
import { now } from '../time/now'
import type { Understood } from './understand'

interface Adding {
  readonly zone: string
  readonly calendars: readonly CalendarView[]
  /** What is done, in the user's language. */
  readonly said: string
  readonly given?: GivenTodo | undefined
}

/** What a todo has by the place where it is added. `rank` is its place until the service says it. */
export interface GivenTodo extends Pick<NewTodo, 'list_id' | 'due_date' | 'category' | 'position'> {
  readonly rank?: string
}

/** Adds what a line was understood as. */
export function adding(understood: Understood, { zone, calendars, said, given = {} }: Adding): Intent {
  switch (understood.kind) {
    case 'event':
      return creating(eventOf(understood, zone), calendars, { said }).intent
    case 'todo': {
      const { rank, ...others } = given
      const body = { ...others, ...todoOf(understood) }
      return creation(
        { kind: 'todo', item: shownTodo(body, rank) },
        'todos',
        { ...body },
        { said, lane: 'todos' },
      )
    }
    case 'reminder': {
      const body = reminderOf(understood, zone)
      return creation(
        { kind: 'reminder', item: shownReminder(body, zone) },
        'reminders',
        { ...body },
        { said },
      )
    }
  }
}

/** What every new record has, until the service says otherwise. */
const made = () => ({
  id: localId(),
  description: null,
  version: 0,
  created_at: now().toString(),
  updated_at: now().toString(),
})

/** The service puts a new todo at the end. */
const LAST = Number.MAX_SAFE_INTEGER

/** The service knows which list is the default one. */
const UNKNOWN_LIST = 0

const shownTodo = (body: NewTodo, rank = String(LAST)): TodoView => ({
  ...made(),
  list_id: body.list_id ?? UNKNOWN_LIST,
  title: body.title,
  priority: 'none',
  due_date: body.due_date ?? null,
  due_time: body.due_time ?? null,
  category: body.category ?? null,
  completed: false,
  completed_at: null,
  recurrence: body.recurrence ?? null,
  reset_at: null,
  recurrence_unsupported: false,
  next_due_date: null,
  position: LAST,
  rank,
})

const shownReminder = (body: NewReminder, zone: string): ReminderView => ({
  ...made(),
  title: body.title,
  remind_at: body.remind_at == null ? null : instantAt(body.remind_at, zone),
  is_active: true,
  is_dismissed: false,
  snoozed_until: null,
  recurrence_rule: body.recurrence_rule ?? null,
  recurrence_unsupported: false,
  time_zone: zone,
})

const instantAt = (at: string, zone: string) =>
  Temporal.PlainDateTime.from(at)
    .toZonedDateTime(zone)
    .toString({ timeZoneName: 'never', smallestUnit: 'second' })

const clock = (time: Temporal.PlainTime) => time.toString({ smallestUnit: 'minute' })
const wall = (day: Temporal.PlainDate, time: Temporal.PlainTime) => `${day.toString()}T${clock(time)}:00`

function eventOf(understood: Understood, zone: string): NewEvent {
  const { title, day, lastDay = day, time, endTime, place, repeat, calendarId } = understood
  if (!day || !lastDay) throw new Error('An event has a day')
  return {
    title,
    ...(place !== undefined && { location: place }),
    ...(calendarId !== undefined && { calendar_id: calendarId }),
    ...(repeat && { recurrence_rule: ruleOf(repeat) }),
    ...(time && endTime
      ? { all_day: false, start_at: wall(day, time), end_at: wall(lastDay, endTime), time_zone: zone }
      : { all_day: true, start_date: day.toString(), end_date: lastDay.toString() }),
  }
}

const TODO_RHYTHMS = { DAILY: 'daily', WEEKLY: 'weekly', MONTHLY: 'monthly', YEARLY: null } as const

const todoOf = ({ title, day, time, category, repeat }: Understood): NewTodo => ({
  title,
  ...(day && { due_date: day.toString() }),
  ...(day && time && { due_time: clock(time) }),
  ...(category !== undefined && { category }),
  ...(repeat && { recurrence: TODO_RHYTHMS[repeat.frequency] }),
})

const reminderOf = ({ title, day, time, repeat }: Understood, zone: string): NewReminder => ({
  title,
  time_zone: zone,
  ...(day && time && { remind_at: wall(day, time) }),
  ...(repeat && { recurrence_rule: ruleOf(repeat) }),
})

import { cut } from '../../../lib/text'
import { nextOccurrence, occurrencesBetween, timedSeries } from '../../../lib/recurrence/recurrence'
import { parseRule } from '../../../lib/recurrence/grammar'
import { addDaysTo, DAY_MS, dayOf, wallIn, wallToText } from '../../../lib/time/wall-time'
import type { Celebration } from '../../../lib/time/birthdays'
import { type Happening, MAX_OCCURRENCES } from '../push-events/rules'
import {
  type Content,
  instantOn,
  type Moment,
  momentsAt,
  type Schedule,
  type Slot,
  slotsOfDay,
  type Window,
} from './rules'

/** ntfy accepts messages of up to 4 096 bytes; this many code points always fit. */
const MAX_TITLE = 250
const MAX_MESSAGE = 500
const NORMAL = 3

const content = (
  title: string,
  message: string,
  path: string,
  { tags, priority = NORMAL }: { readonly tags: readonly string[]; readonly priority?: number },
): Content => ({ title: cut(title, MAX_TITLE), message: cut(message, MAX_MESSAGE), path, tags, priority })

/** The local time of the recipient at an instant: `2026-03-04 10:00`. */
const inWords = ({ timeZone }: Schedule, at: Date): string =>
  wallToText(wallIn(timeZone, at)).slice(0, 16).replace('T', ' ')

interface Reminder {
  readonly id: number
  readonly title: string
  readonly description: string | null
  readonly remindAt: Date | null
  readonly snoozedUntil: Date | null
  readonly recurrenceRule: string | null
  readonly timeZone: string
  readonly seriesStart: Date | null
  /** Wall time in milliseconds. */
  readonly seriesWall: number | null
}

/** A reminder has a message at its moment and at every later one of its series, until it is dismissed. */
export function reminderMoments(schedule: Schedule, reminder: Reminder, window: Window): Moment[] {
  const first = reminder.snoozedUntil ?? reminder.remindAt
  if (first === null) return []
  const slots = [first, ...later(reminder, first, window)].map((at) => ({ at, about: at.toISOString() }))
  return momentsAt({ kind: 'reminder', itemId: reminder.id, occurrence: '' }, slots, window, ({ at }) =>
    content(reminder.title, reminder.description || inWords(schedule, at), `/reminders/${reminder.id}`, {
      tags: ['alarm_clock'],
      priority: 4,
    }),
  )
}

function later(reminder: Reminder, first: Date, { from, to }: Window): Date[] {
  const { recurrenceRule, seriesStart, seriesWall, timeZone } = reminder
  if (recurrenceRule === null || seriesStart === null || seriesWall === null) return []
  const read = parseRule(recurrenceRule)
  if ('problem' in read) throw new Error('the stored recurrence rule is invalid')
  const series = timedSeries(seriesStart, timeZone, read.rule, seriesWall)
  const after = nextOccurrence(series, from > first ? from : first)
  return after === undefined ? [] : occurrencesBetween(series, after, new Date(+to + 1), MAX_OCCURRENCES)
}

interface Todo {
  readonly id: number
  readonly title: string
  readonly dueDate: string | null
  readonly dueTime: string | null
  readonly completedAt: Date | null
  readonly resetAt: Date | null
  readonly nextDueDate: string | null
  readonly openedAt: Date | null
  readonly priority: string
}

/** A completed todo that reopens at `resetAt` is treated as its next turn, which has no messages before then. */
export function todoMoments(schedule: Schedule, todo: Todo, window: Window): Moment[] {
  const isOpen = todo.completedAt === null
  const [day, since] = isOpen ? [todo.dueDate, todo.openedAt] : [todo.nextDueDate, todo.resetAt]
  if (day === null || (!isOpen && since === null)) return []
  const slots = slotsOfDay(schedule, day, schedule.todoLeadDays, todo.dueTime)
  const due = todo.dueTime === null ? day : `${day} ${todo.dueTime.slice(0, 5)}`
  return momentsAt(
    { kind: 'todo', itemId: todo.id, occurrence: '' },
    slots.filter(({ at }) => since === null || at >= since),
    window,
    () =>
      content(todo.title, `Due ${due}`, `/todos/${todo.id}`, {
        tags: ['ballot_box_with_check'],
        priority: todo.priority === 'high' ? 4 : NORMAL,
      }),
  )
}

interface Dated {
  readonly id: number
  readonly title: string
  readonly dueDate: string | null
}

export const projectMoments = (schedule: Schedule, { id, title, dueDate }: Dated, window: Window): Moment[] =>
  momentsAt({ kind: 'project', itemId: id, occurrence: '' }, projectSlots(schedule, dueDate), window, () =>
    content(title, `Project due ${dueDate}`, `/projects/${id}`, { tags: ['file_folder'] }),
  )

interface Task extends Dated {
  readonly projectId: number
  readonly projectName: string
}

export const taskMoments = (schedule: Schedule, task: Task, window: Window): Moment[] =>
  momentsAt(
    { kind: 'task', itemId: task.id, occurrence: '' },
    projectSlots(schedule, task.dueDate),
    window,
    () =>
      content(
        task.title,
        `${task.projectName}: due ${task.dueDate}`,
        `/projects/${task.projectId}/tasks/${task.id}`,
        {
          tags: ['pushpin'],
        },
      ),
  )

const projectSlots = (schedule: Schedule, day: string | null): Slot[] =>
  day === null ? [] : slotsOfDay(schedule, day, schedule.projectLeadDays)

/** The lead in whole days, because all-day events have no other leads. */
export const leadDaysOf = (minutes: number): number => Math.floor(minutes / 1440)

/** An occurrence that had already ended when it was last entered (created, changed, invited to, shared) has no message. */
const isOver = (endAt: Date, enteredAt: Date): boolean => endAt < enteredAt

/** The end of the day in the recipient's zone. */
const endOfDay = ({ timeZone }: Schedule, day: string): Date =>
  instantOn(timeZone, addDaysTo(day, 1), '00:00')

interface Birthday {
  readonly id: number
  readonly name: string
  readonly enteredAt: Date
}

/** A birthday is treated as in the Birthdays calendar: as an all-day event with the default lead. */
export const birthdayMoments = (
  schedule: Schedule,
  { id, name, enteredAt }: Birthday,
  { date, turns }: Celebration,
  window: Window,
): Moment[] => {
  const wasOver = isOver(endOfDay(schedule, date), enteredAt)
  return momentsAt(
    { kind: 'birthday', itemId: id, occurrence: date, wasOver },
    slotsOfDay(schedule, date, leadDaysOf(schedule.eventLeadMinutes)),
    window,
    () =>
      content(`${name}'s birthday${turns === null ? '' : ` (${turns})`}`, date, `/people/${id}`, {
        tags: ['birthday'],
      }),
  )
}

interface News {
  readonly id: number
  readonly title: string
  readonly message: string
  readonly createdAt: Date
}

export const newsMoments = ({ id, title, message, createdAt }: News, window: Window): Moment[] =>
  momentsAt(
    { kind: 'connection', itemId: id, occurrence: '' },
    [{ at: createdAt, about: createdAt.toISOString() }],
    window,
    () => content(title, message, '/connections', { tags: ['busts_in_silhouette'] }),
  )

/** A timed event has a message `reminderMinutes` before its start, an all-day event on its lead day and on the day itself. */
export function eventMoments(schedule: Schedule, event: Happening, window: Window): Moment[] {
  const minutes = event.reminderMinutes ?? schedule.eventLeadMinutes
  const { id, occurrence, named, times } = event
  const path = `/events/${id}${named === '' ? '' : `?occurrence=${encodeURIComponent(named)}`}`
  const start = times.allDay ? times.startDate : inWords(schedule, times.startAt)
  const slots = times.allDay
    ? slotsOfDay(schedule, times.startDate, leadDaysOf(minutes))
    : [leadSlot(times.startAt, minutes)]
  const wasOver = isOver(times.allDay ? endOfDay(schedule, times.endDate) : times.endAt, event.enteredAt)
  return momentsAt({ kind: 'event', itemId: id, occurrence, wasOver }, slots, window, () =>
    content(event.title, event.location ? `${start}, ${event.location}` : start, path, {
      tags: ['calendar'],
    }),
  )
}

/** A pass runs every minute, so a message that was due at most this long ago is on time. */
const ON_TIME_MS = 120_000

/** The times of the invitation and of the message, for a user who sees the event only by invitation. */
interface Guest {
  readonly invitedAt: Date
  readonly now: Date
}

/** A guest gets no message for an event that began before the invitation, and no late one for an event that has ended. */
export function guestMoments(
  schedule: Schedule,
  event: Happening,
  window: Window,
  { invitedAt, now }: Guest,
): Moment[] {
  const { times } = event
  const startAt = times.allDay ? instantOn(schedule.timeZone, times.startDate, '00:00') : times.startAt
  if (startAt < invitedAt) return []
  const endAt = times.allDay ? endOfDay(schedule, times.endDate) : times.endAt
  return eventMoments(schedule, event, window).filter(
    ({ at }) => !isOver(endAt, now) || +now - +at <= ON_TIME_MS,
  )
}

const leadSlot = (startAt: Date, minutes: number): Slot => ({
  at: new Date(+startAt - minutes * 60_000),
  about: startAt.toISOString(),
})

/** `MM-DD` of every day from `first` to `last`, as birthdays are stored. In common years 29 February is shown on the 28th. */
export function birthdayDays(first: string, last: string): string[] {
  const days: string[] = []
  for (let at = Date.parse(first); at <= Date.parse(last); at += DAY_MS) {
    const day = dayOf(at).slice(5)
    days.push(day, ...(day === '02-28' ? ['02-29'] : []))
  }
  return [...new Set(days)]
}

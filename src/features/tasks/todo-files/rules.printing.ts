import { CALENDAR_END, OBJECT_HEAD } from '../../calendars/export/rules'
import { escapeComponent } from '../../../lib/icalendar/text'
import { floatingLine, inUtc, type LocalTime } from './rules.moments'
import type { TodoContent } from './rules.reading'

/** A todo as it is now. */
export interface TodoNow extends TodoContent {
  readonly uid: string
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

const LEVELS = { high: 1, medium: 5, low: 9, none: 0 } as const

/** The lines that say a value: none where it is not said. */
export const LINES = {
  title: (title: string) => [`SUMMARY:${escapeComponent(title)}`],
  description: (text: string | null) => (text === null ? [] : [`DESCRIPTION:${escapeComponent(text)}`]),
  priority: (priority: TodoContent['priority']) =>
    priority === 'none' ? [] : [`PRIORITY:${LEVELS[priority]}`],
  recurrence: (recurrence: TodoContent['recurrence']) =>
    recurrence === null ? [] : [`RRULE:FREQ=${recurrence.toUpperCase()}`],
  completion: (completedAt: Date | null) =>
    completedAt === null
      ? ['STATUS:NEEDS-ACTION']
      : ['STATUS:COMPLETED', `COMPLETED:${inUtc(completedAt)}`, 'PERCENT-COMPLETE:100'],
  sortOrder: (number: number | null) => (number === null ? [] : [`X-APPLE-SORT-ORDER:${number}`]),
} as const

export const localDue = ({ dueDate, dueTime }: Pick<TodoContent, 'dueDate' | 'dueTime'>): LocalTime | null =>
  dueDate === null ? null : { date: dueDate, time: dueTime }

/** A todo that no other program wrote, as an object. What repeats has to have a start (RFC 5545, section 3.8.5.3). */
export function todoLines(todo: TodoNow): string[] {
  const due = localDue(todo)
  const start = due ?? { date: todo.createdAt.toISOString().slice(0, 10), time: null }
  return [
    ...OBJECT_HEAD,
    'BEGIN:VTODO',
    `UID:${escapeComponent(todo.uid)}`,
    `DTSTAMP:${inUtc(todo.updatedAt)}`,
    `CREATED:${inUtc(todo.createdAt)}`,
    `LAST-MODIFIED:${inUtc(todo.updatedAt)}`,
    `SEQUENCE:${todo.version - 1}`,
    ...LINES.title(todo.title),
    ...LINES.description(todo.description),
    ...LINES.priority(todo.priority),
    ...(todo.category === null ? [] : [`CATEGORIES:${escapeComponent(todo.category)}`]),
    ...(todo.recurrence === null ? [] : [floatingLine('DTSTART', start)]),
    ...(due === null ? [] : [floatingLine('DUE', due)]),
    ...LINES.recurrence(todo.recurrence),
    ...LINES.completion(todo.completedAt),
    ...LINES.sortOrder(todo.sortOrder),
    'END:VTODO',
    ...CALENDAR_END,
  ]
}

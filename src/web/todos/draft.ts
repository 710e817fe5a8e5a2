import type { TodoChanges, TodoView } from '../../features/tasks/todos/model'
import { type DateForms, readDay, shownDate, shownTime } from '../events/draft'
import { parseTime } from '../time/parse'

/** What the fields of a todo say; the date and the time as they were typed. */
export interface TodoDraft {
  readonly title: string
  readonly dueDate: string
  readonly dueTime: string
  readonly priority: TodoView['priority']
  /** Empty when it does not repeat. */
  readonly recurrence: NonNullable<TodoView['recurrence']> | ''
  readonly listId: number
  readonly category: string
  readonly description: string
}

export const draftOf = (todo: TodoView, { locale }: DateForms): TodoDraft => ({
  title: todo.title,
  dueDate: todo.due_date === null ? '' : shownDate(Temporal.PlainDate.from(todo.due_date), locale),
  dueTime: todo.due_time ?? '',
  priority: todo.priority,
  recurrence: todo.recurrence ?? '',
  listId: todo.list_id,
  category: todo.category ?? '',
  description: todo.description ?? '',
})

/** Fields that can be wrong, and how. */
export type TodoProblems = Partial<Record<'title' | 'dueDate' | 'dueTime', 'missing' | 'unread' | 'dayless'>>

/** What a draft changes of a todo, or what is wrong with it. */
export function readTodoDraft(
  draft: TodoDraft,
  opened: TodoView,
  forms: DateForms,
): { readonly problems: TodoProblems } | { readonly changes: TodoChanges } {
  const due = readDue(draft, forms)
  const problems: TodoProblems = {
    ...(draft.title.trim() === '' && { title: 'missing' }),
    ...('problems' in due && due.problems),
  }
  if ('problems' in due || Object.keys(problems).length > 0) return { problems }
  const wanted = {
    title: draft.title.trim(),
    ...due,
    priority: draft.priority,
    recurrence: draft.recurrence === '' ? null : draft.recurrence,
    list_id: draft.listId,
    category: textOf(draft.category.trim()),
    description: draft.description.trim() === '' ? null : draft.description,
  }
  return { changes: differing(wanted, opened) }
}

const textOf = (text: string) => (text === '' ? null : text)

/** The day and the time of a draft; null for none, and undefined for what cannot be read. */
function readDue({ dueDate, dueTime }: TodoDraft, forms: DateForms) {
  const day = readText(dueDate, (text) => readDay(text, forms))
  const time = readText(dueTime, parseTime)
  if (day === undefined || time === undefined)
    return {
      problems: {
        ...(day === undefined && { dueDate: 'unread' }),
        ...(time === undefined && { dueTime: 'unread' }),
      } satisfies TodoProblems,
    }
  if (time && !day) return { problems: { dueTime: 'dayless' } satisfies TodoProblems }
  return { due_date: day && day.toString(), due_time: time && shownTime(time) }
}

const readText = <T>(text: string, read: (text: string) => T | undefined): T | null | undefined =>
  text.trim() === '' ? null : read(text)

const differing = (wanted: TodoChanges, opened: TodoView): TodoChanges =>
  Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => value !== opened[name as keyof typeof opened]),
  )

import type { TodoView } from '../../features/tasks/todos/model'

export const TODO_VIEWS = ['today', 'upcoming', 'all', 'done'] as const

/** Which todos a page shows, as its address says. */
export interface TodoFilter {
  readonly view: (typeof TODO_VIEWS)[number]
  readonly category: string | undefined
  readonly listId: number | undefined
}

export function readFilter(search: string): TodoFilter {
  const asked = new URLSearchParams(search)
  const listId = Number(asked.get('list') ?? Number.NaN)
  return {
    view: TODO_VIEWS.find((view) => view === asked.get('view')) ?? 'all',
    category: asked.get('category') ?? undefined,
    listId: Number.isSafeInteger(listId) ? listId : undefined,
  }
}

/** The query of an address; empty for all todos. */
export function searchOf({ view, category, listId }: TodoFilter): string {
  const entries = [
    ['view', view === 'all' ? undefined : view],
    ['list', listId === undefined ? undefined : String(listId)],
    ['category', category],
  ].filter((entry): entry is [string, string] => entry[1] !== undefined)
  return new URLSearchParams(entries).toString()
}

interface TodoPage {
  readonly filter: TodoFilter
  readonly today: string
  /** Whether a todo counts as completed, though somebody may have toggled it since the page opened. */
  readonly isDone: (todo: TodoView) => boolean
}

/** The todos of a page: by day where days matter, what is done by when, all others in the order of their user. */
export function shownTodos(
  ordered: readonly TodoView[],
  { filter, today, isDone }: TodoPage,
): readonly TodoView[] {
  const { view, category, listId } = filter
  const inPlace = ordered.filter(
    (todo) =>
      (listId === undefined || todo.list_id === listId) &&
      (category === undefined || todo.category === category),
  )
  const open = inPlace.filter((todo) => !isDone(todo))
  if (view === 'today')
    return open.filter(({ due_date: day }) => day !== null && day <= today).toSorted(byDue)
  if (view === 'upcoming')
    return open.filter(({ due_date: day }) => day !== null && day > today).toSorted(byDue)
  const done = inPlace.filter(isDone).toSorted(byCompletion)
  return view === 'done' ? done : [...open, ...done]
}

const dueOf = ({ due_date: day, due_time: time }: TodoView) => `${day ?? ''} ${time ?? '24'}`
const byDue = (one: TodoView, other: TodoView) => compare(dueOf(one), dueOf(other))
const byCompletion = (one: TodoView, other: TodoView) => completionOf(other) - completionOf(one) || 0

/** When each was completed, in epoch milliseconds, as reading a text costs more than comparing thousands of numbers. */
const completions = new WeakMap<TodoView, number>()

function completionOf(todo: TodoView): number {
  const known = completions.get(todo)
  if (known !== undefined) return known
  const at = todo.completed_at === null ? 0 : Temporal.Instant.from(todo.completed_at).epochMilliseconds
  completions.set(todo, at)
  return at
}

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other))

export const categoriesOf = (todos: readonly TodoView[]): readonly string[] =>
  [...new Set(todos.flatMap(({ category }) => (category === null ? [] : [category])))].toSorted(
    (one, other) => one.localeCompare(other),
  )

/** The day on which a todo that is completed today is open again; weeks begin on Sunday (0) or Monday (1). */
export function backOn(
  { recurrence }: Pick<TodoView, 'recurrence'>,
  today: Temporal.PlainDate,
  firstDay: number,
): Temporal.PlainDate | undefined {
  if (recurrence === 'daily') return today.add({ days: 1 })
  if (recurrence === 'weekly') return today.add({ days: 7 - ((today.dayOfWeek - firstDay + 7) % 7) })
  return recurrence === 'monthly' ? today.with({ day: 1 }).add({ months: 1 }) : undefined
}

import { useDeferredValue, useMemo } from 'react'
import type { EventView } from '../../features/events/events/model'
import type { CalendarView } from '../../features/calendars/calendars/model'
import type { Refusal } from '../api/refusal'
import type { RecordName, RecordOf } from '../store/kinds'
import type { Loading } from '../store/loader'
import {
  useKeys,
  useKnownIds,
  useOccurrences as useStoredOccurrences,
  useRecords,
  useStore,
} from '../store/use-store'

/** What is known of a span of days. */
interface Known<T> {
  readonly items: readonly T[]
  /** Whether some of it has not been read yet. */
  readonly isPartial: boolean
  /** Why the last reading failed; what was read before is still shown. */
  readonly refusal: Refusal | undefined
}

/** A todo or a task on the day on which it is due. */
export interface DueItem {
  readonly key: string
  readonly name: RecordName
  readonly path: string
  readonly title: string
  readonly date: string
  readonly isDone: boolean
}

/** The occurrences in a span of days whose calendars are shown; `to` is exclusive. */
export function useOccurrences(from: Temporal.PlainDate, to: Temporal.PlainDate): Known<EventView> {
  const { items, isPartial, refusal } = useStoredOccurrences(from, to)
  // Its tick answers before hundreds of events are drawn.
  const calendars = useDeferredValue(useRecords('calendar').items)
  // A calendar that was hidden just now is hidden at once; the service leaves its events out from the next reading on.
  const shown = useMemo(() => withoutHidden(items, calendars), [items, calendars])
  return { items: shown, isPartial, refusal }
}

function withoutHidden(
  items: readonly EventView[],
  calendars: readonly CalendarView[],
): readonly EventView[] {
  const hidden = new Set(calendars.flatMap(({ id, is_visible: isVisible }) => (isVisible ? [] : [id])))
  if (hidden.size === 0) return items
  return items.filter(({ calendar_id: id }) => id === null || !hidden.has(id))
}

/** Todos and tasks that are due in a span of days; `to` is exclusive. Those of a deleted list or project go with it at once. */
export function useDue(from: Temporal.PlainDate, to: Temporal.PlainDate): Known<DueItem> {
  const todos = useRecords('todo')
  const tasks = useRecords('task')
  const lists = useKnownIds('todo_list')
  const projects = useKnownIds('project')
  const [todoKey, taskKey] = [useKeys('todo'), useKeys('task')]
  const [first, end] = [from.toString(), to.toString()]
  const items = useMemo(
    () =>
      [
        ...todos.items
          .filter(({ list_id: id }) => isThere(lists, id))
          .map((todo) => keptDue(todo, () => dueTodo(todo, todoKey(todo.id)))),
        ...tasks.items
          .filter(({ project_id: id }) => isThere(projects, id))
          .map((task) => keptDue(task, () => dueTask(task, taskKey(task.id)))),
      ].filter(({ date }) => first <= date && date < end),
    [todos.items, tasks.items, lists, projects, todoKey, taskKey, first, end],
  )
  const loadings = [todos.loading, tasks.loading]
  return {
    items,
    isPartial: loadings.some(({ is }) => is !== 'loaded'),
    refusal: loadings.map(refusalIn).find((refusal) => refusal !== undefined),
  }
}

/** What the service has not named yet, as the list that a new todo goes to, is there. */
const isThere = (ids: ReadonlySet<number> | undefined, id: number): boolean =>
  ids === undefined || id <= 0 || ids.has(id)

const refusalIn = (loading: Loading) => (loading.is === 'refused' ? loading.refusal : undefined)

/** One for each record, so that what did not change is not drawn anew. */
const kept = new WeakMap<object, DueItem>()

function keptDue(record: object, make: () => DueItem): DueItem {
  const due = kept.get(record) ?? make()
  kept.set(record, due)
  return due
}

const dueTodo = ({ id, title, due_date: date, completed }: RecordOf<'todo'>, key: string): DueItem => ({
  key: `todo ${key}`,
  name: { kind: 'todo', id },
  path: `todos/${id}`,
  title,
  date: date ?? '',
  isDone: completed,
})

const dueTask = (task: RecordOf<'task'>, key: string): DueItem => ({
  key: `task ${key}`,
  name: { kind: 'task', id: task.id },
  path: `projects/${task.project_id}/tasks/${task.id}`,
  title: task.title,
  date: task.due_date ?? '',
  isDone: task.status === 'completed',
})

/** Returns a function that reads again what could not be read. */
export function useRereading(): () => void {
  const { windows, loader } = useStore()
  return () => {
    windows.refresh()
    loader.retry()
  }
}

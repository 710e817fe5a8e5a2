import type { NewTodoList, TodoListChanges, TodoListView } from '../../features/tasks/todo-lists/model'
import type { TodoChanges, TodosPage, TodoView } from '../../features/tasks/todos/model'
import { call, pathOf, queryOf } from '../api/call'
import type { ListPage } from '../api/use-pages'
import { change, creation, deletion, type Intent, localId } from '../store/commands'
import { rankBetween } from '../store/ranks'
import { MOST_ON_A_PAGE } from '../store/use-whole-order'
import { now } from '../time/now'

const todoName = ({ id }: TodoView) => ({ kind: 'todo' as const, id })

/** Completes a todo or opens it again; `back` is when one that repeats is open again. */
export const toggling = (todo: TodoView, back: Temporal.Instant | undefined, said: string): Intent => ({
  said,
  apply: [
    { ...todoName(todo), is: 'patch', fields: { completed: !todo.completed } },
    {
      ...todoName(todo),
      is: 'patch',
      fields: todo.completed
        ? { completed_at: null, reset_at: null, next_due_date: null }
        : { completed_at: now().toString(), reset_at: back?.toString() ?? null },
    },
  ],
  request: { method: 'POST', path: pathOf`todos/${todo.id}/toggle` },
  guard: todoName(todo),
})

export const changingTodo = (opened: TodoView, fields: TodoChanges, said: string): Intent =>
  change(todoName(opened), pathOf`todos/${opened.id}`, fields, { said, opened })

export const deletingTodo = (todo: TodoView, said: string): Intent =>
  deletion(todoName(todo), pathOf`todos/${todo.id}`, { said })

/** A todo and the neighbour above or below which it comes to stand; without one it comes last. */
export interface TodoMove {
  readonly todo: TodoView
  readonly above?: TodoView | undefined
  readonly below?: TodoView | undefined
  readonly said: string
}

/** The whole order after a move; undefined when the todo is not in it. */
export function movedOrder(
  ids: readonly number[],
  { todo, above, below }: TodoMove,
): readonly number[] | undefined {
  if (!ids.includes(todo.id)) return undefined
  const others = ids.filter((id) => id !== todo.id)
  const afterAbove = above === undefined ? -1 : others.indexOf(above.id)
  const atBelow = below === undefined ? -1 : others.indexOf(below.id)
  const last = atBelow < 0 ? others.length : atBelow
  return others.toSpliced(afterAbove < 0 ? last : afterAbove + 1, 0, todo.id)
}

/** Puts the todos into an order, in which one has moved. */
export function ordering(
  { todo, said }: TodoMove,
  ids: readonly number[],
  ordered: readonly TodoView[],
): Intent {
  const ranks = new Map(ordered.map(({ id, rank }) => [id, rank]))
  const at = ids.indexOf(todo.id)
  const rank = rankBetween(ranks.get(ids[at - 1] ?? 0), ranks.get(ids[at + 1] ?? 0))
  return {
    said,
    apply: [{ ...todoName(todo), is: 'patch', fields: { rank } }],
    request: { method: 'PUT', path: 'todos/reorder', body: { todo_ids: ids }, answers: null },
    lane: 'todos/reorder',
  }
}

/** Reads a page of the order as the service has it. */
export async function readOrder(cursor: string | undefined): Promise<ListPage<TodoView>> {
  const { body } = await call<TodosPage>('GET', `todos${queryOf({ limit: MOST_ON_A_PAGE, cursor })}`)
  return { items: body.todos, next: body.next_cursor }
}

const listName = ({ id }: TodoListView) => ({ kind: 'todo_list' as const, id })

export function creatingList(
  body: NewTodoList & { color: string },
  lists: readonly TodoListView[],
  said: string,
) {
  const at = now().toString()
  const last = lists.at(-1)
  const item: TodoListView = {
    is_default: false,
    ...body,
    id: localId(),
    position: lists.length + 1,
    rank: rankBetween(last?.rank, undefined),
    version: 0,
    created_at: at,
    updated_at: at,
  }
  return creation({ kind: 'todo_list', item }, 'todo-lists', { ...body }, { said })
}

export const changingList = (opened: TodoListView, fields: TodoListChanges, said: string): Intent =>
  change(listName(opened), pathOf`todo-lists/${opened.id}`, fields, { said, opened })

/** Makes a list the default one, which takes the place of the other. */
export const preferringList = (list: TodoListView, lists: readonly TodoListView[], said: string): Intent => ({
  said,
  apply: [
    { ...listName(list), is: 'patch', fields: { is_default: true } },
    ...lists
      .filter(({ is_default: isDefault }) => isDefault)
      .map((other) => ({ ...listName(other), is: 'patch' as const, fields: { is_default: false } })),
  ],
  request: { method: 'PUT', path: pathOf`todo-lists/${list.id}`, body: { is_default: true } },
  guard: listName(list),
})

/** Deletes a list with its todos. */
export const deletingList = (list: TodoListView, said: string): Intent =>
  deletion(listName(list), pathOf`todo-lists/${list.id}`, { said })

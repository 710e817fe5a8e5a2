import { sql } from 'drizzle-orm'
import type { Actor } from './harness'
import { make } from './records'

/** As the `listId` of todos that a test writes into the table: a trigger puts them into the default list of their user. */
export const IN_DEFAULT_LIST = sql<number>`null`

export const TODO_LISTS = '/api/todo-lists'

export interface TodoList {
  readonly id: number
  readonly name: string
  readonly is_default: boolean
  readonly position: number
  readonly version: number
}

type Asker = Pick<Actor, 'request'>

export const listsOf = async (actor: Asker, query = ''): Promise<TodoList[]> =>
  (await actor.request('GET', `${TODO_LISTS}${query}`)).body.todo_lists

export async function defaultOf(actor: Asker): Promise<TodoList> {
  const [found, ...others] = (await listsOf(actor)).filter(({ is_default }) => is_default)
  if (!found || others.length > 0) throw new Error('there is not exactly one default list')
  return found
}

let serial = 0
export const createList = (actor: Asker, fields: Readonly<Record<string, unknown>> = {}): Promise<TodoList> =>
  make(actor, TODO_LISTS, { name: `List ${++serial}`, ...fields })

/** Titles and lists of the todos, in their order. */
export const placesOf = async (actor: Asker, query = '?limit=200') =>
  (await actor.request('GET', `/api/todos${query}`)).body.todos.map(
    ({ title, list_id }: { title: string; list_id: number }) => [title, list_id],
  )

import { useMemo } from 'react'
import type { TodoListView } from '../../features/tasks/todo-lists/model'
import type { TodoView } from '../../features/tasks/todos/model'
import type { Loading } from '../store/loader'
import { inOrder } from '../store/ranks'
import { useRecords, useStore } from '../store/use-store'

/** The lists of todos in their order, as far as they are read. */
export function useTodoLists(): { readonly lists: readonly TodoListView[]; readonly loading: Loading } {
  const { items, loading } = useRecords('todo_list')
  const lists = useMemo(() => inOrder(items), [items])
  return { lists, loading }
}

/** All todos in the order of their user. Those of a list whose deletion is on its way go with it at once. */
export function useTodos(): { readonly todos: readonly TodoView[]; readonly loading: Loading } {
  const { items, loading } = useRecords('todo')
  const { items: lists } = useRecords('todo_list')
  const { records } = useStore()
  const todos = useMemo(() => {
    const shown = new Set(lists.map(({ id }) => id))
    const isGoing = (id: number) => !shown.has(id) && records.said({ kind: 'todo_list', id }) !== undefined
    return inOrder(items.filter(({ list_id: id }) => !isGoing(id)))
  }, [items, lists, records])
  return { todos, loading }
}

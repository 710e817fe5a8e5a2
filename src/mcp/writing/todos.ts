import { NewTodo, TodoChanges } from '../../features/tasks/todos/model'
import { changeTodo, createTodo, deleteTodo, readTodo } from '../../features/tasks/todos/service'
import { todoItem } from '../items/views'
import { kindOfRecord, NO_FIELDS } from './kinds'

/** Todos; completing one is a change. */
export const todoRecords = kindOfRecord({
  area: 'tasks',
  newFields: NewTodo,
  changedFields: TodoChanges,
  deletedFields: NO_FIELDS,
  create: async ({ deps, session }, fields) => todoItem(await createTodo(deps, session, fields)),
  change: async ({ deps, session }, aim, changes) => todoItem(await changeTodo(deps, session, aim, changes)),
  remove: ({ deps, session }, aim) => deleteTodo(deps, session, aim),
  read: async ({ deps, session }, id) => todoItem(await readTodo(deps, session.userId, id)),
})

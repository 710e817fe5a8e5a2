import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { MAX_ID } from '../../../lib/wire/id'
import { historyPage, pageQuery } from '../../../lib/wire/page'
import {
  day,
  line,
  listPosition,
  optionalNullable,
  paragraphs,
  queryFlag,
  queryInteger,
  rank,
  timeOfDay,
} from '../../../lib/wire/schema'

/** Shared by todos and tasks. */
export const priority = (options = {}) =>
  t.Union([t.Literal('none'), t.Literal('low'), t.Literal('medium'), t.Literal('high')], options)
const recurrence = () => t.Union([t.Literal('daily'), t.Literal('weekly'), t.Literal('monthly')])

export const TodoView = t.Object(
  {
    id: Type.Integer(),
    list_id: Type.Integer(),
    title: t.String(),
    description: t.Nullable(t.String()),
    priority: priority(),
    due_date: t.Nullable(t.String({ format: 'date' })),
    due_time: t.Nullable(t.String({ description: '`HH:MM`; only with a `due_date`.' })),
    category: t.Nullable(t.String()),
    completed: t.Boolean(),
    completed_at: t.Nullable(t.String({ format: 'date-time' })),
    recurrence: t.Nullable(recurrence()),
    recurrence_unsupported: t.Boolean({
      description:
        'Whether another program repeats it in a way that `recurrence` cannot say; only there can its time and rule be changed.',
    }),
    reset_at: t.Nullable(
      t.String({ format: 'date-time', description: 'When a completed recurring todo reopens.' }),
    ),
    next_due_date: t.Nullable(t.String({ format: 'date', description: 'Its due date after reopening.' })),
    position: Type.Integer({ description: 'From 1, among all todos of the user.' }),
    rank: rank(),
    version: Type.Integer({
      description:
        'Increases with every change, but not when others move past it, unless it makes room for them in other programs; for `If-Match`.',
    }),
    created_at: t.String({ format: 'date-time' }),
    updated_at: t.String({ format: 'date-time' }),
  },
  { title: 'Todo' },
)
export type TodoView = typeof TodoView.static

const fields = {
  list_id: Type.Optional(
    Type.Integer({ description: 'A list of the caller; by default their default list.' }),
  ),
  description: optionalNullable(paragraphs({ min: 0, max: 10_000 })),
  priority: t.Optional(priority()),
  due_date: optionalNullable(day()),
  due_time: optionalNullable(timeOfDay()),
  category: optionalNullable(line({ min: 0, max: 50 })),
  completed: Type.Optional(Type.Boolean()),
  recurrence: optionalNullable(recurrence()),
  position: listPosition(),
}

export const NewTodo = t.Object({ title: line({ max: 200 }), ...fields })
export type NewTodo = typeof NewTodo.static

export const TodoChanges = t.Object({
  title: t.Optional(line({ max: 200 })),
  ...fields,
  list_id: Type.Optional(Type.Integer({ description: 'Moves the todo to another list of the caller.' })),
})
export type TodoChanges = typeof TodoChanges.static

export const TodoOrder = t.Object({
  todo_ids: t.Array(Type.Integer(), { description: 'All todos of the caller, in their new order.' }),
})

export const TodosQuery = t.Object({
  list_id: t.Optional(queryInteger(1, MAX_ID, 'Only of this list.')),
  completed: t.Optional(queryFlag('Only completed todos, or only open ones.')),
  priority: t.Optional(priority()),
  category: t.Optional(line({ min: 0, max: 50, description: 'Exactly this category.' })),
  due_from: t.Optional(day()),
  due_to: t.Optional(day()),
  q: t.Optional(
    line({
      max: 200,
      description: 'Text contained in the title or description; literal, regardless of case.',
    }),
  ),
  sort: t.Optional(
    t.Union([t.Literal('position'), t.Literal('due_date'), t.Literal('priority'), t.Literal('created_at')], {
      description:
        '`position` by default. `due_date` puts todos without one last, `priority` sorts the highest first, `created_at` the oldest first.',
    }),
  ),
  ...pageQuery,
})
export type TodosQuery = typeof TodosQuery.static

export const TodosPage = t.Object({ todos: t.Array(TodoView), next_cursor: t.Nullable(t.String()) })
export type TodosPage = typeof TodosPage.static

export const TodoHistory = historyPage(TodoView)
export type TodoHistory = typeof TodoHistory.static

export const TodosView = t.Object({ todos: t.Array(TodoView) })

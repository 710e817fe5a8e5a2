import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { historyPage, pageQuery } from '../../../lib/wire/page'
import { color, line, listPosition, rank } from '../../../lib/wire/schema'

const name = () => line({ max: 100, description: 'Unique among the lists of the caller.' })

export const TodoListView = t.Object(
  {
    id: Type.Integer(),
    name: t.String(),
    color: t.String({ description: '#rrggbb' }),
    is_default: t.Boolean({
      description: 'Receives new todos without `list_id`; every user has one default list.',
    }),
    position: Type.Integer({ description: 'Among the lists of the caller, from 1.' }),
    rank: rank(),
    version: Type.Integer({
      description: 'Increases with every change, but not when others move past it; for `If-Match`.',
    }),
    created_at: t.String({ format: 'date-time' }),
    updated_at: t.String({ format: 'date-time' }),
  },
  { title: 'TodoList' },
)
export type TodoListView = typeof TodoListView.static

export const TodoListsQuery = t.Object(pageQuery)
export type TodoListsQuery = typeof TodoListsQuery.static

export const TodoListsPage = t.Object({
  todo_lists: t.Array(TodoListView),
  next_cursor: t.Nullable(t.String()),
})
export type TodoListsPage = typeof TodoListsPage.static

export const TodoListHistory = historyPage(TodoListView)
export type TodoListHistory = typeof TodoListHistory.static

export const NewTodoList = t.Object({
  name: name(),
  color: Type.Optional(color()),
  is_default: Type.Optional(Type.Boolean()),
  position: listPosition(),
})
export type NewTodoList = typeof NewTodoList.static

export const TodoListChanges = t.Object({
  name: t.Optional(name()),
  color: Type.Optional(color()),
  is_default: Type.Optional(Type.Boolean({ description: 'True makes this the default list.' })),
  position: listPosition(),
})
export type TodoListChanges = typeof TodoListChanges.static

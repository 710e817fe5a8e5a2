import { Elysia, t } from 'elysia'
import type { Deps } from '../../../deps'
import { ErrorBody } from '../../../http/errors'
import type { Again } from '../../../http/admission'
import type { SessionGuard } from '../../../http/session-guard'
import { expectedVersions, IfMatch, tagged } from '../../../http/versions'
import { readId } from '../../../lib/wire/id'
import { HistoryQuery } from '../../../lib/wire/page'
import { pathId } from '../../../lib/wire/schema'
import type { Target } from '../../../lib/wire/versions'
import {
  NewTodo,
  TodoChanges,
  TodoHistory,
  TodoOrder,
  TodosPage,
  TodosQuery,
  TodosView,
  TodoView,
} from './model'
import * as todos from './service'

const params = t.Object({ id: pathId('Of the todo.') })
const readTarget = (id: string, headers: typeof IfMatch.static): Target => ({
  id: readId(id, 'Todo'),
  expected: expectedVersions(headers),
})

export const todoRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'todos.routes', prefix: '/api/todos', tags: ['Todos'] })
    .use(guard)
    .get('', ({ session, query }) => todos.listTodos(deps, session.userId, query), {
      session: { scope: 'tasks:read' },
      query: TodosQuery,
      response: { 200: TodosPage, 404: ErrorBody },
      detail: {
        operationId: 'listTodos',
        summary: 'List the todos',
        description:
          'Completed recurring todos reopen once their `reset_at` has passed. 404 for the `list_id` of no list of the caller.',
      },
    })
    .post(
      '',
      async ({ session, body, set, status }) =>
        status(201, tagged(set, await todos.createTodo(deps, session, body))),
      {
        session: { scope: 'tasks:write', settings: true },
        body: NewTodo,
        response: { 201: TodoView, 404: ErrorBody, 409: ErrorBody },
        detail: {
          operationId: 'createTodo',
          summary: 'Create a todo',
          description:
            'Adds it at the end unless a `position` is given, and to the default list unless a `list_id` is.',
        },
      },
    )
    .put(
      '/reorder',
      async ({ session, body }) => ({ todos: await todos.reorderTodos(deps, session, body.todo_ids) }),
      {
        session: {
          scope: 'tasks:write',
          readAgain: async ({ session }: Again) => ({ todos: await todos.listInOrder(deps, session.userId) }),
        },
        body: TodoOrder,
        response: { 200: TodosView, 409: ErrorBody },
        detail: { operationId: 'reorderTodos', summary: 'Put the todos into a new order' },
      },
    )
    .get(
      '/:id',
      async ({ session, params: { id }, set }) =>
        tagged(set, await todos.readTodo(deps, session.userId, readId(id, 'Todo'))),
      {
        session: { scope: 'tasks:read' },
        params,
        response: { 200: TodoView, 404: ErrorBody },
        detail: { operationId: 'getTodo', summary: 'Read a todo' },
      },
    )
    .get(
      '/:id/history',
      ({ session, params: { id }, query }) =>
        todos.listTodoVersions(deps, session, readId(id, 'Todo'), query),
      {
        session: { scope: 'tasks:read' },
        params,
        query: HistoryQuery,
        response: { 200: TodoHistory, 404: ErrorBody },
        detail: {
          operationId: 'listTodoVersions',
          summary: 'List the versions of a todo',
          description:
            'Newest first, with the record as it was. Former versions are kept for 30 days or as `HISTORY_DAYS` says. The `position` is that of now.',
        },
      },
    )
    .put(
      '/:id',
      async ({ session, params: { id }, headers, body, set }) =>
        tagged(set, await todos.changeTodo(deps, session, readTarget(id, headers), body)),
      {
        session: { scope: 'tasks:write', settings: true },
        params,
        headers: IfMatch,
        body: TodoChanges,
        response: { 200: TodoView, 404: ErrorBody, 409: ErrorBody, 412: ErrorBody },
        detail: {
          operationId: 'changeTodo',
          summary: 'Change a todo',
          description:
            'Changes the given fields. Clearing `due_date` clears `due_time`. For a completed todo, a new `recurrence` or `due_date` recalculates when it reopens. A `list_id` moves it to that list, where it keeps its place among all todos.',
        },
      },
    )
    .delete(
      '/:id',
      async ({ session, params: { id }, headers, status }) => {
        await todos.deleteTodo(deps, session, readTarget(id, headers))
        return status(204, undefined)
      },
      {
        session: { scope: 'tasks:write' },
        params,
        headers: IfMatch,
        response: { 204: t.Void(), 404: ErrorBody, 412: ErrorBody },
        detail: { operationId: 'deleteTodo', summary: 'Delete a todo' },
      },
    )
    .post(
      '/:id/toggle',
      async ({ session, params: { id }, headers, set }) =>
        tagged(set, await todos.toggleTodo(deps, session, readTarget(id, headers))),
      {
        session: { scope: 'tasks:write', settings: true },
        params,
        headers: IfMatch,
        response: { 200: TodoView, 404: ErrorBody, 409: ErrorBody, 412: ErrorBody },
        detail: {
          operationId: 'toggleTodo',
          summary: 'Complete or reopen a todo',
          description: 'A completed recurring todo reopens by itself at `reset_at`.',
        },
      },
    )

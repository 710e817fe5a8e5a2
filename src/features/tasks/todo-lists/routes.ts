import { Elysia, t } from 'elysia'
import type { Deps } from '../../../deps'
import { ErrorBody } from '../../../http/errors'
import type { SessionGuard } from '../../../http/session-guard'
import { expectedVersions, IfMatch, tagged } from '../../../http/versions'
import { readId } from '../../../lib/wire/id'
import { HistoryQuery } from '../../../lib/wire/page'
import { pathId } from '../../../lib/wire/schema'
import type { Target } from '../../../lib/wire/versions'
import {
  NewTodoList,
  TodoListChanges,
  TodoListHistory,
  TodoListsPage,
  TodoListsQuery,
  TodoListView,
} from './model'
import * as lists from './service'

const params = t.Object({ id: pathId('Of the list.') })
const readTarget = (id: string, headers: typeof IfMatch.static): Target => ({
  id: readId(id, 'Todo list'),
  expected: expectedVersions(headers),
})

export const todoListRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'todo-lists.routes', prefix: '/api/todo-lists', tags: ['Todos'] })
    .use(guard)
    .get('', ({ session, query }) => lists.listTodoLists(deps, session.userId, query), {
      session: { scope: 'tasks:read' },
      query: TodoListsQuery,
      response: { 200: TodoListsPage },
      detail: {
        operationId: 'listTodoLists',
        summary: 'List the lists of todos',
        description:
          'By position. Every user has at least one, their default list, which is `Todos` at first.',
      },
    })
    .post(
      '',
      async ({ session, body, set, status }) =>
        status(201, tagged(set, await lists.createTodoList(deps, session, body))),
      {
        session: { scope: 'tasks:write' },
        body: NewTodoList,
        response: { 201: TodoListView, 409: ErrorBody },
        detail: {
          operationId: 'createTodoList',
          summary: 'Create a list of todos',
          description: 'Adds it at the end unless a `position` is given.',
        },
      },
    )
    .get(
      '/:id',
      async ({ session, params: { id }, set }) =>
        tagged(set, await lists.readTodoList(deps, session.userId, readId(id, 'Todo list'))),
      {
        session: { scope: 'tasks:read' },
        params,
        response: { 200: TodoListView, 404: ErrorBody },
        detail: { operationId: 'getTodoList', summary: 'Read a list of todos' },
      },
    )
    .get(
      '/:id/history',
      ({ session, params: { id }, query }) =>
        lists.listTodoListVersions(deps, session, readId(id, 'Todo list'), query),
      {
        session: { scope: 'tasks:read' },
        params,
        query: HistoryQuery,
        response: { 200: TodoListHistory, 404: ErrorBody },
        detail: {
          operationId: 'listTodoListVersions',
          summary: 'List the versions of a list of todos',
          description:
            'Newest first, with the record as it was. Former versions are kept for 30 days or as `HISTORY_DAYS` says. The `position` is that of now.',
        },
      },
    )
    .put(
      '/:id',
      async ({ session, params: { id }, headers, body, set }) =>
        tagged(set, await lists.changeTodoList(deps, session, readTarget(id, headers), body)),
      {
        session: { scope: 'tasks:write' },
        params,
        headers: IfMatch,
        body: TodoListChanges,
        response: { 200: TodoListView, 404: ErrorBody, 409: ErrorBody, 412: ErrorBody },
        detail: {
          operationId: 'changeTodoList',
          summary: 'Change a list of todos',
          description:
            'Changes the given fields; a `position` moves the list there. `is_default: true` takes the place of the default list.',
        },
      },
    )
    .delete(
      '/:id',
      async ({ session, params: { id }, headers, status }) => {
        await lists.deleteTodoList(deps, session, readTarget(id, headers))
        return status(204, undefined)
      },
      {
        session: { scope: 'tasks:write' },
        params,
        headers: IfMatch,
        response: { 204: t.Void(), 404: ErrorBody, 409: ErrorBody, 412: ErrorBody },
        detail: {
          operationId: 'deleteTodoList',
          summary: 'Delete a list of todos',
          description: 'Deletes it with all its todos. The default list cannot be deleted.',
        },
      },
    )

import { Elysia } from 'elysia'
import type { Deps } from '../../../deps'
import { ErrorBody } from '../../../http/errors'
import type { SessionGuard } from '../../../http/session-guard'
import { readId } from '../../../lib/wire/id'
import { SessionsView, UserDetail, UserPath, UsersPage, UsersQuery } from './model'
import * as directory from './service'

const idOf = (given: { readonly id: string }) => readId(given.id, 'User')

export const userDirectoryRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'user-directory.routes', prefix: '/api/admin/users', tags: ['Administration'] })
    .use(guard)
    .get('', ({ query }) => directory.listUsers(deps, query), {
      session: { role: 'admin' },
      query: UsersQuery,
      response: { 200: UsersPage },
      detail: { operationId: 'listUsers', summary: 'List the users', description: 'By id.' },
    })
    .get('/:id', ({ params }) => directory.describeUser(deps, idOf(params)), {
      session: { role: 'admin' },
      params: UserPath,
      response: { 200: UserDetail, 404: ErrorBody },
      detail: {
        operationId: 'getUser',
        summary: 'Read a user',
        description: 'With the number of their live sessions.',
      },
    })
    .get(
      '/:id/sessions',
      async ({ params, session }) => ({
        sessions: await directory.listUserSessions(deps, idOf(params), session.id),
      }),
      {
        session: { role: 'admin' },
        params: UserPath,
        response: { 200: SessionsView, 404: ErrorBody },
        detail: {
          operationId: 'listUserSessions',
          summary: 'List where a user is signed in',
          description: 'The most recently seen session first.',
        },
      },
    )

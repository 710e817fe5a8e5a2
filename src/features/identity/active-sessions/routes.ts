import { Elysia, t } from 'elysia'
import type { Deps } from '../../../deps'
import { ErrorBody } from '../../../http/errors'
import { requestOrigin } from '../../../http/origin'
import { type SessionGuard, SIGNED_IN } from '../../../http/session-guard'
import { pathName } from '../../../lib/wire/schema'
import { EndedView, EndOthersBody, SessionsView } from './model'
import * as activeSessions from './service'

export const activeSessionRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'active-sessions.routes', prefix: '/api/auth/sessions', tags: ['Sessions'] })
    .use(guard)
    .get(
      '',
      async ({ session }) => ({
        sessions: await activeSessions.listSessions(deps, session.userId, session.id),
      }),
      {
        session: SIGNED_IN,
        response: { 200: SessionsView },
        detail: {
          operationId: 'listSessions',
          summary: 'List the sessions that live',
          description: 'Those of the caller, the one seen last first.',
        },
      },
    )
    .delete(
      '',
      ({ body, session, request }) =>
        activeSessions.endOthers(deps, session, body, requestOrigin(deps, request).ip),
      {
        session: SIGNED_IN,
        body: EndOthersBody,
        response: { 200: EndedView },
        detail: {
          operationId: 'revokeOtherSessions',
          summary: 'End all other sessions',
          description:
            'With `everything` also the feeds of all calendars: nobody else reads or does anything for the user then. The body may be left out.',
        },
      },
    )
    .delete(
      '/:id',
      async ({ session, params, request, status }) => {
        await activeSessions.revokeSession(deps, session, params.id, requestOrigin(deps, request).ip)
        return status(204, undefined)
      },
      {
        session: SIGNED_IN,
        params: t.Object({ id: pathName('As the list says.') }),
        response: { 204: t.Void(), 400: ErrorBody, 404: ErrorBody },
        detail: {
          operationId: 'revokeSession',
          summary: 'End another session',
          description: 'The one that asks ends by signing out.',
        },
      },
    )

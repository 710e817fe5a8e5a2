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
          summary: 'List the live sessions',
          description: 'The sessions of the caller, the most recently seen first.',
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
            'With `everything` also ends the feeds of all calendars and revokes all access tokens, so that no other client has access any more. The body may be omitted.',
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
        params: t.Object({ id: pathName('The `id` from the list of sessions.') }),
        response: { 204: t.Void(), 400: ErrorBody, 404: ErrorBody },
        detail: {
          operationId: 'revokeSession',
          summary: 'End another session',
          description: 'To end the session of the request, sign out.',
        },
      },
    )

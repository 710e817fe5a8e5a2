import { Elysia, t } from 'elysia'
import type { Deps } from '../../../deps'
import { ErrorBody } from '../../../http/errors'
import type { SessionGuard } from '../../../http/session-guard'
import { readId } from '../../../lib/wire/id'
import { pathId } from '../../../lib/wire/schema'
import { disconnect } from './service'

export const disconnectionRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'disconnection.routes', prefix: '/api/connections', tags: ['Connections'] })
    .use(guard)
    .delete(
      '/:id',
      async ({ session, params, status }) => {
        await disconnect(deps, session, readId(params.id, 'Connection'))
        return status(204, undefined)
      },
      {
        session: { scope: 'people:write' },
        params: t.Object({ id: pathId('The connection.') }),
        response: { 204: t.Void(), 404: ErrorBody },
        detail: {
          operationId: 'disconnect',
          summary: 'End a connection',
          description:
            'Ends it on both sides, together with shared calendars and event invitations between the two. Person records stay, but lose the link. The other user is not notified.',
        },
      },
    )

import { Elysia, t } from 'elysia'
import type { Deps } from '../../../deps'
import { ErrorBody } from '../../../http/errors'
import type { SessionGuard } from '../../../http/session-guard'
import { readId } from '../../../lib/wire/id'
import { pathId } from '../../../lib/wire/schema'
import { ConnectionSharingChanges, ConnectionSharingView, ConnectionsPage, ConnectionsQuery } from './model'
import * as connections from './service'

const ConnectionPath = t.Object({ id: pathId('The connection.') })
const idOf = (params: { id: string }) => readId(params.id, 'Connection')

export const connectionRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'connections.routes', prefix: '/api/connections', tags: ['Connections'] })
    .use(guard)
    .get('', ({ query, session }) => connections.listConnections(deps, session.userId, query), {
      session: { scope: 'people:read' },
      query: ConnectionsQuery,
      response: { 200: ConnectionsPage },
      detail: {
        operationId: 'listConnections',
        summary: 'List the connections',
        description: 'By network name, each with what the other user currently shares.',
      },
    })
    .get(
      '/:id/sharing',
      ({ session, params }) => connections.readSharing(deps, session.userId, idOf(params)),
      {
        session: { scope: 'people:read' },
        params: ConnectionPath,
        response: { 200: ConnectionSharingView, 404: ErrorBody },
        detail: { operationId: 'getConnectionSharing', summary: 'Read what a connected user is shown' },
      },
    )
    .put(
      '/:id/sharing',
      ({ body, session, params }) => connections.changeSharing(deps, session, idOf(params), body),
      {
        session: { scope: 'people:write' },
        params: ConnectionPath,
        body: ConnectionSharingChanges,
        response: { 200: ConnectionSharingView, 404: ErrorBody },
        detail: {
          operationId: 'changeConnectionSharing',
          summary: 'Change what a connected user is shown',
          description:
            'Changes the given fields, with immediate effect: true shows a field, false hides it, null follows the settings.',
        },
      },
    )

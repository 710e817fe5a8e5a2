import { Elysia, t } from 'elysia'
import type { Deps } from '../../../deps'
import { ErrorBody } from '../../../http/errors'
import { requestOrigin } from '../../../http/origin'
import type { Again } from '../../../http/admission'
import type { SessionGuard } from '../../../http/session-guard'
import { readId } from '../../../lib/wire/id'
import { pathId } from '../../../lib/wire/schema'
import {
  AcceptedView,
  NewRequestBody,
  RequestsPage,
  RequestsQuery,
  RequestView,
  SearchBody,
  SearchView,
} from './model'
import * as requests from './service'

/** What a sender can find out about a rejection. */
const REJECTION =
  'To its sender, a rejected request still looks pending: it counts towards their 20, it can be cancelled, and it keeps showing the names that the other user had at that moment. One thing reveals the rejection: sending another request replaces it with a 201, whereas a pending one leads to a 409. While the other user accepts no connections, both lead to a 409.'

const RequestPath = t.Object({ id: pathId('The connection request.') })
const idOf = (params: { id: string }) => readId(params.id, 'Connection request')

/** The options of a route that answers a request. */
const changing = (deps: Deps) => ({
  scope: 'people:write' as const,
  readAgain: async ({ session, item }: Again) =>
    (await requests.pageRequestsById(deps, session.userId, { ids: [item] }))[0],
})

export const connectionRequestRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'connection-requests.routes', prefix: '/api/connections', tags: ['Connections'] })
    .use(guard)
    .post('/search', ({ body, session }) => requests.search(deps, session.userId, body.network_name), {
      session: { scope: 'people:read', reads: true },
      body: SearchBody,
      response: { 200: SearchView },
      detail: {
        operationId: 'searchUser',
        summary: 'Look for a user by their network name',
        description: 'Finds only users who accept connections, and only by their complete name.',
      },
    })
    .post(
      '/requests',
      async ({ body, session, status }) => status(201, await requests.sendRequest(deps, session, body)),
      {
        session: changing(deps),
        body: NewRequestBody,
        response: { 201: RequestView, 404: ErrorBody, 409: ErrorBody, 429: ErrorBody },
        detail: {
          operationId: 'sendConnectionRequest',
          summary: 'Ask a user to connect',
          description: REJECTION,
        },
      },
    )
    .get('/requests', ({ query, session }) => requests.listRequests(deps, session.userId, query), {
      session: { scope: 'people:read' },
      query: RequestsQuery,
      response: { 200: RequestsPage },
      detail: {
        operationId: 'listConnectionRequests',
        summary: 'List the connection requests',
        description: `Sent and received requests, newest first. A receiver does not see cancelled ones. ${REJECTION}`,
      },
    })
    .put(
      '/requests/:id/accept',
      ({ session, params }) => requests.acceptRequest(deps, session, idOf(params)),
      {
        session: {
          scope: 'people:write',
          readAgain: ({ session, params: { id = '' } }: Again) =>
            requests.readAccepted(deps, session.userId, idOf({ id })),
        },
        params: RequestPath,
        response: { 200: AcceptedView, 404: ErrorBody, 409: ErrorBody },
        detail: {
          operationId: 'acceptConnectionRequest',
          summary: 'Accept a connection request',
          description:
            'Connects the two, and creates a person record on each side. It does not link existing people, because an e-mail address proves nothing, but lists them as `link_candidates`.',
        },
      },
    )
    .put(
      '/requests/:id/reject',
      ({ session, params }) => requests.rejectRequest(deps, session, idOf(params)),
      {
        session: changing(deps),
        params: RequestPath,
        response: { 200: RequestView, 404: ErrorBody, 409: ErrorBody },
        detail: {
          operationId: 'rejectConnectionRequest',
          summary: 'Reject a connection request',
          description: `The sender is not notified. ${REJECTION}`,
        },
      },
    )
    .put(
      '/requests/:id/cancel',
      ({ session, params, request }) => {
        const { ip } = requestOrigin(deps, request)
        return requests.cancelRequest(deps, { session, ip }, idOf(params))
      },
      {
        session: changing(deps),
        params: RequestPath,
        response: { 200: RequestView, 404: ErrorBody, 409: ErrorBody },
        detail: {
          operationId: 'cancelConnectionRequest',
          summary: 'Cancel a connection request',
          description:
            "Removes the request from the receiver's list, together with its notification. A rejected request can be cancelled in the same way.",
        },
      },
    )

import { Elysia } from 'elysia'
import type { Deps } from '../../../deps'
import { noteShortAnswer } from '../../../http/request-context'
import type { SessionGuard } from '../../../http/session-guard'
import { EventStream, StreamHeaders, StreamQuery } from './model'
import { streamsOf } from './service'

export const liveRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'live.routes', prefix: '/api/changes', tags: ['Changes'] }).use(guard).get(
    '/stream',
    async ({ session, query, headers, request }) => {
      const since = headers['last-event-id'] || query.since
      const body = await streamsOf(deps).open(session, since)
      // It is no answer that ends, so it counts neither in its user's line nor against a deadline.
      noteShortAnswer(request)
      return new Response(body, {
        headers: {
          'content-type': 'text/event-stream',
          'cache-control': 'no-store',
          'x-accel-buffering': 'no',
        },
      })
    },
    {
      session: { scope: 'overview:read' },
      query: StreamQuery,
      headers: StreamHeaders,
      response: { 200: EventStream },
      detail: {
        operationId: 'streamChanges',
        summary: 'Follow changes as they happen',
        description:
          'Server-sent events: `ready` at once; `changes`, a page of `GET /api/changes` with its `next` as `id`; `end` with `{"reason"}` when the stream ends: `signed_out`, `locked`, `reset` (start again without a cursor), `restarting` (reconnect) or `replaced` (by a newer stream of the user, of whom 10 are open at most).',
      },
    },
  )

import { Elysia } from 'elysia'
import type { Deps } from '../../../deps'
import { ErrorBody } from '../../../http/errors'
import type { SessionGuard } from '../../../http/session-guard'
import { readId } from '../../../lib/wire/id'
import { EventPath, EventsQuery, EventsView, OccurrencesQuery, OccurrencesView } from './model'
import * as windows from './service'

export const eventWindowRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'event-windows.routes', prefix: '/api/events', tags: ['Events'] })
    .use(guard)
    .get('', ({ session, query }) => windows.listEvents(deps, session, query), {
      session: { scope: 'calendars:read', settings: true },
      query: EventsQuery,
      response: { 200: EventsView, 404: ErrorBody },
      detail: {
        operationId: 'listEvents',
        summary: 'List the events in a window',
        description:
          'Returns single events, occurrences of series, invitations and birthdays that overlap the window, by start; from all visible calendars, or from the given one. At most 5 000 and 8 MiB, else 422 `Narrow the window`. Invitations do not count towards these limits: only the first 2 000 occurrences of those that the caller has answered are returned, and the first 500 of all others.',
      },
    })
    .get(
      '/:id/occurrences',
      async ({ session, params, query }) => {
        const id = readId(params.id, 'Event')
        const found = await windows.listOccurrences(deps, session, id, query)
        const { events: occurrences, ...rest } = found
        return { occurrences, ...rest }
      },
      {
        session: { scope: 'calendars:read', settings: true },
        params: EventPath,
        query: OccurrencesQuery,
        response: { 200: OccurrencesView, 404: ErrorBody },
        detail: {
          operationId: 'listOccurrences',
          summary: 'List the occurrences of a series in a window',
          description: 'At most 5 000 and 8 MiB, else 422 `Narrow the window`.',
        },
      },
    )

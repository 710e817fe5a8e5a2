import { Elysia } from 'elysia'
import type { Deps } from '../../deps'
import { ErrorBody } from '../../http/errors'
import type { SessionGuard } from '../../http/session-guard'
import { readId } from '../../lib/id'
import { EventPath, EventsQuery, EventsView, OccurrencesQuery, OccurrencesView } from './model'
import * as windows from './service'

export const eventWindowRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'event-windows.routes', prefix: '/api/events', tags: ['Events'] })
    .use(guard)
    .get('', async ({ session, query }) => ({ events: await windows.listEvents(deps, session, query) }), {
      session: { settings: true },
      query: EventsQuery,
      response: { 200: EventsView, 404: ErrorBody },
      detail: {
        operationId: 'listEvents',
        summary: 'List what happens in a window',
        description:
          'Single events, occurrences of series, invitations and birthdays that overlap it, by start; of visible calendars unless one is named. At most 5 000.',
      },
    })
    .get(
      '/:id/occurrences',
      async ({ session, params, query }) => ({
        occurrences: await windows.listOccurrences(deps, session, readId(params.id, 'Event'), query),
      }),
      {
        session: { settings: true },
        params: EventPath,
        query: OccurrencesQuery,
        response: { 200: OccurrencesView, 404: ErrorBody },
        detail: {
          operationId: 'listOccurrences',
          summary: 'List the occurrences of a series in a window',
        },
      },
    )

import { Elysia } from 'elysia'
import type { Deps } from '../../../deps'
import { ErrorBody } from '../../../http/errors'
import type { SessionGuard } from '../../../http/session-guard'
import { tagged } from '../../../http/versions'
import { readId } from '../../../lib/wire/id'
import { HistoryQuery } from '../../../lib/wire/page'
import { EventHistory, EventPath, EventView, NewEvent, PreviewBody, PreviewView } from './model'
import * as events from './service'

export const eventRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'events.routes', prefix: '/api/events', tags: ['Events'] })
    .use(guard)
    .post(
      '',
      async ({ session, body, set, status }) =>
        status(201, tagged(set, await events.createEvent(deps, session, body))),
      {
        session: { scope: 'calendars:write', settings: true },
        body: NewEvent,
        response: { 201: EventView, 404: ErrorBody, 409: ErrorBody },
        detail: {
          operationId: 'createEvent',
          summary: 'Create an event or a series',
          description:
            'A timed event has `start_at` and `end_at`, an all-day event `start_date` and `end_date`. Without `calendar_id` it goes into the default calendar. 403 for a private event in a calendar of somebody else.',
        },
      },
    )
    .post('/preview-recurrence', ({ session, body }) => events.previewRecurrence(deps, session, body), {
      session: { scope: 'calendars:read', settings: true, reads: true },
      body: PreviewBody,
      response: { 200: PreviewView },
      detail: {
        operationId: 'previewRecurrence',
        summary: 'Preview a recurrence rule',
        description: 'Returns the first occurrences and the rule in words; stores nothing.',
      },
    })
    .get(
      '/:id',
      async ({ session, params, set }) =>
        tagged(set, await events.readEvent(deps, session.userId, readId(params.id, 'Event'))),
      {
        session: { scope: 'calendars:read' },
        params: EventPath,
        response: { 200: EventView, 404: ErrorBody },
        detail: {
          operationId: 'getEvent',
          summary: 'Read an event',
          description: 'For a series, returns its first occurrence and its rule.',
        },
      },
    )
    .get(
      '/:id/history',
      ({ session, params: { id }, query }) =>
        events.listEventVersions(deps, session, readId(id, 'Event'), query),
      {
        session: { scope: 'calendars:read' },
        params: EventPath,
        query: HistoryQuery,
        response: { 200: EventHistory, 404: ErrorBody },
        detail: {
          operationId: 'listEventVersions',
          summary: 'List the versions of an event',
          description:
            'Newest first, with the record as it was. Former versions are kept for 30 days or as `HISTORY_DAYS` says. Of a series, without what its occurrences have for themselves, though changing one makes a version. Only those that it had in calendars which the caller sees; 404 for whoever sees it by invitation alone. Members see the versions of a private event as `Busy`.',
        },
      },
    )

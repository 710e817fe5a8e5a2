import { Elysia, t } from 'elysia'
import type { Deps } from '../../../deps'
import { ErrorBody } from '../../../http/errors'
import type { Again } from '../../../http/admission'
import type { SessionGuard } from '../../../http/session-guard'
import { expectedVersions, IfMatch, tagged } from '../../../http/versions'
import { readId } from '../../../lib/wire/id'
import { EventChanges, EventPath, EventView, ScopeQuery } from './model'
import * as series from './service'

const refusals = { 404: ErrorBody, 412: ErrorBody }

export const eventSeriesRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'event-series.routes', prefix: '/api/events', tags: ['Events'] })
    .use(guard)
    .put(
      '/:id',
      async ({ session, params, headers, query, body, set }) => {
        const target = { id: readId(params.id, 'Event'), expected: expectedVersions(headers), ...query }
        return tagged(set, await series.changeEvent(deps, session, target, body))
      },
      {
        session: {
          scope: 'calendars:write',
          settings: true,
          readAgain: ({ session, item, query: { scope, occurrence_start: start } }: Again) =>
            series.readChanged(deps, session.userId, item, scope === 'this' ? start : undefined),
        },
        params: EventPath,
        headers: IfMatch,
        query: ScopeQuery,
        body: EventChanges,
        response: { 200: EventView, ...refusals, 409: ErrorBody },
        detail: {
          operationId: 'changeEvent',
          summary: 'Change an event, one occurrence, or a series from one occurrence on',
          description:
            "Changes the given fields; changing only the start keeps the duration. `this` changes one occurrence and returns it; `following` ends the series before the occurrence and returns the new series that begins with it. At most 1 000 occurrences of an event may be changed or deleted individually (409). Only the owner of the event's calendar may move it into a calendar of another owner. Members of a calendar can neither change a private event nor make one private; `visibility` is that of all occurrences.",
        },
      },
    )
    .delete(
      '/:id',
      async ({ session, params, headers, query, status }) => {
        const target = { id: readId(params.id, 'Event'), expected: expectedVersions(headers), ...query }
        await series.deleteEvent(deps, session, target)
        return status(204, undefined)
      },
      {
        session: { scope: 'calendars:write' },
        params: EventPath,
        headers: IfMatch,
        query: ScopeQuery,
        response: { 204: t.Void(), ...refusals, 409: ErrorBody },
        detail: {
          operationId: 'deleteEvent',
          summary: 'Delete an event, one occurrence, or a series from one occurrence on',
          description:
            'At most 1 000 occurrences of an event may be changed or deleted individually: deleting another one with `this` fails with 409.',
        },
      },
    )

import { Elysia, t } from 'elysia'
import type { Deps } from '../../../deps'
import { ErrorBody } from '../../../http/errors'
import { type SessionGuard, SIGNED_IN } from '../../../http/session-guard'
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
        session: { settings: true },
        params: EventPath,
        headers: IfMatch,
        query: ScopeQuery,
        body: EventChanges,
        response: { 200: EventView, ...refusals, 409: ErrorBody },
        detail: {
          operationId: 'changeEvent',
          summary: 'Change an event, one occurrence, or a series from one on',
          description:
            'Changes the fields that are given; changing only the start keeps the duration. `this` sets fields of one occurrence and answers it; `following` ends the series before the occurrence and answers the new series that begins with it. Of an event at most 1 000 occurrences may be changed or deleted by themselves (409). Into a calendar of another owner only the owner of the calendar that an event is in may move it.',
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
        session: SIGNED_IN,
        params: EventPath,
        headers: IfMatch,
        query: ScopeQuery,
        response: { 204: t.Void(), ...refusals, 409: ErrorBody },
        detail: {
          operationId: 'deleteEvent',
          summary: 'Delete an event, one occurrence, or a series from one on',
          description:
            'Of an event at most 1 000 occurrences may be changed or deleted by themselves: one more with `this` is refused with 409.',
        },
      },
    )

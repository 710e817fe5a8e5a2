import { Elysia, t } from 'elysia'
import type { Deps } from '../../../deps'
import { ErrorBody } from '../../../http/errors'
import type { SessionGuard } from '../../../http/session-guard'
import { expectedVersions, IfMatch, tagged } from '../../../http/versions'
import { readId } from '../../../lib/wire/id'
import { pathId } from '../../../lib/wire/schema'
import type { Target } from '../../../lib/wire/versions'
import {
  EventTemplateChanges,
  EventTemplatesPage,
  EventTemplatesQuery,
  EventTemplateView,
  NewEventTemplate,
} from './model'
import * as templates from './service'

const params = t.Object({ id: pathId('Of the event template.') })
const idOf = (id: string) => readId(id, 'Event template')
const readTarget = (id: string, headers: typeof IfMatch.static): Target => ({
  id: idOf(id),
  expected: expectedVersions(headers),
})

export const eventTemplateRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({
    name: 'event-templates.routes',
    prefix: '/api/event-templates',
    tags: ['Event templates'],
  })
    .use(guard)
    .get('', ({ session, query }) => templates.listEventTemplates(deps, session.userId, query), {
      session: { scope: 'calendars:read' },
      query: EventTemplatesQuery,
      response: { 200: EventTemplatesPage },
      detail: {
        operationId: 'listEventTemplates',
        summary: 'List the event templates',
        description: 'By name.',
      },
    })
    .post(
      '',
      async ({ body, session, set, status }) =>
        status(201, tagged(set, await templates.createEventTemplate(deps, session, body))),
      {
        session: { scope: 'calendars:write' },
        body: NewEventTemplate,
        response: { 201: EventTemplateView, 404: ErrorBody, 409: ErrorBody },
        detail: { operationId: 'createEventTemplate', summary: 'Create an event template' },
      },
    )
    .get(
      '/:id',
      async ({ session, params: { id }, set }) =>
        tagged(set, await templates.readEventTemplate(deps, session.userId, idOf(id))),
      {
        session: { scope: 'calendars:read' },
        params,
        response: { 200: EventTemplateView, 404: ErrorBody },
        detail: { operationId: 'getEventTemplate', summary: 'Read an event template' },
      },
    )
    .put(
      '/:id',
      async ({ body, session, params: { id }, headers, set }) =>
        tagged(set, await templates.changeEventTemplate(deps, session, readTarget(id, headers), body)),
      {
        session: { scope: 'calendars:write' },
        params,
        headers: IfMatch,
        body: EventTemplateChanges,
        response: { 200: EventTemplateView, 404: ErrorBody, 409: ErrorBody, 412: ErrorBody },
        detail: {
          operationId: 'changeEventTemplate',
          summary: 'Change an event template',
          description: 'Changes the given fields.',
        },
      },
    )
    .delete(
      '/:id',
      async ({ session, params: { id }, headers, status }) => {
        await templates.deleteEventTemplate(deps, session, readTarget(id, headers))
        return status(204, undefined)
      },
      {
        session: { scope: 'calendars:write' },
        params,
        headers: IfMatch,
        response: { 204: t.Void(), 404: ErrorBody, 412: ErrorBody },
        detail: { operationId: 'deleteEventTemplate', summary: 'Delete an event template' },
      },
    )

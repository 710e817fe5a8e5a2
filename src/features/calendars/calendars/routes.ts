import { Elysia, t } from 'elysia'
import type { Deps } from '../../../deps'
import { ErrorBody } from '../../../http/errors'
import type { SessionGuard } from '../../../http/session-guard'
import { readId } from '../../../lib/wire/id'
import { pathId } from '../../../lib/wire/schema'
import { CalendarChanges, CalendarsPage, CalendarsQuery, CalendarView, NewCalendar } from './model'
import * as calendars from './service'

const params = t.Object({ id: pathId('Of the calendar.') })

export const calendarRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'calendars.routes', prefix: '/api/calendars', tags: ['Calendars'] })
    .use(guard)
    .get('', ({ session, query }) => calendars.listCalendars(deps, session.userId, query), {
      session: { scope: 'calendars:read' },
      query: CalendarsQuery,
      response: { 200: CalendarsPage },
      detail: {
        operationId: 'listCalendars',
        summary: 'List the calendars',
        description: 'Own and shared calendars, by name.',
      },
    })
    .post(
      '',
      async ({ body, session, status }) => status(201, await calendars.createCalendar(deps, session, body)),
      {
        session: { scope: 'calendars:write' },
        body: NewCalendar,
        response: { 201: CalendarView, 409: ErrorBody },
        detail: { operationId: 'createCalendar', summary: 'Create a calendar' },
      },
    )
    .get(
      '/:id',
      ({ session, params: { id } }) => calendars.readCalendar(deps, session.userId, readId(id, 'Calendar')),
      {
        session: { scope: 'calendars:read' },
        params,
        response: { 200: CalendarView, 404: ErrorBody },
        detail: { operationId: 'getCalendar', summary: 'Read a calendar' },
      },
    )
    .put(
      '/:id',
      ({ body, session, params: { id } }) =>
        calendars.changeCalendar(deps, session, readId(id, 'Calendar'), body),
      {
        session: { scope: 'calendars:write' },
        params,
        body: CalendarChanges,
        response: { 200: CalendarView, 404: ErrorBody, 409: ErrorBody },
        detail: {
          operationId: 'changeCalendar',
          summary: 'Change a calendar',
          description:
            'Changes the given fields. The Birthdays calendar cannot be renamed. A member of a shared calendar may change `color` and `is_visible`, only for themselves.',
        },
      },
    )
    .delete(
      '/:id',
      async ({ session, params: { id }, status }) => {
        await calendars.deleteCalendar(deps, session, readId(id, 'Calendar'))
        return status(204, undefined)
      },
      {
        session: { scope: 'calendars:write' },
        params,
        response: { 204: t.Void(), 404: ErrorBody, 409: ErrorBody },
        detail: {
          operationId: 'deleteCalendar',
          summary: 'Delete a calendar',
          description:
            'Deletes it with all its events, for all members. Only its owner may; the default calendar and the Birthdays calendar cannot be deleted.',
        },
      },
    )

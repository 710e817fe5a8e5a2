import { Elysia } from 'elysia'
import type { Deps } from '../../../deps'
import { ErrorBody } from '../../../http/errors'
import type { SessionGuard } from '../../../http/session-guard'
import { readId } from '../../../lib/wire/id'
import { CalendarFile, CalendarPath } from './model'
import * as exports from './service'

export const calendarExportRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'calendar-export.routes', prefix: '/api/calendars', tags: ['Calendars'] })
    .use(guard)
    .get(
      '/:id/export',
      async ({ session, params }) => {
        const { name, body } = await exports.exportCalendar(deps, session, readId(params.id, 'Calendar'))
        return new Response(body, {
          headers: {
            'content-type': 'text/calendar; charset=utf-8',
            'content-disposition': `attachment; filename="${name}"`,
          },
        })
      },
      {
        session: { scope: 'calendars:read' },
        params: CalendarPath,
        response: { 200: CalendarFile, 404: ErrorBody, 409: ErrorBody },
        detail: {
          operationId: 'exportCalendar',
          summary: 'Export a calendar as an iCalendar file',
          description:
            'Includes the rules, overrides and exceptions of series, and the properties of imported events that no field shows. Members get private events as `Busy` with their times alone. The Birthdays calendar cannot be exported.',
        },
      },
    )

import { Elysia } from 'elysia'
import type { Deps } from '../../../deps'
import { ErrorBody } from '../../../http/errors'
import type { SessionGuard } from '../../../http/session-guard'
import { readId } from '../../../lib/wire/id'
import { CalendarPath, WholeEventsPage, WholeEventsQuery } from './model'
import { listCalendarEvents } from './service'

export const calendarEventRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'calendar-events.routes', prefix: '/api/calendars', tags: ['Calendars'] })
    .use(guard)
    .get(
      '/:id/events',
      ({ session, params: { id }, query }) =>
        listCalendarEvents(deps, session.userId, readId(id, 'Calendar'), query),
      {
        session: { scope: 'calendars:read' },
        params: CalendarPath,
        query: WholeEventsQuery,
        response: { 200: WholeEventsPage, 404: ErrorBody },
        detail: {
          operationId: 'listCalendarEvents',
          summary: 'List what is in a calendar',
          description:
            'All its events and series by id, unexpanded, as `GET /api/changes` shows them; for everyone who sees the calendar. Birthdays are not among them.',
        },
      },
    )

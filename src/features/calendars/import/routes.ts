import { Elysia } from 'elysia'
import type { Deps } from '../../../deps'
import { ErrorBody } from '../../../http/errors'
import type { SessionGuard } from '../../../http/session-guard'
import { readId } from '../../../lib/wire/id'
import { CalendarPath, CalendarUpload, ImportQuery, ImportView } from './model'
import * as imports from './service'

export const calendarImportRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'calendar-import.routes', prefix: '/api/calendars', tags: ['Calendars'] })
    .use(guard)
    .post(
      '/:id/import',
      ({ session, params, body, query }) =>
        imports.importCalendar(deps, session, {
          calendarId: readId(params.id, 'Calendar'),
          file: body,
          isDryRun: query.dry_run ?? false,
        }),
      {
        session: { settings: true, slow: true },
        params: CalendarPath,
        query: ImportQuery,
        body: CalendarUpload,
        response: { 200: ImportView, 403: ErrorBody, 404: ErrorBody, 409: ErrorBody },
        detail: {
          operationId: 'importCalendar',
          summary: 'Import an iCalendar file',
          description:
            'An event is known by its UID, or by its content where it has none. One whose text has changed since its last import replaces what was there; what cannot be read is skipped and stops nothing else. Events that would be too many for their owner stop the import with 409, which tells anybody else only that the calendar is full, and a file that takes too long stops it with 503. What was taken over by then stays: the detail then says how many events were created and updated, under the code `import_incomplete`, and the same import takes up the rest. Floating times are wall time in the zone of the caller. Titles of more than 200 characters, descriptions of more than 10 000 and locations of more than 500 are shown shortened, and exported whole. Of more than 1 000 dates beside its rule (RDATE) an event has the first 1 000, and so of more than 1 000 occurrences that differ or do not take place (RECURRENCE-ID, EXDATE); `skipped` says so. A series of more than 24 occurrences a day is taken in as its first one alone, with `recurrence_unsupported`; what it repeats by is exported again.',
        },
      },
    )

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
        session: { scope: 'calendars:write', settings: true, slow: true },
        params: CalendarPath,
        query: ImportQuery,
        body: CalendarUpload,
        response: { 200: ImportView, 403: ErrorBody, 404: ErrorBody, 409: ErrorBody },
        detail: {
          operationId: 'importCalendar',
          summary: 'Import an iCalendar file',
          description:
            'An event is identified by its UID, or by its content if it has none. An event whose text has changed since its last import replaces the stored one. Components that cannot be read are skipped without stopping the import. The import stops with 409 if the owner of the calendar would have too many events (other users are only told that the calendar is full), and with 503 if the file takes too long. What was imported by then stays: the code is `import_incomplete`, the detail says how many events were created and updated, and the same import adds the rest. Events with a CLASS other than PUBLIC become private; into a calendar of somebody else they are not imported, nor are changes of private events there. Floating times are wall time in the zone of the caller. Titles of more than 200 characters, descriptions of more than 10 000 and locations of more than 500 are shown shortened, but exported in full. An event keeps the first 1 000 of its extra dates (RDATE), and the first 1 000 of its changed and cancelled occurrences (RECURRENCE-ID, EXDATE); `skipped` lists what is left out. Of a series with more than 24 occurrences a day only the first occurrence is imported, with `recurrence_unsupported`; the export contains its rule again.',
        },
      },
    )

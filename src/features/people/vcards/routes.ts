import { Elysia } from 'elysia'
import type { Deps } from '../../../deps'
import { ErrorBody } from '../../../http/errors'
import type { SessionGuard } from '../../../http/session-guard'
import { ExportQuery, ImportQuery, ImportView, VCardFile, VCardUpload } from './model'
import * as vcards from './service'
import { exportPeople } from './service.export'

export const peopleVcardRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'people-vcards.routes', prefix: '/api/people', tags: ['People'] })
    .use(guard)
    .get(
      '/export',
      async ({ session, query }) =>
        new Response(await exportPeople(deps, session, query.book_id), {
          headers: {
            'content-type': 'text/vcard; charset=utf-8',
            'content-disposition': 'attachment; filename="people.vcf"',
          },
        }),
      {
        session: { scope: 'people:read' },
        query: ExportQuery,
        response: { 200: VCardFile, 404: ErrorBody },
        detail: {
          operationId: 'exportPeople',
          summary: 'Export the address books',
          description:
            'Cards that came from elsewhere go out byte for byte, pictures and groups included, but for what was changed here since.',
        },
      },
    )
    .post(
      '/import',
      ({ session, body, query }) =>
        vcards.importPeople(deps, session, {
          file: body,
          bookId: query.book_id,
          isDryRun: query.dry_run ?? false,
        }),
      {
        session: { scope: 'people:write', settings: true, slow: true },
        query: ImportQuery,
        body: VCardUpload,
        response: { 200: ImportView, 404: ErrorBody, 409: ErrorBody },
        detail: {
          operationId: 'importPeople',
          summary: 'Import vCards',
          description:
            'A card is identified by its UID, or by its content if it has none. A card whose text has changed since its last import replaces the stored one, in whatever address book the person or group is; of copies in several, the one in `book_id`, or else the oldest. What a field cannot hold is shown cut and stays in the card; a card without a name is called by its organisation or address; a group is kept and is no person. Text that is no card is skipped without affecting the others. The import stops with 409 if there would be too many people, and with 503 if the file takes too long. What was imported by then stays: the code is `import_incomplete`, the detail says how many people were created and updated, and the same import adds the rest.',
        },
      },
    )

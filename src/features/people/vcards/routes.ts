import { Elysia } from 'elysia'
import type { Deps } from '../../../deps'
import { ErrorBody } from '../../../http/errors'
import { type SessionGuard, SIGNED_IN } from '../../../http/session-guard'
import { ImportQuery, ImportView, VCardFile, VCardUpload } from './model'
import * as vcards from './service'

export const peopleVcardRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'people-vcards.routes', prefix: '/api/people', tags: ['People'] })
    .use(guard)
    .get(
      '/export',
      async ({ session }) =>
        new Response(await vcards.exportPeople(deps, session), {
          headers: {
            'content-type': 'text/vcard; charset=utf-8',
            'content-disposition': 'attachment; filename="people.vcf"',
          },
        }),
      {
        session: SIGNED_IN,
        response: { 200: VCardFile },
        detail: {
          operationId: 'exportPeople',
          summary: 'Export the address book',
          description: 'What imported cards held and no field here shows, pictures too, is written again.',
        },
      },
    )
    .post(
      '/import',
      ({ session, body, query }) => vcards.importPeople(deps, session, body, query.dry_run ?? false),
      {
        session: { settings: true, slow: true },
        query: ImportQuery,
        body: VCardUpload,
        response: { 200: ImportView, 409: ErrorBody },
        detail: {
          operationId: 'importPeople',
          summary: 'Import vCards',
          description:
            'A card is known by its UID, or by its content where it has none. One whose text has changed since its last import replaces what was there; one that cannot be read, or has neither a name nor an organisation, is skipped and stops no other. People who would be too many stop the import with 409, and a file that takes too long stops it with 503. What was taken over by then stays: the detail then says how many people were created and updated, under the code `import_incomplete`, and the same import takes up the rest.',
        },
      },
    )

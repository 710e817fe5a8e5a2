import { Elysia } from 'elysia'
import type { Deps } from '../../../deps'
import type { SessionGuard } from '../../../http/session-guard'
import { ExportView } from './model'
import { exportAccount } from './service'

export const exportRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'export.routes', prefix: '/api/export', tags: ['Overview'] }).use(guard).get(
    '',
    async ({ session }) =>
      new Response(await exportAccount(deps, session), {
        headers: {
          'content-type': 'application/json',
          'content-disposition': 'attachment; filename="organiser-export.json"',
        },
      }),
    {
      session: { scope: 'overview:read', settings: true },
      response: { 200: ExportView },
      detail: {
        operationId: 'exportAccount',
        summary: 'Export the account',
        description:
          'Everything that the account owns, streamed as one JSON document. If something fails meanwhile, the connection closes before the document is complete.',
      },
    },
  )

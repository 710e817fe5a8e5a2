import { Elysia } from 'elysia'
import type { Deps } from '../../../deps'
import { ErrorBody } from '../../../http/errors'
import type { SessionGuard } from '../../../http/session-guard'
import { ChangesPage, ChangesQuery } from './model'
import { listChanges } from './service'

export const changesRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'changes.routes', prefix: '/api/changes', tags: ['Changes'] })
    .use(guard)
    .get('', ({ session, query }) => listChanges(deps, session, query), {
      session: { scope: 'overview:read', standing: true },
      query: ChangesQuery,
      response: { 200: ChangesPage, 410: ErrorBody },
      detail: {
        operationId: 'listChanges',
        summary: 'List what has changed',
        description:
          'What the caller sees and what has changed of it since a former page, each item once and as it is now. Apply the changes in their order, and ask again with `next`: at once while `has_more` is true, later otherwise. The deletion of a calendar, list of todos, project or task takes along what is in it. Ages, positions and `feed_last_read_at` are those of the moment of reading and no change. 410 with the code `sync_reset`: start again without `since`. Deletions are told for 400 days.',
      },
    })

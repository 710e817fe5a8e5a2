import { Elysia } from 'elysia'
import type { Deps } from '../../../deps'
import type { SessionGuard } from '../../../http/session-guard'
import { SearchQuery, SearchResults } from './model'
import * as search from './service'

export const searchRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'search.routes', prefix: '/api/search', tags: ['Search'] })
    .use(guard)
    .get('', async ({ session, query }) => ({ results: await search.search(deps, session, query) }), {
      session: { scope: 'overview:read' },
      query: SearchQuery,
      response: { 200: SearchResults },
      detail: {
        operationId: 'search',
        summary: 'Find records by their words',
        description:
          'Searches titles and texts of everything that the caller may read, including hidden calendars, but not declined events. Records with all the words in the title come first.',
      },
    })

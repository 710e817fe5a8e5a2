import { Elysia } from 'elysia'
import type { Deps } from '../../../deps'
import { type SessionGuard, SIGNED_IN } from '../../../http/session-guard'
import { SearchQuery, SearchResults } from './model'
import * as search from './service'

export const searchRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'search.routes', prefix: '/api/search', tags: ['Search'] })
    .use(guard)
    .get('', async ({ session, query }) => ({ results: await search.search(deps, session.userId, query) }), {
      session: SIGNED_IN,
      query: SearchQuery,
      response: { 200: SearchResults },
      detail: {
        operationId: 'search',
        summary: 'Find records by their words',
        description:
          'In titles and texts of what the caller may read, hidden calendars included; declined events are left out. Records with all the words in the title come first.',
      },
    })

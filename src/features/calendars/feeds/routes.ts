import { Elysia, t } from 'elysia'
import type { Deps } from '../../../deps'
import type { PublicRules } from '../../../http/admission'
import { ErrorBody } from '../../../http/errors'
import { requestOrigin } from '../../../http/origin'
import type { SessionGuard } from '../../../http/session-guard'
import { readId } from '../../../lib/wire/id'
import { CalendarFile, CalendarPath, FeedPath, FeedView, IfNoneMatch } from './model'
import * as feeds from './service'

/** One line for each feed, so that a slow reader of one feed does not delay the readers of others. */
const inLineOfFeed = (deps: Deps): PublicRules => ({
  findLine: ({ file = '' }) => feeds.findLine(deps, file),
})

export const calendarFeedRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'calendar-feeds.routes', prefix: '/api', tags: ['Calendars'] })
    .use(guard)
    .post(
      '/calendars/:id/feed',
      ({ session, params, request }) =>
        feeds.createFeed(deps, session, readId(params.id, 'Calendar'), requestOrigin(deps, request)),
      {
        session: { scope: 'calendars:write', recent: true, ignoresKey: true },
        params: CalendarPath,
        response: { 200: FeedView, 403: ErrorBody, 404: ErrorBody, 409: ErrorBody },
        detail: {
          operationId: 'createCalendarFeed',
          summary: 'Create a secret address for a calendar',
          description:
            'Other programs can subscribe to it. It is shown only once, and replaces an earlier one. It ends when the password is changed, unless the change keeps secret addresses, and when an administrator resets the password. A `security` notification reports the new address. No access token is ever recent, so none can create one.',
        },
      },
    )
    .delete(
      '/calendars/:id/feed',
      async ({ session, params, request, status }) => {
        const { ip } = requestOrigin(deps, request)
        await feeds.deleteFeed(deps, session, readId(params.id, 'Calendar'), ip)
        return status(204, undefined)
      },
      {
        session: { scope: 'calendars:write' },
        params: CalendarPath,
        response: { 204: t.Void(), 403: ErrorBody, 404: ErrorBody, 409: ErrorBody },
        detail: { operationId: 'deleteCalendarFeed', summary: 'Remove the secret address of a calendar' },
      },
    )
    .get(
      '/feeds/:file',
      async ({ params, headers }) => {
        const { etag, body } = await feeds.readFeed(deps, params.file, headers['if-none-match'])
        const caching = { etag, 'cache-control': 'private, no-cache' }
        if (!body) return new Response(null, { status: 304, headers: caching })
        return new Response(body, { headers: { ...caching, 'content-type': 'text/calendar; charset=utf-8' } })
      },
      {
        public: inLineOfFeed(deps),
        params: FeedPath,
        headers: IfNoneMatch,
        response: { 200: CalendarFile, 304: t.Void(), 404: ErrorBody },
        detail: {
          operationId: 'getCalendarFeed',
          summary: 'Read a calendar by its secret address',
          description:
            'Returns the same file as the export for a member, without a session: private events are `Busy`. All requests for one address wait in one line, regardless of the client.',
        },
      },
    )

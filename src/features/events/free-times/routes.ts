import { Elysia } from 'elysia'
import type { Deps } from '../../../deps'
import { ErrorBody } from '../../../http/errors'
import type { SessionGuard } from '../../../http/session-guard'
import { FreeBusyBody, FreeBusyView } from './model'
import { findTimes } from './service'

export const freeTimeRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'free-times.routes', prefix: '/api', tags: ['Events'] })
    .use(guard)
    .post('/free-busy', ({ session, body }) => findTimes(deps, session, body), {
      session: { scope: 'calendars:read', settings: true, reads: true },
      body: FreeBusyBody,
      response: { 200: FreeBusyView, 404: ErrorBody },
      detail: {
        operationId: 'findTimes',
        summary: 'Find times at which people are free',
        description:
          'Proposes at most 20 times at which the caller is free, on quarters of an hour, and says of each of the others whether they are free, busy or unknown, as far as the calendars that they share with the caller show it. Nothing is proposed that has begun. Cancelled and declined events do not count, nor those that a program has marked as taking up no time; all-day events keep busy in the zone of the caller. More than 5 000 occurrences: 422 `Narrow the window`. Stores nothing.',
      },
    })

import { Elysia } from 'elysia'
import type { Deps } from '../../../deps'
import type { SessionGuard } from '../../../http/session-guard'
import { BirthdaysView, UpcomingQuery } from './model'
import * as birthdays from './service'

export const birthdayRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'birthdays.routes', prefix: '/api/people', tags: ['People'] }).use(guard).get(
    '/upcoming-birthdays',
    async ({ session, query }) => ({
      birthdays: await birthdays.upcomingBirthdays(deps, session, query.days),
    }),
    {
      session: { scope: 'calendars:read', settings: true },
      query: UpcomingQuery,
      response: { 200: BirthdaysView },
      detail: {
        operationId: 'listUpcomingBirthdays',
        summary: 'List the birthdays that come next',
        description: "From today, in the user's time zone, to that many days after, by date.",
      },
    },
  )

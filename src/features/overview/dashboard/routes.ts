import { Elysia } from 'elysia'
import type { Deps } from '../../../deps'
import type { SessionGuard } from '../../../http/session-guard'
import { DashboardQuery, DashboardView } from './model'
import { readDashboard } from './service'

export const dashboardRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'dashboard.routes', prefix: '/api/dashboard', tags: ['Overview'] })
    .use(guard)
    .get('', ({ session, query }) => readDashboard(deps, session, query), {
      session: { scope: 'overview:read', settings: true },
      query: DashboardQuery,
      response: { 200: DashboardView },
      detail: {
        operationId: 'getDashboard',
        summary: 'See a day at a glance',
        description:
          'The events of the day, what is due and what comes next, at most 50 entries per list. Todos, upcoming reminders, tasks and birthdays are relative to `date`.',
      },
    })

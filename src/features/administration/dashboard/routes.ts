import { Elysia } from 'elysia'
import type { Deps } from '../../../deps'
import type { SessionGuard } from '../../../http/session-guard'
import { DashboardView } from './model'
import { describeService } from './service'

export const adminDashboardRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'admin-dashboard.routes', prefix: '/api/admin', tags: ['Administration'] })
    .use(guard)
    .get('/dashboard', () => describeService(deps), {
      session: { role: 'admin' },
      response: { 200: DashboardView },
      detail: {
        operationId: 'getAdminDashboard',
        summary: 'Get statistics of the service',
        description: 'Counts, and the ten newest sign-ins and audit entries, newest first.',
      },
    })

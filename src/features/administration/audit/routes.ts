import { Elysia } from 'elysia'
import type { Deps } from '../../../deps'
import type { SessionGuard } from '../../../http/session-guard'
import { AuditPage, AuditQuery } from './model'
import * as audit from './service'

export const auditRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'audit.routes', prefix: '/api/admin', tags: ['Administration'] })
    .use(guard)
    .get('/audit-log', ({ query }) => audit.listAuditLog(deps, query), {
      session: { role: 'admin' },
      query: AuditQuery,
      response: { 200: AuditPage },
      detail: {
        operationId: 'listAuditLog',
        summary: 'Read the audit log',
        description: 'Newest first. `from` is inclusive, `to` exclusive.',
      },
    })

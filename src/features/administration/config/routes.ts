import { Elysia } from 'elysia'
import type { Deps } from '../../../deps'
import { requestOrigin } from '../../../http/origin'
import type { SessionGuard } from '../../../http/session-guard'
import { ConfigChanges, ConfigView } from './model'
import * as systemConfig from './service'

export const systemConfigRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'system-config.routes', prefix: '/api/admin', tags: ['Administration'] })
    .use(guard)
    .get('/config', () => systemConfig.readConfig(deps), {
      session: { role: 'admin' },
      response: { 200: ConfigView },
      detail: { operationId: 'getConfig', summary: 'Read the system configuration' },
    })
    .put(
      '/config',
      ({ body, session, request }) =>
        systemConfig.changeConfig(deps, { session, ip: requestOrigin(deps, request).ip }, body),
      {
        session: { role: 'admin' },
        body: ConfigChanges,
        response: { 200: ConfigView },
        detail: {
          operationId: 'changeConfig',
          summary: 'Change the system configuration',
          description: 'Changes the given fields. The first change creates the configuration.',
        },
      },
    )

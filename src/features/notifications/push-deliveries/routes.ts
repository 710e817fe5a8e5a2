import { Elysia } from 'elysia'
import type { Deps } from '../../../deps'
import { type SessionGuard, SIGNED_IN } from '../../../http/session-guard'
import { DeliveriesView } from './model'
import * as deliveries from './service'

export const pushDeliveryRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'push-deliveries.routes', prefix: '/api/settings/ntfy', tags: ['Settings'] })
    .use(guard)
    .get(
      '/deliveries',
      async ({ session }) => ({ deliveries: await deliveries.listDeliveries(deps, session.userId) }),
      {
        session: SIGNED_IN,
        response: { 200: DeliveriesView },
        detail: {
          operationId: 'listPushDeliveries',
          summary: 'List the last push messages',
          description: 'The last 50, newest first; they are kept for 7 days.',
        },
      },
    )

import { Elysia } from 'elysia'
import type { Deps } from '../../../deps'
import { ErrorBody } from '../../../http/errors'
import type { SessionGuard } from '../../../http/session-guard'
import { TestMessageView } from './model'
import * as push from './service'

export const pushRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'push.routes', prefix: '/api/settings/ntfy', tags: ['Settings'] }).use(guard).post(
    '/test',
    async ({ session }) => {
      await push.sendTestMessage(deps, session.owner)
      return { message: 'Test message sent' }
    },
    {
      session: { settings: true, slow: true, reads: true },
      response: { 200: TestMessageView, 400: ErrorBody, 502: ErrorBody },
      detail: {
        operationId: 'sendTestMessage',
        summary: 'Send a test message to the push server',
        description:
          'Uses the server and the topic of the settings, even while push is switched off. With status 502, `code` is `push_unreachable`, or `push_status_` followed by the status of the push server.',
      },
    },
  )

import { Elysia } from 'elysia'
import type { Deps } from '../../deps'
import { ErrorBody } from '../../http/errors'
import { requestOrigin } from '../../http/origin'
import { writeSessionCookie } from '../../http/session-cookie'
import type { SessionGuard } from '../../http/session-guard'
import { SetupBody, SetupView } from './model'
import * as accounts from './service'

export const accountRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'accounts.routes', prefix: '/api/auth', tags: ['Accounts'] }).use(guard).post(
    '/setup',
    async ({ body, request, setCookie }) => {
      const token = await accounts.setUp(deps, body, requestOrigin(deps, request))
      writeSessionCookie({ setCookie }, deps.config, token)
      return { message: 'Setup complete', authenticated: true as const }
    },
    {
      public: { rateLimited: true },
      body: SetupBody,
      response: { 200: SetupView, 400: ErrorBody },
      detail: {
        operationId: 'setUp',
        summary: 'Create the first account',
        description: 'Makes an administrator and signs them in. Works once: afterwards it answers 400.',
      },
    },
  )

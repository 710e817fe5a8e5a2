import { Elysia } from 'elysia'
import type { Deps } from '../../../deps'
import { ErrorBody } from '../../../http/errors'
import { requestOrigin } from '../../../http/origin'
import { noteUser } from '../../../http/request-context'
import { writeSessionCookie } from '../../../http/session-cookie'
import type { SessionGuard } from '../../../http/session-guard'
import { LoginBody, LoginView } from './model'
import * as signIn from './service'

export const signInRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'sign-in.routes', prefix: '/api/auth', tags: ['Sessions'] }).use(guard).post(
    '/login',
    async ({ body, request, set, setCookie }) => {
      const { userId, view, token } = await signIn.login(deps, body, requestOrigin(deps, request))
      noteUser(request, userId)
      if (token !== undefined) writeSessionCookie({ set, setCookie }, deps.config, token)
      return view
    },
    {
      public: { rateLimited: true, slow: true },
      body: LoginBody,
      response: { 200: LoginView, 401: ErrorBody, 403: ErrorBody, 423: ErrorBody },
      detail: {
        operationId: 'login',
        summary: 'Sign in with a password',
        description:
          'Sets the session cookie, or returns an `mfa_token` for the second factor. Ten wrong passwords lock the account for 30 minutes.',
      },
    },
  )

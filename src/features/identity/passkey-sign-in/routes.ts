import { Elysia } from 'elysia'
import type { Deps } from '../../../deps'
import { ErrorBody } from '../../../http/errors'
import { requestOrigin } from '../../../http/origin'
import { noteUser } from '../../../http/request-context'
import { readSessionCookie, writeSessionCookie } from '../../../http/session-cookie'
import type { SessionGuard } from '../../../http/session-guard'
import { AssertionOptionsView, PasskeyLoginBody, PasskeyLoginView } from './model'
import * as passkeySignIn from './service'

export const passkeySignInRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'passkey-sign-in.routes', prefix: '/api/auth/passkeys/login', tags: ['Passkeys'] })
    .use(guard)
    .post('/begin', ({ request }) => passkeySignIn.beginLogin(deps, readSessionCookie(request)), {
      public: { rateLimited: true },
      response: { 200: AssertionOptionsView, 403: ErrorBody },
      detail: {
        operationId: 'beginPasskeyLogin',
        summary: 'Start signing in with a passkey',
        description:
          'Returns the options for `navigator.credentials.get()`, which are valid for five minutes. With a session, locked or not, they require a passkey of its user.',
      },
    })
    .post(
      '/complete',
      async ({ body, request, set, setCookie }) => {
        const { userId, view, token } = await passkeySignIn.completeLogin(
          deps,
          body,
          readSessionCookie(request),
          requestOrigin(deps, request),
        )
        noteUser(request, userId)
        if (token !== undefined) writeSessionCookie({ set, setCookie }, deps.config, token)
        return view
      },
      {
        public: { rateLimited: true },
        body: PasskeyLoginBody,
        response: { 200: PasskeyLoginView, 401: ErrorBody, 403: ErrorBody, 423: ErrorBody },
        detail: {
          operationId: 'completePasskeyLogin',
          summary: 'Sign in, or unlock the session, with a passkey',
          description:
            'Takes the result of `navigator.credentials.get()`. Sets the session cookie; with `unlock` it makes the existing session recent and unlocks it.',
        },
      },
    )

import { Elysia } from 'elysia'
import type { Deps } from '../../../deps'
import { ErrorBody } from '../../../http/errors'
import { requestOrigin } from '../../../http/origin'
import { noteUser } from '../../../http/request-context'
import { writeSessionCookie } from '../../../http/session-cookie'
import type { SessionGuard } from '../../../http/session-guard'
import {
  MfaSetupBody,
  MfaSetupConfirmBody,
  MfaSetupDoneView,
  MfaVerifiedView,
  MfaVerifyBody,
  TotpSetupView,
} from './model'
import * as mfaSignIn from './service'

export const mfaSignInRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'mfa-sign-in.routes', prefix: '/api/auth', tags: ['Second factors'] })
    .use(guard)
    .post(
      '/totp/verify',
      async ({ body, request, set, setCookie }) => {
        const { userId, token, view } = await mfaSignIn.verify(deps, body, requestOrigin(deps, request))
        noteUser(request, userId)
        writeSessionCookie({ set, setCookie }, deps.config, token)
        return view
      },
      {
        public: { rateLimited: true },
        body: MfaVerifyBody,
        response: { 200: MfaVerifiedView, 401: ErrorBody, 423: ErrorBody },
        detail: {
          operationId: 'verifyTotp',
          summary: 'Sign in with the second factor',
          description:
            'Takes the `mfa_token` from the sign-in with the password. Five wrong codes use up the token, ten in a row lock the account for 30 minutes.',
        },
      },
    )
    .post('/mfa-setup/begin', async ({ body }) => mfaSignIn.beginSetup(deps, body.mfa_token), {
      public: { rateLimited: true },
      body: MfaSetupBody,
      response: { 200: TotpSetupView, 401: ErrorBody },
      detail: {
        operationId: 'beginMfaSetup',
        summary: 'Start the required set-up of a second factor',
        description: 'Returns the secret to scan. Starting again replaces it.',
      },
    })
    .post(
      '/mfa-setup/confirm',
      async ({ body, request, set, setCookie }) => {
        const { userId, token, view } = await mfaSignIn.confirmSetup(deps, body, requestOrigin(deps, request))
        noteUser(request, userId)
        writeSessionCookie({ set, setCookie }, deps.config, token)
        return view
      },
      {
        public: { rateLimited: true },
        body: MfaSetupConfirmBody,
        response: { 200: MfaSetupDoneView, 401: ErrorBody, 409: ErrorBody, 423: ErrorBody },
        detail: {
          operationId: 'confirmMfaSetup',
          summary: 'Finish the set-up and sign in',
          description: 'Returns the backup codes, which are shown only once.',
        },
      },
    )

import { Elysia, t } from 'elysia'
import type { Deps } from '../../../deps'
import { ErrorBody } from '../../../http/errors'
import { requestOrigin } from '../../../http/origin'
import { noteUser } from '../../../http/request-context'
import { deleteSessionCookie, writeSessionCookie } from '../../../http/session-cookie'
import type { SessionGuard } from '../../../http/session-guard'
import {
  ChangePasswordBody,
  PasswordBody,
  PasswordChangedView,
  ProofBody,
  RegisterBody,
  RegisterView,
  SetupBody,
  SetupView,
  VerifiedView,
} from './model'
import * as accounts from './service'

export const accountRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'accounts.routes', prefix: '/api/auth', tags: ['Accounts'] })
    .use(guard)
    .post(
      '/setup',
      async ({ body, request, set, setCookie }) => {
        const { userId, token } = await accounts.setUp(deps, body, requestOrigin(deps, request))
        noteUser(request, userId)
        writeSessionCookie({ set, setCookie }, deps.config, token)
        return { message: 'Setup complete', authenticated: true as const }
      },
      {
        public: { rateLimited: true, slow: true },
        body: SetupBody,
        response: { 200: SetupView, 400: ErrorBody },
        detail: {
          operationId: 'setUp',
          summary: 'Create the first account',
          description:
            'Creates an administrator and signs them in. Works only once; after that the status is 400.',
        },
      },
    )
    .post(
      '/register',
      async ({ body, request, set, setCookie }) => {
        const { userId, view, token } = await accounts.register(deps, body, requestOrigin(deps, request))
        noteUser(request, userId)
        if (token !== undefined) writeSessionCookie({ set, setCookie }, deps.config, token)
        return view
      },
      {
        public: { rateLimited: true, slow: true },
        body: RegisterBody,
        response: { 200: RegisterView, 400: ErrorBody, 403: ErrorBody },
        detail: {
          operationId: 'register',
          summary: 'Create an account',
          description:
            'Only while an administrator allows registration. A 400 does not say which name is taken. Signs the new user in, or returns an `mfa_token` when a second factor must be set up first.',
        },
      },
    )
    .post(
      '/verify-password',
      async ({ body, session, request }) => {
        await accounts.verifyPassword(deps, session, body.password, requestOrigin(deps, request).ip)
        return { verified: true as const }
      },
      {
        session: { whileLocked: true, whilePasswordIsDue: true, slow: true, ignoresKey: true },
        body: PasswordBody,
        response: { 200: VerifiedView, 401: ErrorBody, 403: ErrorBody, 423: ErrorBody },
        detail: {
          operationId: 'verifyPassword',
          summary: 'Verify the password of the caller',
          description:
            'Unlocks the session and counts as recent authentication for 15 minutes. 401 for an account without a password; 403 where only the identity provider lets people in.',
        },
      },
    )
    .post(
      '/change-password',
      async ({ body, session, request, set, setCookie }) => {
        const { ip } = requestOrigin(deps, request)
        const { token, sessionsRevoked } = await accounts.changePassword(deps, session, body, ip)
        writeSessionCookie({ set, setCookie }, deps.config, token)
        return { message: 'Password changed', sessions_revoked: sessionsRevoked }
      },
      {
        session: { whilePasswordIsDue: true, slow: true, ignoresKey: true },
        body: ChangePasswordBody,
        response: { 200: PasswordChangedView, 401: ErrorBody, 403: ErrorBody, 423: ErrorBody },
        detail: {
          operationId: 'changePassword',
          summary: 'Change the password',
          description:
            'Sets the first password of an account without one, which takes recent authentication instead of the old password. 403 where only the identity provider lets people in, unless the password must be changed. Ends every other session of the user and, unless `keep_feeds` is true, the feeds of their calendars; with `revoke_tokens` also their access tokens. This session continues with a new cookie.',
        },
      },
    )
    .delete(
      '/account',
      async ({ body, session, request, set, setCookie, status }) => {
        await accounts.deleteAccount(deps, session, body.password, requestOrigin(deps, request).ip)
        deleteSessionCookie({ set, setCookie }, deps.config)
        return status(204, undefined)
      },
      {
        session: { slow: true, ignoresKey: true },
        body: ProofBody,
        response: { 204: t.Void(), 401: ErrorBody, 403: ErrorBody, 409: ErrorBody, 423: ErrorBody },
        detail: {
          operationId: 'deleteAccount',
          summary: 'Delete the account',
          description:
            'Permanently deletes the account with all its data. Takes the password, or recent authentication where `has_password` of the status is false.',
        },
      },
    )

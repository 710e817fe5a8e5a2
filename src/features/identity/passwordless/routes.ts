import { Elysia } from 'elysia'
import type { Deps } from '../../../deps'
import { ErrorBody } from '../../../http/errors'
import { requestOrigin } from '../../../http/origin'
import type { SessionGuard } from '../../../http/session-guard'
import {
  AssertionOptionsView,
  PasswordlessDisableBody,
  PasswordlessDisabledView,
  PasswordlessEnableBody,
  PasswordlessEnabledView,
} from './model'
import * as passwordless from './service'

export const passwordlessRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'passwordless.routes', prefix: '/api/auth/passkeys/passwordless', tags: ['Passkeys'] })
    .use(guard)
    .put(
      '/enable',
      async ({ body, session, request }) => {
        const { ip } = requestOrigin(deps, request)
        await passwordless.enablePasswordless(deps, session, body.password, ip)
        return { message: 'Passwordless sign-in enabled', passwordless_enabled: true as const }
      },
      {
        session: { slow: true, ignoresKey: true },
        body: PasswordlessEnableBody,
        response: {
          200: PasswordlessEnabledView,
          401: ErrorBody,
          403: ErrorBody,
          409: ErrorBody,
          423: ErrorBody,
        },
        detail: {
          operationId: 'enablePasswordless',
          summary: 'Turn sign-in by password off',
          description:
            'Only if an administrator allows it, and with two passkeys or more. Takes the password, or recent authentication where `has_password` of the status is false. 403 where only the identity provider lets people in.',
        },
      },
    )
    .post('/disable/begin', ({ session }) => passwordless.beginDisabling(deps, session), {
      session: { ignoresKey: true },
      response: { 200: AssertionOptionsView, 403: ErrorBody, 409: ErrorBody },
      detail: {
        operationId: 'beginPasswordlessDisabling',
        summary: 'Start turning sign-in by password on again',
        description:
          'Returns the options for `navigator.credentials.get()`, which are valid for five minutes. 403 where only the identity provider lets people in.',
      },
    })
    .put(
      '/disable',
      async ({ body, session, request }) => {
        const { ip } = requestOrigin(deps, request)
        await passwordless.disablePasswordless(deps, session, body.credential, ip)
        return { message: 'Passwordless sign-in disabled', passwordless_enabled: false as const }
      },
      {
        session: { ignoresKey: true },
        body: PasswordlessDisableBody,
        response: { 200: PasswordlessDisabledView, 401: ErrorBody, 403: ErrorBody, 409: ErrorBody },
        detail: {
          operationId: 'disablePasswordless',
          summary: 'Turn sign-in by password on again',
          description: 'Takes the result of `navigator.credentials.get()`.',
        },
      },
    )

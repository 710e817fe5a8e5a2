import { Elysia } from 'elysia'
import type { Deps } from '../../../deps'
import { ErrorBody } from '../../../http/errors'
import { MessageView } from '../../../http/message'
import { requestOrigin } from '../../../http/origin'
import { type SessionGuard, SIGNED_IN } from '../../../http/session-guard'
import {
  BackupCodesBody,
  BackupCodesView,
  TotpConfirmBody,
  TotpDisableBody,
  TotpEnabledView,
  TotpSetupView,
  TotpStatusView,
} from './model'
import * as totp from './service'

export const totpRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'totp.routes', prefix: '/api/auth/totp', tags: ['Second factors'] })
    .use(guard)
    .post('/setup', ({ session }) => totp.setUpTotp(deps, session), {
      session: { recent: true, ignoresKey: true },
      response: { 200: TotpSetupView, 409: ErrorBody },
      detail: {
        operationId: 'setUpTotp',
        summary: 'Start setting up an authenticator',
        description: 'Returns the secret to scan. Starting again replaces it.',
      },
    })
    .post(
      '/confirm',
      async ({ body, session, request }) => {
        const { ip } = requestOrigin(deps, request)
        const codes = await totp.confirmTotp(deps, session, body.code, ip)
        return { message: 'TOTP enabled', totp_enabled: true as const, backup_codes: [...codes] }
      },
      {
        session: { ignoresKey: true },
        body: TotpConfirmBody,
        response: { 200: TotpEnabledView, 400: ErrorBody, 409: ErrorBody },
        detail: {
          operationId: 'confirmTotp',
          summary: 'Turn the authenticator on with its first code',
          description:
            'From then on a password alone does not sign in. Returns the backup codes, which are shown only once.',
        },
      },
    )
    .post(
      '/disable',
      async ({ body, session, request }) => {
        await totp.disableTotp(deps, session, body, requestOrigin(deps, request))
        return { message: 'TOTP disabled' }
      },
      {
        session: { slow: true, ignoresKey: true },
        body: TotpDisableBody,
        response: {
          200: MessageView,
          400: ErrorBody,
          401: ErrorBody,
          403: ErrorBody,
          409: ErrorBody,
          423: ErrorBody,
        },
        detail: {
          operationId: 'disableTotp',
          summary: 'Turn the authenticator off',
          description:
            'Also deletes its backup codes. Besides a code it takes the password, or recent authentication where `has_password` of the status is false. Ten wrong codes, counted over all operations that take one, lock the account. A right code resets the count, a right password does not. The user gets a `security` notification.',
        },
      },
    )
    .get('/status', ({ session }) => totp.totpStatus(deps, session.userId), {
      session: SIGNED_IN,
      response: { 200: TotpStatusView },
      detail: { operationId: 'getTotpStatus', summary: 'Get the status of the second factor' },
    })
    .post(
      '/backup-codes',
      async ({ body, session, request }) => {
        const codes = await totp.replaceBackupCodes(deps, session, body, requestOrigin(deps, request))
        return { backup_codes: [...codes] }
      },
      {
        session: { slow: true, ignoresKey: true },
        body: BackupCodesBody,
        response: {
          200: BackupCodesView,
          400: ErrorBody,
          401: ErrorBody,
          403: ErrorBody,
          409: ErrorBody,
          423: ErrorBody,
        },
        detail: {
          operationId: 'renewBackupCodes',
          summary: 'Get new backup codes',
          description:
            'The old ones become invalid. Besides the password it takes a code of the authenticator or recent authentication; recent authentication alone where `has_password` of the status is false. Ten wrong codes, counted over all operations that take one, lock the account; a right code resets the count. The user gets a `security` notification.',
        },
      },
    )

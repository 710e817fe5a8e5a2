import { Elysia, t } from 'elysia'
import type { Deps } from '../../../deps'
import { ErrorBody } from '../../../http/errors'
import { requestOrigin } from '../../../http/origin'
import type { Again } from '../../../http/admission'
import { type SessionGuard, SIGNED_IN } from '../../../http/session-guard'
import { readId } from '../../../lib/wire/id'
import { pathId } from '../../../lib/wire/schema'
import {
  PasskeysView,
  PasskeyView,
  RegisterPasskeyBody,
  RegistrationOptionsView,
  RenamePasskeyBody,
} from './model'
import * as passkeys from './service'

const byId = t.Object({ id: pathId('The passkey.') })

export const passkeyRoutes = (deps: Deps, guard: SessionGuard) => {
  const named = (request: Request, id: string) => ({
    id: readId(id, 'Passkey'),
    ip: requestOrigin(deps, request).ip,
  })
  return new Elysia({ name: 'passkeys.routes', prefix: '/api/auth/passkeys', tags: ['Passkeys'] })
    .use(guard)
    .get('', async ({ session }) => ({ passkeys: await passkeys.listPasskeys(deps, session.userId) }), {
      session: SIGNED_IN,
      response: { 200: PasskeysView },
      detail: { operationId: 'listPasskeys', summary: 'List the passkeys', description: 'By name.' },
    })
    .post('/register/begin', ({ session }) => passkeys.beginRegistration(deps, session), {
      session: { recent: true, ignoresKey: true },
      response: { 200: RegistrationOptionsView, 409: ErrorBody },
      detail: {
        operationId: 'beginPasskeyRegistration',
        summary: 'Start registering a passkey',
        description:
          'Returns the options for `navigator.credentials.create()`, which are valid for five minutes.',
      },
    })
    .post(
      '/register/complete',
      async ({ body, session, request, status }) => {
        const caller = requestOrigin(deps, request)
        return status(201, await passkeys.completeRegistration(deps, session, body, caller))
      },
      {
        session: { ignoresKey: true },
        body: RegisterPasskeyBody,
        response: { 201: PasskeyView, 400: ErrorBody, 409: ErrorBody },
        detail: {
          operationId: 'completePasskeyRegistration',
          summary: 'Register a passkey',
          description: 'Takes the result of `navigator.credentials.create()`.',
        },
      },
    )
    .put(
      '/:id',
      ({ body, session, params, request }) =>
        passkeys.renamePasskey(deps, session, named(request, params.id), body.name),
      {
        session: {
          readAgain: async ({ session, item }: Again) =>
            (await passkeys.listPasskeys(deps, session.userId)).find(({ id }) => id === item),
        },
        params: byId,
        body: RenamePasskeyBody,
        response: { 200: PasskeyView, 404: ErrorBody },
        detail: { operationId: 'renamePasskey', summary: 'Rename a passkey' },
      },
    )
    .delete(
      '/:id',
      async ({ session, params, request, status }) => {
        await passkeys.deletePasskey(deps, session, named(request, params.id))
        return status(204, undefined)
      },
      {
        session: { recent: true },
        params: byId,
        response: { 204: t.Void(), 404: ErrorBody, 409: ErrorBody },
        detail: {
          operationId: 'deletePasskey',
          summary: 'Delete a passkey',
          description: 'While passwordless sign-in is enabled, at least two passkeys must remain.',
        },
      },
    )
}

import { Elysia, t } from 'elysia'
import type { Deps } from '../../../deps'
import { ErrorBody } from '../../../http/errors'
import { requestOrigin } from '../../../http/origin'
import { type SessionGuard, SIGNED_IN } from '../../../http/session-guard'
import { readId } from '../../../lib/wire/id'
import { pathId } from '../../../lib/wire/schema'
import { IdentitiesView } from './model'
import * as identities from './service'

export const identityRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'identities.routes', prefix: '/api/auth/identities', tags: ['Single sign-on'] })
    .use(guard)
    .get(
      '',
      async ({ session }) => {
        identities.refuseWithoutProvider(deps)
        return { identities: await identities.listIdentities(deps, session.userId) }
      },
      {
        session: SIGNED_IN,
        response: { 200: IdentitiesView, 404: ErrorBody },
        detail: {
          operationId: 'listIdentities',
          summary: 'List the linked identities',
          description:
            'Accounts at the identity provider that are linked with the caller. 404 where no provider is configured.',
        },
      },
    )
    .delete(
      '/:id',
      async ({ session, params, request, status }) => {
        identities.refuseWithoutProvider(deps)
        const { ip } = requestOrigin(deps, request)
        await identities.removeIdentity(deps, session, { id: readId(params.id, 'Identity'), ip })
        return status(204, undefined)
      },
      {
        session: { recent: true },
        params: t.Object({ id: pathId('The identity.') }),
        response: { 204: t.Void(), 404: ErrorBody, 409: ErrorBody },
        detail: {
          operationId: 'deleteIdentity',
          summary: 'Unlink an identity',
          description:
            'Only while a password, a passkey or another identity still lets the caller in; another identity where only the provider lets people in.',
        },
      },
    )

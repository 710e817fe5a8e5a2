import { Elysia, t } from 'elysia'
import type { Deps } from '../../../deps'
import { ErrorBody } from '../../../http/errors'
import { requestOrigin } from '../../../http/origin'
import { type SessionGuard, SIGNED_IN } from '../../../http/session-guard'
import { readId } from '../../../lib/wire/id'
import { NewTokenBody, NewTokenView, TokenPath, TokensView, TokenView } from './model'
import * as tokens from './service'

export const tokenRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'tokens.routes', prefix: '/api/auth/tokens', tags: ['Access tokens'] })
    .use(guard)
    .get('', async ({ session }) => ({ tokens: await tokens.listTokens(deps, session.userId) }), {
      session: SIGNED_IN,
      response: { 200: TokensView },
      detail: {
        operationId: 'listAccessTokens',
        summary: 'List the access tokens',
        description: 'Newest first. Expired ones are shown for another 30 days.',
      },
    })
    .post(
      '',
      async ({ body, session, request, status }) =>
        status(201, await tokens.createToken(deps, session, body, requestOrigin(deps, request))),
      {
        session: { recent: true, ignoresKey: true },
        body: NewTokenBody,
        response: { 201: NewTokenView, 409: ErrorBody },
        detail: {
          operationId: 'createAccessToken',
          summary: 'Create an access token',
          description:
            'With it a program acts for the caller, as far as its scopes allow: `Authorization: Bearer <token>`. It is shown only once. A `security` notification reports it.',
        },
      },
    )
    .get('/current', ({ session }) => tokens.currentToken(deps, session), {
      session: { scope: 'any' },
      response: { 200: TokenView, 404: ErrorBody },
      detail: {
        operationId: 'getCurrentAccessToken',
        summary: 'Read the access token of the request',
        description: 'With a session there is none: 404.',
      },
    })
    .delete(
      '/:id',
      async ({ session, params, request, status }) => {
        const { ip } = requestOrigin(deps, request)
        await tokens.revokeToken(deps, session, readId(params.id, 'Access token'), ip)
        return status(204, undefined)
      },
      {
        session: SIGNED_IN,
        params: TokenPath,
        response: { 204: t.Void(), 404: ErrorBody },
        detail: {
          operationId: 'revokeAccessToken',
          summary: 'Revoke an access token',
          description: 'From now on the token lets nobody in.',
        },
      },
    )

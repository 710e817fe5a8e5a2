import { Elysia, t } from 'elysia'
import type { Deps } from '../../../deps'
import { refuseForeignNavigation } from '../../../http/cross-origin'
import { ErrorBody } from '../../../http/errors'
import { MessageView } from '../../../http/message'
import { requestOrigin } from '../../../http/origin'
import { noteUser } from '../../../http/request-context'
import {
  deleteBrowserCookie,
  readCookie,
  readSessionCookie,
  writeBrowserCookie,
  writeSessionCookie,
  writeStepCookie,
} from '../../../http/session-cookie'
import type { SessionGuard } from '../../../http/session-guard'
import { BeginQuery, CallbackQuery, LogoutForm } from './model'
import { begin } from './service.begin'
import { comeBack } from './service.callback'
import { logOut } from './service.logout'

const leadTo = (location: string) => new Response(null, { status: 302, headers: { location } })

export const oidcRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'oidc.routes', prefix: '/api/auth/oidc', tags: ['Single sign-on'] })
    .use(guard)
    .get(
      '/begin',
      async ({ query, request, set, setCookie }) => {
        const { purpose = 'sign-in', next } = query
        if (purpose !== 'sign-in') refuseForeignNavigation(request)
        const token = readSessionCookie(request)
        const { location, cookie } = await begin(deps, {
          purpose,
          next,
          token,
          ...requestOrigin(deps, request),
        })
        if (cookie) writeBrowserCookie({ set, setCookie }, deps.config, cookie)
        return leadTo(location)
      },
      {
        public: { rateLimited: true, slow: true },
        query: BeginQuery,
        response: { 302: t.Void(), 401: ErrorBody, 403: ErrorBody, 404: ErrorBody, 423: ErrorBody },
        detail: {
          operationId: 'beginSingleSignOn',
          summary: 'Go to the identity provider',
          description:
            'For browsers. Leads to the provider, or to `/sign-in?error=<code>`. Linking asks for a session with recent authentication, and reauthentication for a session; 404 where no provider is configured.',
        },
      },
    )
    .get(
      '/callback',
      async ({ request, set, setCookie }) => {
        const { location, token, mfaToken, userId, usedCookie } = await comeBack(deps, {
          answer: new URL(request.url).searchParams,
          cookieOf: (name) => readCookie(request, name),
          token: readSessionCookie(request),
          ...requestOrigin(deps, request),
        })
        if (userId !== undefined) noteUser(request, userId)
        if (token !== undefined) writeSessionCookie({ set, setCookie }, deps.config, token)
        if (mfaToken !== undefined) writeStepCookie({ set, setCookie }, deps.config, mfaToken)
        if (usedCookie !== undefined) deleteBrowserCookie({ set, setCookie }, deps.config, usedCookie)
        return leadTo(location)
      },
      {
        public: { rateLimited: true, slow: true },
        query: CallbackQuery,
        response: { 302: t.Void(), 404: ErrorBody },
        detail: {
          operationId: 'completeSingleSignOn',
          summary: 'Come back from the identity provider',
          description:
            'For browsers. Leads to where the sign-in began, with a session cookie; to `/second-factor` or `/second-factor/set-up` with an `mfa_token` in the fragment; or to `/sign-in` or `/settings/security` with an `error`.',
        },
      },
    )
    .post(
      '/back-channel-logout',
      async ({ body, request, set }) => {
        await logOut(deps, body, requestOrigin(deps, request).ip)
        set.headers['cache-control'] = 'no-store'
        return { message: 'Signed out' }
      },
      {
        public: { slow: true },
        body: LogoutForm,
        response: { 200: MessageView, 400: ErrorBody, 404: ErrorBody },
        detail: {
          operationId: 'backChannelLogout',
          summary: 'End sessions for the identity provider',
          description:
            'For the provider (OpenID Connect Back-Channel Logout 1.0): ends the sessions that came from the session or subject of a logout token.',
        },
      },
    )

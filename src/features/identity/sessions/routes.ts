import { Elysia } from 'elysia'
import type { Deps } from '../../../deps'
import type { EndedSessions } from '../../../http/ended-sessions'
import { MessageView } from '../../../http/message'
import { requestOrigin } from '../../../http/origin'
import { noteUser } from '../../../http/request-context'
import {
  deleteSessionCookie,
  readSessionCookie,
  readSessionCookies,
  writeSessionCookie,
} from '../../../http/session-cookie'
import type { SessionGuard } from '../../../http/session-guard'
import { LockView, StatusView } from './model'
import * as sessions from './service'

export const sessionRoutes = (deps: Deps, guard: SessionGuard, ended: EndedSessions) =>
  new Elysia({ name: 'sessions.routes', prefix: '/api/auth', tags: ['Sessions'] })
    .use(guard)
    .get(
      '/status',
      async ({ request, set, setCookie }) => {
        const { view, renewedToken } = await sessions.status(deps, readSessionCookie(request))
        noteUser(request, view.user_id)
        if (renewedToken !== undefined) writeSessionCookie({ set, setCookie }, deps.config, renewedToken)
        return view
      },
      {
        public: {},
        response: { 200: StatusView },
        detail: {
          operationId: 'getStatus',
          summary: 'Get the status of the caller',
          description:
            'Never refuses: without a valid session `authenticated` is false. A valid session slides.',
        },
      },
    )
    .post(
      '/logout',
      async ({ request, set, setCookie }) => {
        await ended.signOut(readSessionCookies(request), requestOrigin(deps, request).ip)
        deleteSessionCookie({ set, setCookie }, deps.config)
        return { message: 'Signed out' }
      },
      {
        public: { alwaysAnswers: true },
        response: { 200: MessageView },
        detail: {
          operationId: 'logout',
          summary: 'Sign out',
          description:
            'Revokes the session of the cookie, if there is one, and deletes the cookie. When the database is down, the session is refused at once and revoked when the database is back.',
        },
      },
    )
    .post(
      '/lock',
      ({ session, request }) => sessions.lockSession(deps, session, requestOrigin(deps, request).ip),
      {
        session: { whileLocked: true, whilePasswordIsDue: true },
        response: { 200: LockView },
        detail: {
          operationId: 'lockSession',
          summary: 'Lock the session',
          description:
            'Until the password is verified or a passkey unlocks it, the session can only unlock, read its status and sign out.',
        },
      },
    )

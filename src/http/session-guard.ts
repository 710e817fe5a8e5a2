import { Elysia } from 'elysia'
import type { Deps } from '../deps'
import { isRecent } from '../features/sessions/rules'
import { authenticate, type CurrentSession, renewSession } from '../features/sessions/service'
import { AppError, forbidden } from '../lib/errors'
import { parseJson, readBody, refuseLargeBody } from './body'
import { refuseCrossOrigin } from './cross-origin'
import { clientAddress } from './origin'
import type { RateLimit } from './rate-limit'
import { contextOf } from './request-context'
import type { RouteTable } from './route-table'
import { cookies, readSessionCookie, writeSessionCookie } from './session-cookie'

/** What an operation that anyone may call asks for. */
export interface PublicRules {
  /** Counts against the limit of sign-in attempts. */
  readonly rateLimited?: boolean
  /** Neither the caller's origin nor the body can stop it. */
  readonly alwaysAnswers?: boolean
}

/** What an operation asks for beside a valid session. */
export interface SessionRules {
  readonly role?: CurrentSession['role']
  /** Allowed while the screen lock is on. */
  readonly whileLocked?: boolean
  /** Allowed while the password must be changed. */
  readonly whilePasswordIsDue?: boolean
  /** The session has proved itself within 15 minutes. */
  readonly recent?: boolean
}

interface Matched {
  readonly request: Request
  readonly route: string
}

export interface GuardDeps {
  readonly deps: Deps
  readonly routes: RouteTable
  readonly authRateLimit: RateLimit
}

/**
 * Adds the route options `public` and `session`, one of which every route states. Both run the contract's checks in their
 * order (section 0) before the body is parsed: in `parse`, and in `transform` for requests that skip it.
 */
export const sessionGuard = ({ deps, routes, authRateLimit }: GuardDeps) => {
  const sessions = new WeakMap<Request, CurrentSession>()
  const admitted = new WeakSet<Request>()
  const bodies = new WeakMap<Request, Uint8Array>()

  /** Body size, then origin: what is asked of everybody. */
  const receive = async ({ request, route }: Matched) => {
    if (routes.takesBody(request.method, route)) bodies.set(request, await readBody(request))
    else refuseLargeBody(request)
    refuseCrossOrigin(request, deps.config.http)
  }

  const once = async ({ request, route }: Matched, check: () => Promise<void>) => {
    if (admitted.has(request)) return
    admitted.add(request)
    const context = contextOf(request)
    if (context) context.route = route
    await check()
  }

  const admitAnyone = (matched: Matched, { rateLimited, alwaysAnswers }: PublicRules) =>
    once(matched, async () => {
      if (alwaysAnswers) return
      await receive(matched)
      if (rateLimited) limit(deps, authRateLimit, matched.request)
    })

  const admitSession = (matched: Matched, rules: SessionRules) =>
    once(matched, async () => {
      await receive(matched)
      const { request } = matched
      const session = await authenticate(deps, readSessionCookie(request))
      const context = contextOf(request)
      if (context) context.userId = session.userId
      refuse(session, rules, deps.clock.now())
      sessions.set(request, session)
    })

  const parse = ({ request, route }: Matched): unknown =>
    routes.takesBody(request.method, route) ? parseJson(request, bodies.get(request) ?? new Uint8Array()) : null

  return new Elysia({ name: 'http.session-guard' }).use(cookies()).macro({
    public: (rules: PublicRules) => ({
      detail: { security: [] },
      async parse(matched) {
        await admitAnyone(matched, rules)
        return parse(matched)
      },
      transform: (matched) => admitAnyone(matched, rules),
    }),
    session: (rules: SessionRules) => ({
      detail: { security: [{ session: [] }] },
      async parse(matched) {
        await admitSession(matched, rules)
        return parse(matched)
      },
      async transform(matched) {
        await admitSession(matched, rules)
        const session = sessions.get(matched.request)
        const token = session && (await renewSession(deps, session))
        if (token !== undefined) writeSessionCookie(matched, deps.config, token)
      },
      resolve({ request }) {
        const session = sessions.get(request)
        if (!session) throw new Error('the session guard did not run')
        return { session }
      },
    }),
  })
}

export type SessionGuard = ReturnType<typeof sessionGuard>

/** Session lock, password change, role, recent authentication, in this order. */
function refuse(session: CurrentSession, rules: SessionRules, now: Date): void {
  if (session.isLocked && !rules.whileLocked) {
    throw new AppError('locked', 'Session is locked', { code: 'session_locked' })
  }
  if (session.mustChangePassword && !rules.whilePasswordIsDue) {
    throw forbidden('Password change required', 'password_change_required')
  }
  if (rules.role !== undefined && session.role !== rules.role) throw forbidden('Insufficient permissions')
  if (rules.recent && !isRecent(session.authenticatedAt, now)) {
    throw forbidden('Recent authentication required', 'reauthentication_required')
  }
}

/**
 * Local clients are exempt: behind a proxy that is not trusted the address is the proxy's own, and one client must not
 * lock out the rest.
 */
function limit(deps: Deps, rateLimit: RateLimit, request: Request): void {
  const { config, ipRanges } = deps
  if (!config.http.authRateLimit) return
  const address = clientAddress(deps, request)
  if (!ipRanges.isLocal(address)) rateLimit.take(ipRanges.clientKey(address))
}

import type { Deps } from '../deps'
import { authenticate, type CurrentSession, hasRecentProof } from '../features/sessions/service'
import { AppError, forbidden, unavailable } from '../lib/errors'
import { JSON_BODY, parseBody, readBody, refuseLargeBody } from './body'
import { refuseCrossOrigin } from './cross-origin'
import { clientAddress, peerOf } from './origin'
import type { RateLimit } from './rate-limit'
import { contextOf, noteUser } from './request-context'
import type { RouteTable } from './route-table'
import { readSessionCookie } from './session-cookie'
import type { Turnstile } from './turnstile'

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
  /** Hands the user's settings over with the session. */
  readonly settings?: boolean
  /** The session has proved itself within 15 minutes. */
  readonly recent?: boolean
}

/** A request that a route has been found for. */
export interface Matched {
  readonly request: Request
  readonly route: string
}

export interface AdmissionDeps {
  readonly deps: Deps
  readonly routes: RouteTable
  readonly authRateLimit: RateLimit
  readonly turnstile: Turnstile
}

export type Admission = ReturnType<typeof createAdmission>

/** The contract's checks in their order (section 0), each request once, and the body after them. */
export function createAdmission(parts: AdmissionDeps) {
  const { deps, routes, authRateLimit } = parts
  const admitted = new WeakSet<Request>()
  const bodies = new WeakMap<Request, Uint8Array>()
  const sessions = new WeakMap<Request, CurrentSession>()
  const limit = createLimiter(deps, authRateLimit)
  const enter = createEntrance(parts)

  const isFirst = ({ request, route }: Matched): boolean => {
    if (admitted.has(request)) return false
    admitted.add(request)
    const context = contextOf(request)
    if (context) context.route = route
    return true
  }

  /** Body size, then origin: what is asked of everybody. */
  const receive = async ({ request, route }: Matched) => {
    const rule = routes.bodyRule(request.method, route)
    if (rule) {
      if (rule.mediaType !== JSON_BODY.mediaType) contextOf(request)?.allowLonger()
      bodies.set(request, await readBody(request, rule.maxBytes))
    } else refuseLargeBody(request)
    refuseCrossOrigin(request, deps.config.http)
  }

  return {
    admitAnyone: async (matched: Matched, { rateLimited, alwaysAnswers }: PublicRules): Promise<void> => {
      if (!isFirst(matched) || alwaysAnswers) return
      await receive(matched)
      if (rateLimited) limit(matched.request)
    },
    admitSession: async (matched: Matched, rules: SessionRules): Promise<void> => {
      if (!isFirst(matched)) return
      await receive(matched)
      const { request } = matched
      const recognised = await enter(matched)
      const session = await authenticate(deps, readSessionCookie(request), { withOwner: rules.settings })
      recognised?.()
      noteUser(request, session.userId)
      refuse(session, rules, deps.clock.now())
      sessions.set(request, session)
    },
    /** The session that `admitSession` let in. */
    sessionOf: (request: Request): CurrentSession => {
      const session = sessions.get(request)
      if (!session) throw new Error('the request was not admitted')
      return session
    },
    /** The parsed body; `null` for an operation that takes none, whatever was sent. */
    bodyOf: ({ request, route }: Matched): unknown => {
      const rule = routes.bodyRule(request.method, route)
      return rule ? parseBody(request, bodies.get(request) ?? new Uint8Array(), rule) : null
    },
  }
}

/** What waits for others than the database: hashing, which has a limit of its own, and other services. */
const WAITS_ELSEWHERE = /^\/api\/(auth|weather|settings\/ntfy)\b/

/** Turns requests away while there are more than can be served; its function throws 503, else answers what to call once the session is known. */
function createEntrance({ deps: { clock }, routes, turnstile }: AdmissionDeps) {
  return async ({ request, route }: Matched): Promise<(() => void) | undefined> => {
    const context = contextOf(request)
    const rule = routes.bodyRule(request.method, route) ?? JSON_BODY
    if (!context || rule.mediaType !== JSON_BODY.mediaType || WAITS_ELSEWHERE.test(route)) return undefined
    if (!(await turnstile.enter())) throw unavailable(undefined, 1)
    context.onEnd = () => turnstile.leave()
    const since = clock.monotonic()
    return () => turnstile.recognised(clock.monotonic() - since)
  }
}

/** Session lock, password change, role, recent authentication, in this order. */
function refuse(session: CurrentSession, rules: SessionRules, now: Date): void {
  if (session.isLocked && !rules.whileLocked) {
    throw new AppError('locked', 'Session is locked', { code: 'session_locked' })
  }
  if (session.mustChangePassword && !rules.whilePasswordIsDue) {
    throw forbidden('Password change required', 'password_change_required')
  }
  if (rules.role !== undefined && session.role !== rules.role) throw forbidden('Insufficient permissions')
  if (rules.recent && !hasRecentProof(session, now)) {
    throw forbidden('Recent authentication required', 'reauthentication_required')
  }
}

/**
 * Counts sign-in attempts. Local clients are exempt: behind a proxy that is not trusted the address is the proxy's own,
 * and one client must not lock out the rest.
 */
function createLimiter(deps: Deps, rateLimit: RateLimit): (request: Request) => void {
  const { config, ipRanges, log } = deps
  let hasWarned = false
  return (request) => {
    if (!config.http.authRateLimit) return
    const address = clientAddress(deps, request)
    if (!ipRanges.isLocal(address)) return rateLimit.take(ipRanges.clientKey(address))
    const { peer, isTrusted } = peerOf(deps, request)
    if (hasWarned || isTrusted || !request.headers.has('x-forwarded-for')) return
    hasWarned = true
    log.warn('X-Forwarded-For of a peer that TRUSTED_PROXIES does not name: sign-ins are not limited', {
      peer,
    })
  }
}

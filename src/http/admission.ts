import type { Deps } from '../deps'
import {
  authenticate,
  type CurrentSession,
  hasRecentProof,
  notRecent,
  readToken,
  SessionEndedError,
  type SessionKey,
} from '../access/sessions/service'
import { AppError, forbidden, unavailable } from '../lib/errors'
import { type BodyRule, JSON_BODY, parseBody, readBody, refuseLargeBody } from './body'
import { refuseCrossOrigin } from './cross-origin'
import type { EndedSessions } from './ended-sessions'
import type { Caller, Lines } from './lines'
import { callerOf, clientAddress, peerOf } from './origin'
import type { RateLimit } from './rate-limit'
import { contextOf, noteUser } from './request-context'
import type { RouteTable } from './route-table'
import { readSessionCookie } from './session-cookie'
import type { Turnstile } from './turnstile'
import { createUnclaimedHostCheck } from './unclaimed-host'

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
  /** Hashes, asks another service or reads a file, each with bounds of its own, and so takes no place from other requests. */
  readonly slow?: boolean
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
  readonly lines: Lines
  readonly ended: EndedSessions
  readonly turnstile: Turnstile
}

export type Admission = ReturnType<typeof createAdmission>

/** What is known of a request that came to its route. */
interface Entry {
  /** Undefined for an operation that takes no body. */
  readonly rule: BodyRule | undefined
  body?: Uint8Array
  session?: CurrentSession
}

/**
 * Checks each request once, in a fixed order (contract: http.order). The body is read after all of them: what is refused costs
 * neither the time nor the memory that its body would take.
 */
export function createAdmission({ deps, routes, authRateLimit, lines, ended, turnstile }: AdmissionDeps) {
  const entries = createEntries(routes)
  const limit = createLimiter(deps, authRateLimit)
  const { standInLine, takePlace } = createQueues(lines, turnstile)
  const { readKey, authenticated } = createAuthentication(deps, ended)
  const refuseUnclaimed = createUnclaimedHostCheck(deps)

  const begin = (matched: Matched): Entry | undefined => {
    const entry = entries.add(matched)
    if (!entry) return undefined
    refuseLargeBody(matched.request, entry.rule?.maxBytes)
    refuseCrossOrigin(matched.request, deps.config.http)
    return entry
  }

  return {
    admitAnyone: async (matched: Matched, { rateLimited, alwaysAnswers }: PublicRules): Promise<void> => {
      if (alwaysAnswers) return void entries.add(matched)
      const entry = begin(matched)
      if (!entry) return
      const { request } = matched
      if (rateLimited) limit(request)
      await standInLine(request, callerOf(deps, request))
      await refuseUnclaimed(request)
      if (entry.rule) await receive(request, entry, entry.rule)
    },
    admitSession: async (matched: Matched, rules: SessionRules): Promise<void> => {
      const entry = begin(matched)
      if (!entry) return
      const { request } = matched
      const key = readKey(request)
      await standInLine(request, lineOf(key, matched))
      if (!rules.slow) await takePlace(request)
      const check = async () => {
        const session = await authenticated(key, rules.settings)
        noteUser(request, session.userId)
        refuse(session, rules, deps.clock.now())
        entry.session = session
      }
      await check()
      if (!entry.rule) return
      // A body that takes its time keeps nobody else from a place.
      leavePlace(request)
      const since = deps.clock.monotonic()
      await receive(request, entry, entry.rule)
      if (!rules.slow) await takePlace(request)
      // Meanwhile the session may have been locked or ended.
      if (deps.clock.monotonic() - since > LONG_BODY_MS) await check()
    },
    sessionOf: entries.sessionOf,
    bodyOf: entries.bodyOf,
  }
}

function createEntries(routes: RouteTable) {
  const entries = new WeakMap<Request, Entry>()
  return {
    /** Undefined where the request was here before. */
    add: ({ request, route }: Matched): Entry | undefined => {
      if (entries.has(request)) return undefined
      const entry = { rule: routes.bodyRule(request.method, route) }
      entries.set(request, entry)
      const context = contextOf(request)
      if (context) context.route = route
      return entry
    },
    /** The session that `admitSession` let in. */
    sessionOf: (request: Request): CurrentSession => {
      const session = entries.get(request)?.session
      if (!session) throw new Error('the request was not admitted')
      return session
    },
    /** The parsed body; `null` for an operation that takes none, whatever was sent. */
    bodyOf: (request: Request): unknown => {
      const { rule, body = new Uint8Array() } = entries.get(request) ?? {}
      return rule ? parseBody(request, body, rule) : null
    },
  }
}

/** The two queues that requests stand in: their caller's own line first, and then the turnstile with everybody else. */
function createQueues(lines: Lines, turnstile: Turnstile) {
  return {
    standInLine: async (request: Request, caller: Caller): Promise<void> => {
      const context = contextOf(request)
      if (!context) return
      const entered = lines.enter(caller)
      context.onSent = typeof entered === 'function' ? entered : await entered
    },
    takePlace: async (request: Request): Promise<void> => {
      const context = contextOf(request)
      if (!context) return
      const isIn = turnstile.enter()
      if (!(isIn === true || (await isIn))) throw unavailable(undefined, 1)
      context.onEnd = () => turnstile.leave()
    },
  }
}

function leavePlace(request: Request): void {
  const context = contextOf(request)
  context?.onEnd?.()
  delete context?.onEnd
}

/**
 * A user's requests stand in one line; those about the account itself in one of their session: who has stolen another session of the
 * user's cannot keep them from ending it.
 */
const lineOf = ({ id, userId }: SessionKey, { route }: Matched): Caller => ({
  key: route.startsWith('/api/auth/') ? `session ${id}` : `user ${userId}`,
})

/** A body that takes longer than this outlives the checks before it. */
const LONG_BODY_MS = 1000

/** The checks of a session; one that has ended takes no room in the line of its user. */
function createAuthentication(deps: Deps, ended: EndedSessions) {
  return {
    readKey: (request: Request): SessionKey => {
      const key = readToken(deps, readSessionCookie(request))
      if (ended.has(key.id)) throw new SessionEndedError()
      return key
    },
    authenticated: async (key: SessionKey, withOwner: boolean | undefined): Promise<CurrentSession> => {
      try {
        return await authenticate(deps, key, { withOwner })
      } catch (error) {
        if (error instanceof SessionEndedError) ended.note(key.id)
        throw error
      }
    },
  }
}

async function receive(request: Request, entry: Entry, { mediaType, maxBytes }: BodyRule): Promise<void> {
  if (mediaType !== JSON_BODY.mediaType) contextOf(request)?.allowLonger()
  entry.body = await readBody(request, maxBytes)
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
    throw notRecent()
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

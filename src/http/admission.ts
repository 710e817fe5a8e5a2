import type { Deps } from '../deps'
import { type CurrentSession, hasRecentProof, notRecent } from '../access/sessions/service'
import { insufficientScope } from '../lib/access-tokens'
import { AppError, forbidden, invalid } from '../lib/errors'
import { allows, type Scope } from '../lib/scopes'
import { createAuthentication, type Credentials, lineOf } from './authentication'
import { hasBearer } from './bearers'
import { type BodyRule, JSON_BODY, parseBody, readBody, refuseLargeBody } from './body'
import { refuseCrossOrigin } from './cross-origin'
import { peerOf } from './origin'
import { createQueues, type Queues } from './queues'
import { countedNetworks, type RateLimit } from './rate-limit'
import { contextOf, noteUser } from './request-context'
import { operationOf } from './operations'
import { createSources } from './retries.sources'
import type { RouteTable } from './route-table'
import { createUnclaimedHostCheck } from './unclaimed-host'

/** Options of a public route. */
export interface PublicRules {
  /** Counts against the limit of sign-in attempts. */
  readonly rateLimited?: boolean
  /** Skips all checks: no origin, body or queue can stop the request. */
  readonly alwaysAnswers?: boolean
  /** Hashes a password or asks the identity provider, in a queue of its own, and so takes no place from other anonymous requests. */
  readonly slow?: boolean
  /**
   * Returns the key of the requested resource's line, or undefined when there is no such resource. Requests for the
   * resource wait in its line instead of in the lines of their addresses.
   */
  readonly findLine?: (params: PathParams) => Promise<string | undefined>
}

type PathParams = Readonly<Record<string, string>>

/** Options of a route that needs a session. */
export interface SessionRules {
  readonly role?: CurrentSession['role']
  /** Allowed while the screen lock is on. */
  readonly whileLocked?: boolean
  /** Allowed while the password must be changed. */
  readonly whilePasswordIsDue?: boolean
  /** Loads the user's settings with the session. */
  readonly settings?: boolean
  /** Loads where the journal stands for the user with the session. */
  readonly standing?: boolean
  /** Requires a session that has proved itself within 15 minutes. */
  readonly recent?: boolean
  /**
   * For routes that hash, call another service or read a file. Each of these has its own limits, so the route needs no
   * place in a turnstile.
   */
  readonly slow?: boolean
  /** Changes nothing, though it is no GET. */
  readonly reads?: boolean
  /**
   * Reads the answer to a repeated request again, as it is now; undefined or a 404 when it is gone. For routes whose answer no GET
   * route gives, unless it holds nothing but counts and fixed texts (contract: retries.keys).
   */
  readonly readAgain?: (again: Again) => Promise<unknown>
  /** Takes or shows a secret, of which nothing is kept, so that `Idempotency-Key` is ignored (contract: retries.keys). */
  readonly ignoresKey?: boolean
  /**
   * What an access token must allow to reach the route (contract: tokens.scopes); `any` lets every token in. Without it no
   * token reaches the route.
   */
  readonly scope?: Scope | 'any'
}

/** A repeated request, and the id in its first answer: 0 if that had none. */
export interface Again {
  readonly session: CurrentSession
  /** The id of the first operation. */
  readonly operation: string
  readonly item: number
  readonly params: Readonly<Record<string, string | undefined>>
  readonly query: Readonly<Record<string, string | undefined>>
  readonly body: unknown
}

/** A request with its matched route. */
export interface Matched {
  readonly request: Request
  readonly route: string
  readonly params: PathParams
}

interface AdmissionDeps extends Queues, Credentials {
  readonly deps: Deps
  readonly routes: RouteTable
  readonly authRateLimit: RateLimit
}

export type Admission = ReturnType<typeof createAdmission>

/** The state of a request that has reached its route. */
interface Entry {
  readonly route: string
  /** Undefined for a public route. */
  readonly rules: SessionRules | undefined
  /** Undefined when the route takes no body. */
  readonly rule: BodyRule | undefined
  body?: Uint8Array<ArrayBuffer>
  session?: CurrentSession
}

/**
 * Checks each request once, in a fixed order (contract: http.order). Reads the body last, so that a refused request
 * costs neither the time nor the memory for its body.
 */
export function createAdmission({ deps, routes, authRateLimit, ended, bearers, ...limits }: AdmissionDeps) {
  const changingAt = createSources(routes)
  const entries = createEntries(routes, changingAt)
  const begin = (matched: Matched, isBearer: boolean, rules?: SessionRules): Entry | undefined => {
    const entry = entries.add(matched, rules)
    if (!entry) return undefined
    refuseLargeBody(matched.request, entry.rule?.maxBytes)
    // A browser adds no token by itself, so another site's page has to know it.
    if (!isBearer) refuseCrossOrigin(matched.request, deps.config.http)
    return entry
  }
  const queues = createQueues(deps, limits)
  const parts: Parts = {
    deps,
    queues,
    changingAt,
    authentication: createAuthentication(deps, queues, { ended, bearers }),
  }
  const receiveAnyone = createPublicAdmission(parts, createLimiter(deps, authRateLimit))
  const receiveSession = createSessionAdmission(parts)
  return {
    admitAnyone: async (matched: Matched, rules: PublicRules): Promise<void> => {
      if (contextOf(matched.request)?.isBatched) throw notBatchable()
      if (rules.alwaysAnswers) return void entries.add(matched)
      const entry = begin(matched, false)
      if (entry) await receiveAnyone(matched, entry, rules)
    },
    admitSession: async (matched: Matched, rules: SessionRules): Promise<void> => {
      refuseBatched(matched, rules)
      const entry = begin(matched, hasBearer(matched.request), rules)
      if (entry) await receiveSession(matched, entry, rules)
    },
    sessionOf: entries.sessionOf,
    keyedOf: entries.keyedOf,
    bodyOf: entries.bodyOf,
  }
}

/** Routes with a session that no batch may hold, beside those that ignore its keys (contract: retries.batch). */
const UNBATCHED = /^\/api\/(?:auth|admin|batch|changes\/stream)\b|\/(?:export|import)\b/

/** @throws {AppError} 422. */
function refuseBatched({ request, route }: Matched, { ignoresKey }: SessionRules): void {
  if (contextOf(request)?.isBatched && (ignoresKey || UNBATCHED.test(route))) throw notBatchable()
}

const notBatchable = () => invalid([{ field: 'path', message: 'cannot be part of a batch' }])

interface Parts {
  readonly deps: Deps
  readonly queues: ReturnType<typeof createQueues>
  readonly changingAt: ReturnType<typeof createSources>
  readonly authentication: ReturnType<typeof createAuthentication>
}

/**
 * On a public route, a request with a session waits in the line of its user or session and takes a `signedIn` place,
 * unless the route is rate-limited or has a line of its own.
 */
function createPublicAdmission({ deps, queues, authentication }: Parts, limit: (request: Request) => void) {
  const { standInLine, standInLineFound, standInLinesOfAddress, takePlace } = queues
  const refuseUnclaimed = createUnclaimedHostCheck(deps)
  return async (
    matched: Matched,
    entry: Entry,
    { rateLimited, slow, findLine }: PublicRules,
  ): Promise<void> => {
    const { request, params } = matched
    if (rateLimited) limit(request)
    const key = rateLimited || findLine ? undefined : authentication.findKey(request)
    if (findLine) await standInLineFound(request, () => findLine(params))
    else if (key) await standInLine(request, lineOf(key, matched.route))
    else await standInLinesOfAddress(request)
    await refuseUnclaimed(request)
    if (entry.rule) await receive(request, entry, entry.rule)
    const turnstile = key ? 'signedIn' : 'anonymous'
    await takePlace(request, slow ? 'hashing' : turnstile)
  }
}

function createSessionAdmission({ deps, queues, changingAt, authentication }: Parts) {
  const { takePlace, leavePlace } = queues
  return async (matched: Matched, entry: Entry, rules: SessionRules): Promise<void> => {
    const { request } = matched
    const findCaller = hasBearer(request)
      ? await authentication.standWithToken(request)
      : await authentication.standWithCookie(request, matched.route)
    if (!rules.slow) await takePlace(request, 'signedIn')
    const check = async () => {
      const session = await findCaller({ withOwner: rules.settings, withStanding: rules.standing })
      noteUser(request, session.userId)
      refuse(session, rules, deps.clock.now())
      entry.session = session
    }
    const begin = async () => {
      const changing = rules.reads ? undefined : changingAt(request.method, matched.route)
      if (!changing || !entry.session) return
      const { body = new Uint8Array() } = entry
      const operation = await operationOf(deps, { request, changing, body, rules })
      entry.session = { ...entry.session, operation }
      const context = contextOf(request)
      if (context) context.operation = operation
    }
    await check()
    if (!entry.rule) return begin()
    // Give up the place while the body arrives, because a slow body must not block other requests.
    leavePlace(request)
    const since = deps.clock.monotonic()
    await receive(request, entry, entry.rule)
    if (!rules.slow) await takePlace(request, 'signedIn')
    // The session may have been locked or ended while the body arrived.
    if (deps.clock.monotonic() - since > LONG_BODY_MS) await check()
    await begin()
  }
}

function createEntries(routes: RouteTable, changingAt: Parts['changingAt']) {
  const entries = new WeakMap<Request, Entry>()
  return {
    /** Undefined when the request has been added before. */
    add: ({ request, route }: Matched, rules?: SessionRules): Entry | undefined => {
      if (entries.has(request)) return undefined
      const entry = { route, rules, rule: routes.bodyRule(request.method, route) }
      entries.set(request, entry)
      const context = contextOf(request)
      if (context) context.route = route
      return entry
    },
    /** The session of a request that `admitSession` has admitted. */
    sessionOf: (request: Request): CurrentSession => {
      const session = entries.get(request)?.session
      if (!session) throw new Error('the request was not admitted')
      return session
    },
    /** What is known of an admitted request with an `Idempotency-Key`; undefined for others. */
    keyedOf: (request: Request) => {
      const { session, route = '', rules } = entries.get(request) ?? {}
      const operation = session?.operation
      if (!session || !operation?.retry || !rules) return undefined
      const changing = changingAt(request.method, route)
      return changing && { session, operation, route, rules, changing }
    },
    /** The parsed body; always `null` when the route takes no body. */
    bodyOf: (request: Request): unknown => {
      const { rule, body = new Uint8Array() } = entries.get(request) ?? {}
      return rule ? parseBody(request, body, rule) : null
    },
  }
}

/** After a body that took longer than this, the session is checked again. */
const LONG_BODY_MS = 1000

async function receive(request: Request, entry: Entry, { maxBytes }: BodyRule): Promise<void> {
  if (maxBytes > JSON_BODY.maxBytes) contextOf(request)?.allowLonger()
  entry.body = await readBody(request, maxBytes)
}

/** Checks session lock, password change, scope, role and recent authentication, in this order. */
function refuse(session: CurrentSession, rules: SessionRules, now: Date): void {
  if (session.state?.isLocked && !rules.whileLocked) {
    throw new AppError('locked', 'Session is locked', { code: 'session_locked' })
  }
  if (session.mustChangePassword && !rules.whilePasswordIsDue) {
    throw forbidden('Password change required', 'password_change_required')
  }
  refuseBeyondScope(session, rules)
  if (rules.role !== undefined && session.role !== rules.role) throw forbidden('Insufficient permissions')
  if (rules.recent && !hasRecentProof(session, now)) {
    throw notRecent()
  }
}

/** @throws {AppError} 403. */
function refuseBeyondScope({ token }: CurrentSession, { scope }: SessionRules): void {
  if (!token || scope === 'any') return
  if (scope === undefined || !allows(token.scopes, scope)) throw insufficientScope(scope)
}

/** Counts sign-in attempts. */
function createLimiter(deps: Deps, rateLimit: RateLimit): (request: Request) => void {
  const { config, log } = deps
  let hasWarned = false
  return (request) => {
    const networks = countedNetworks(deps, request)
    if (networks.length > 0) return rateLimit.take(networks)
    const { peer, isTrusted } = peerOf(deps, request)
    if (!config.http.authRateLimit || hasWarned || isTrusted || !request.headers.has('x-forwarded-for'))
      return
    hasWarned = true
    log.warn('X-Forwarded-For from a peer that is not in TRUSTED_PROXIES: sign-ins are not limited', {
      peer,
    })
  }
}

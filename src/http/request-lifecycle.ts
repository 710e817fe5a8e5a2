import type { Deps } from '../deps'
import { AppError, unavailable } from '../lib/errors'
import type { Clock } from '../lib/ports/clock'
import { Deadlines } from './deadlines'
import { errorResponse, failureFields } from './errors'
import { Refusals } from './refusals'
import { openContext, type RequestContext } from './request-context'
import { BUNS_JSON, countedUntilSent } from './sending'

/** Every request is answered within ten seconds (contract: http.deadlines). Sending a long response may take longer. */
const DEADLINE_MS = 9500
/** Imports are answered within sixty seconds. */
const IMPORT_DEADLINE_MS = 59_500
const REQUEST_ID = /^[\w.-]{1,128}$/

type Fetch = (request: Request) => Response | Promise<Response>
type LifecycleDeps = Pick<Deps, 'clock' | 'random' | 'log' | 'metrics' | 'readiness'>

/**
 * Wraps every request, whatever its outcome: id, deadline, the headers of every response, one log line and one metric.
 * Of a flood of refusals, only some get a line.
 * `HEAD` is handled as `GET`; the server omits the body (RFC 9110, section 9.3.2).
 */
export function withLifecycle(deps: LifecycleDeps, handle: Fetch): (request: Request) => Promise<Response> {
  const { clock, log } = deps
  const idOf = createIds(deps)
  const turns = createTurns(clock)
  const refusals = new Refusals(log)
  const deadlines = new Deadlines(DEADLINE_MS, () => clock.monotonic())
  const importDeadlines = new Deadlines(IMPORT_DEADLINE_MS, () => clock.monotonic())

  const fail = (error: unknown, { id }: RequestContext): Response => {
    log.error('Request failed outside its handler', { request_id: id, ...failureFields(error) })
    return errorResponse(new AppError('internal', 'Internal server error'))
  }
  const refuseLate = (context: RequestContext): Response => {
    context.isLate = true
    log.warn('Request exceeded its deadline', { request_id: context.id, route: context.route })
    return context.lateAnswer?.() ?? errorResponse(unavailable(undefined))
  }

  return (incoming) => {
    const startedAt = clock.monotonic()
    const request = toHandle(incoming)
    const allowLonger = () => {
      if (deadlines.remove(pending)) importDeadlines.add(pending)
    }
    const context = openContext(request, { id: idOf(request), startedAt, incoming, allowLonger, refusals })
    const finish = (response: Response): Response => {
      setHeaders(response, context)
      // A client that sends another request on this connection might find it closed.
      if (deps.readiness.isDraining()) response.headers.set('connection', 'close')
      report(deps, { context, method: incoming.method, status: response.status, startedAt })
      return response
    }
    // One promise is cheaper than a race of several, and this runs for every request.
    const { promise, resolve } = Promise.withResolvers<Response>()
    const pending = { startedAt, expire: () => resolve(finish(refuseLate(context))) }
    const settle = async () => {
      const turn = turns.present()
      let response: Response
      try {
        response = await handle(request)
      } catch (error) {
        response = fail(error, context)
      }
      await turns.end(turn)
      context.onEnd?.()
      response = await counted(response, context)
      if (deadlines.remove(pending) || importDeadlines.remove(pending)) resolve(finish(response))
      // The client has already got the response of the deadline, so this one is never read.
      else await response.body?.cancel()
    }
    deadlines.add(pending)
    void settle()
    return promise
  }
}

/** Counts the request until its response is sent, which of a short one is now. */
function counted(response: Response, { isShort, onSent }: RequestContext): Response | Promise<Response> {
  if (onSent && !isShort) return countedUntilSent(response, onSent)
  onSent?.()
  return response
}

/** Returns the request for the router: `HEAD` as `GET`, and `localhost` as the host when it is missing or malformed. */
function toHandle(incoming: Request): Request {
  const isHead = incoming.method === 'HEAD'
  if (!isHead && URL.canParse(incoming.url)) return incoming
  const url = URL.parse(incoming.url) ?? URL.parse(pathOf(incoming.url), 'http://localhost')
  return new Request(url ?? 'http://localhost/', {
    method: isHead ? 'GET' : incoming.method,
    headers: incoming.headers,
    body: isHead ? null : incoming.body,
  })
}

const pathOf = (url: string) => url.replace(/^[a-z]+:\/\/[^/]*/i, '').replace(/^\/+/, '/')

/**
 * Keeps each answer at least until the next turn of the event loop. The server would otherwise answer all requests that a client
 * pipelines on one connection before those of any other; it closes a connection that pipelines behind a pending request.
 */
function createTurns(clock: Clock) {
  let turn = 0
  let next: Promise<void> | undefined
  const pass = async () => {
    await clock.nextTurn()
    turn++
    next = undefined
  }
  return {
    present: (): number => {
      next ??= pass()
      return turn
    },
    end: async (begun: number): Promise<void> => {
      if (turn === begun) await next
    },
  }
}

/** The id that the client gave, or a new one of 32 hexadecimal digits, unique across instances: a random prefix and a counter. */
function createIds({ random }: LifecycleDeps): (request: Request) => string {
  const beginning = random.bytes(10).toHex()
  let count = 0
  return ({ headers }) => {
    const given = headers.get('x-request-id')
    if (given !== null && REQUEST_ID.test(given)) return given
    return `${beginning}${(count++).toString(16).padStart(12, '0')}`
  }
}

function setHeaders({ ok, headers }: Response, { id, operation }: RequestContext) {
  headers.set('x-request-id', id)
  // A replayed operation is named already, by its first id.
  if (ok && operation?.hasBegun && !headers.has('x-operation-id')) headers.set('x-operation-id', operation.id)
  headers.set('x-content-type-options', 'nosniff')
  headers.set('referrer-policy', 'no-referrer')
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store')
  // JSON has no charset parameter (RFC 8259, section 11), and other runtimes send none.
  if (headers.get('content-type') === BUNS_JSON) headers.set('content-type', 'application/json')
}

interface Outcome {
  readonly context: RequestContext
  readonly method: string
  readonly status: number
  readonly startedAt: number
}

function report({ clock, log, metrics }: LifecycleDeps, { context, method, status, startedAt }: Outcome) {
  const durationMs = clock.monotonic() - startedAt
  // An unknown path is text from the client: it must not reach the log or a metric's label.
  const route = context.route ?? 'unmatched'
  metrics.observeRequest({ method, route, status, durationMs })
  if (!context.refusals.wantLine(`request ${status}`, status, context)) return
  log.info('request', {
    request_id: context.id,
    method,
    route,
    status,
    ms: Math.round(durationMs * 100) / 100,
    user_id: context.userId,
  })
}

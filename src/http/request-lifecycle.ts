import type { Deps } from '../deps'
import { AppError, unavailable } from '../lib/errors'
import { errorResponse, failureFields } from './errors'
import { openContext, type RequestContext } from './request-context'

/** Every request ends within this (contract, section 20). */
const DEADLINE_MS = 10_000
const REQUEST_ID = /^[\w.-]{1,128}$/

type Fetch = (request: Request) => Response | Promise<Response>
type LifecycleDeps = Pick<Deps, 'clock' | 'random' | 'log' | 'metrics'>

/**
 * What happens around every request whatever becomes of it: its id, its deadline, the headers that every response
 * carries, one log line and one metric. `HEAD` is answered as `GET`; the server leaves the body out (RFC 9110, section
 * 9.3.2).
 */
export function withLifecycle(deps: LifecycleDeps, handle: Fetch): (request: Request) => Promise<Response> {
  return async (incoming) => {
    const startedAt = deps.clock.monotonic()
    const request = incoming.method === 'HEAD' ? new Request(incoming, { method: 'GET' }) : incoming
    const context = openContext(request, chooseId(deps, incoming))
    const response = await answer(deps, handle, request, context)
    setHeaders(response.headers, context.id)
    report(deps, { context, method: incoming.method, status: response.status, startedAt })
    return response
  }
}

function chooseId({ random }: LifecycleDeps, request: Request): string {
  const given = request.headers.get('x-request-id')
  return given !== null && REQUEST_ID.test(given) ? given : random.bytes(16).toHex()
}

async function answer(
  { log }: LifecycleDeps,
  handle: Fetch,
  request: Request,
  context: RequestContext,
): Promise<Response> {
  const late = Promise.withResolvers<Response>()
  const timer = setTimeout(() => {
    log.error('Request ran into its deadline', { request_id: context.id, route: context.route })
    late.resolve(errorResponse(unavailable(undefined)))
  }, DEADLINE_MS)
  try {
    return await Promise.race([handle(request), late.promise])
  } catch (error) {
    log.error('Request failed outside its handler', { request_id: context.id, ...failureFields(error) })
    return errorResponse(new AppError('internal', 'Internal server error'))
  } finally {
    clearTimeout(timer)
  }
}

function setHeaders(headers: Headers, requestId: string) {
  headers.set('x-request-id', requestId)
  headers.set('x-content-type-options', 'nosniff')
  headers.set('referrer-policy', 'no-referrer')
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store')
}

interface Outcome {
  readonly context: RequestContext
  readonly method: string
  readonly status: number
  readonly startedAt: number
}

function report({ clock, log, metrics }: LifecycleDeps, { context, method, status, startedAt }: Outcome) {
  const durationMs = clock.monotonic() - startedAt
  // An unknown path is its sender's text: it goes neither into the log nor into a metric's label.
  const route = context.route ?? 'unmatched'
  metrics.observeRequest({ method, route, status, durationMs })
  log.info('request', {
    request_id: context.id,
    method,
    route,
    status,
    ms: Math.round(durationMs * 100) / 100,
    ...(context.userId !== undefined && { user_id: context.userId }),
  })
}

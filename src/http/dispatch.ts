import type { Deps } from '../deps'
import { contextOf, openContext } from './request-context'

/** A request that the service makes to itself while it answers another. */
interface Inner {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** JSON. */
  readonly body?: string
  /** It is a command of a batch. */
  readonly isBatched?: boolean | undefined
}

/** Answers an inner request with the credentials, the connection and the place in line of the outer one. */
export type Dispatch = (outer: Request, inner: Inner) => Promise<Response>

/** What an inner request has of its own. */
const OWN_HEADERS = [
  'idempotency-key',
  'if-match',
  'if-none-match',
  'content-length',
  'content-type',
  'transfer-encoding',
]

export const createDispatch =
  (
    { clock, metrics }: Pick<Deps, 'clock' | 'metrics'>,
    fetch: (request: Request) => Response | Promise<Response>,
  ): Dispatch =>
  async (outer, inner) => {
    const startedAt = clock.monotonic()
    const request = toRequest(outer, inner)
    const around = contextOf(outer)
    if (!around) return fetch(request)
    const { id, incoming, allowLonger, refusals, onEnd } = around
    const within = onEnd ? 'place' : 'line'
    const context = openContext(request, {
      id,
      startedAt,
      incoming,
      allowLonger,
      refusals,
      within,
      isBatched: inner.isBatched,
    })
    try {
      const response = await fetch(request)
      const durationMs = clock.monotonic() - startedAt
      metrics.observeRequest({
        method: inner.method,
        route: context.route ?? 'unmatched',
        status: response.status,
        durationMs,
      })
      return response
    } finally {
      context.onEnd?.()
    }
  }

function toRequest(outer: Request, { method, path, headers = {}, body }: Inner): Request {
  const own = new Headers(outer.headers)
  for (const name of OWN_HEADERS) own.delete(name)
  for (const [name, value] of Object.entries(headers)) own.set(name, value)
  if (body !== undefined) own.set('content-type', 'application/json')
  return new Request(new URL(path, outer.url), { method, headers: own, body: body ?? null })
}

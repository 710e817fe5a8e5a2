import type { Config } from '../config'
import { forbidden } from '../lib/errors'

type Origins = Pick<Config['http'], 'publicUrl' | 'corsOrigins'>

const METHODS = 'POST, OPTIONS'

/** What pages of listed origins may send, and read of an answer. */
const SENT = 'authorization, content-type, accept, mcp-protocol-version, mcp-method, mcp-name, mcp-session-id'
const READ = 'www-authenticate, retry-after, x-request-id, x-operation-id, mcp-protocol-version'

/**
 * Refuses pages of other origins, whatever they send (contract: assistants.front). The name in `Host` counts for this
 * machine alone: a page may have made its own name lead here.
 * @throws {AppError} 403.
 */
export function refuseForeignOrigin({ headers }: Request, { publicUrl, corsOrigins }: Origins): void {
  const origin = headers.get('origin')
  if (origin === null || origin === publicUrl || corsOrigins.includes(origin)) return
  if (isOwnOnLoopback(origin, headers.get('host'))) return
  throw forbidden('Cross-origin request rejected')
}

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/

/** Whether it is the service itself on this machine: no page can make these names lead elsewhere. */
const isOwnOnLoopback = (origin: string, host: string | null): boolean =>
  host !== null && LOOPBACK.test(host) && URL.parse(origin)?.host === host

/** Lets pages of a listed origin read the answer. A token is no cookie, so nothing is said of credentials. */
export function share({ headers: given }: Request, { headers }: Response, { corsOrigins }: Origins): void {
  const origin = given.get('origin')
  if (corsOrigins.length > 0) headers.append('vary', 'origin')
  if (origin === null || !corsOrigins.includes(origin)) return
  headers.set('access-control-allow-origin', origin)
  headers.set('access-control-expose-headers', READ)
}

/** Answers `OPTIONS`, by which a browser asks before it sends a page's request. */
export const preflight = (): Response =>
  new Response(null, {
    status: 204,
    headers: {
      allow: METHODS,
      'access-control-allow-methods': METHODS,
      'access-control-allow-headers': SENT,
      'access-control-max-age': '600',
    },
  })

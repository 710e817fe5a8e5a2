import type { LookupAddress } from 'node:dns'
import { type IncomingMessage, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { UnusableAnswerError } from './bounded-json'
import { failureReason } from './network-failure'
import { addressesOf, rejectedBy, type Resolve } from './resolved-addresses'

interface FetchOptions {
  readonly issuer: URL
  /** Decides about every address of a host that is not the issuer's own. */
  readonly isGlobal: (ip: string) => boolean
  readonly resolve: Resolve
  /** Size of a body. */
  readonly maxBytes: number
  /** For one call. */
  readonly deadlineMs: number
}

interface Call {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
}

/**
 * Calls the provider, within limits (contract: oidc.network): the issuer's own host wherever it is, and another host that the
 * provider names only at public addresses. A redirect is answered as it is and not followed.
 * @throws {UnusableAnswerError} with a word for the log.
 */
export const createProviderFetch =
  ({ issuer, isGlobal, resolve, maxBytes, deadlineMs }: FetchOptions) =>
  async (href: string, call: Call): Promise<Response> => {
    const signal = AbortSignal.timeout(deadlineMs)
    const url = new URL(href)
    const attempt = async (): Promise<Response> => {
      const addresses = await addressesOf(url, resolve)
      signal.throwIfAborted()
      if (url.host !== issuer.host && !addresses.every(({ address }) => isGlobal(address))) {
        throw new UnusableAnswerError('forbidden_address')
      }
      const answer = await send({ url, addresses, signal }, call)
      return toResponse(answer, await readBytes(answer, maxBytes))
    }
    try {
      return await Promise.race([attempt(), rejectedBy(signal)])
    } catch (error) {
      throw error instanceof UnusableAnswerError ? error : new UnusableAnswerError(failureReason(error))
    }
  }

interface Connecting {
  readonly url: URL
  /** Connect only to these: resolving the name again could return other addresses (DNS rebinding). */
  readonly addresses: readonly LookupAddress[]
  readonly signal: AbortSignal
}

const send = ({ url, addresses, signal }: Connecting, { method, headers, body }: Call) =>
  new Promise<IncomingMessage>((answer, fail) => {
    const request = url.protocol === 'https:' ? httpsRequest : httpRequest
    const outgoing = request(url, {
      method,
      headers: { ...headers, 'accept-encoding': 'identity' },
      lookup: (_host, _options, found) => found(null, [...addresses]),
      // No agent: another request would have checked the address of a connection that was kept open.
      agent: false,
      signal,
    })
    outgoing.on('error', fail)
    outgoing.on('response', answer)
    outgoing.end(body instanceof URLSearchParams ? body.toString() : undefined)
  })

async function readBytes(answer: IncomingMessage, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of answer) {
    const bytes: unknown = chunk
    if (!(bytes instanceof Uint8Array)) throw new UnusableAnswerError('no_bytes')
    size += bytes.byteLength
    if (size > maxBytes) {
      answer.destroy()
      throw new UnusableAnswerError('too_large')
    }
    chunks.push(bytes)
  }
  return new Uint8Array(await new Blob(chunks.map((chunk) => Uint8Array.from(chunk))).arrayBuffer())
}

/** Statuses that have no body (Fetch standard, section 2.2.3). */
const WITHOUT_BODY = new Set([204, 205, 304])

function toResponse(
  { statusCode = 502, headers }: IncomingMessage,
  bytes: Uint8Array<ArrayBuffer>,
): Response {
  const texts = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  )
  return new Response(WITHOUT_BODY.has(statusCode) ? null : bytes, {
    status: statusCode,
    headers: texts.map(([name, value]) => [name, value]),
  })
}

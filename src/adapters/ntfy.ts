import type { LookupAddress } from 'node:dns'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { PushMessage, PushOutcome, PushServer, PushTarget } from '../lib/ports/push'
import { failureReason } from './network-failure'
import { addressesOf, rejectedBy, type Resolve, resolveHost } from './resolved-addresses'

const DEADLINE_MS = 5000

interface NtfyOptions {
  /** Decides about every address that a server's name resolves to. */
  readonly isAllowed: (ip: string) => boolean
  readonly resolve?: Resolve
  /** Covers everything: resolving, connecting, and a slow server. */
  readonly deadlineMs?: number
}

/** Publishes to ntfy servers (https://docs.ntfy.sh/publish/#publish-as-json), within limits (contract: push.addresses). */
export function createNtfy({
  isAllowed,
  resolve = resolveHost,
  deadlineMs = DEADLINE_MS,
}: NtfyOptions): PushServer {
  async function attempt(
    target: PushTarget,
    message: PushMessage,
    signal: AbortSignal,
  ): Promise<PushOutcome> {
    // ntfy takes JSON at the root only, whatever the path of the server's URL.
    const url = new URL('/', target.serverUrl)
    const addresses = await addressesOf(url, resolve)
    signal.throwIfAborted()
    if (!addresses.every(({ address }) => isAllowed(address))) return { kind: 'forbidden_address' }
    const status = await post({ url, addresses, signal }, target, message)
    return status >= 200 && status < 300 ? { kind: 'sent' } : { kind: 'refused', status }
  }
  return {
    send: async (target, message) => {
      const signal = AbortSignal.timeout(deadlineMs)
      try {
        return await Promise.race([attempt(target, message, signal), rejectedBy(signal)])
      } catch (error) {
        return { kind: 'unreachable', reason: failureReason(error) }
      }
    },
  }
}

interface Connection {
  readonly url: URL
  /** Connect only to these: resolving the name again could return other addresses (DNS rebinding). */
  readonly addresses: readonly LookupAddress[]
  readonly signal: AbortSignal
}

/** Returns the status of the response, and reads neither its body nor its `Location`. */
function post({ url, addresses, signal }: Connection, target: PushTarget, message: PushMessage) {
  const { topic, token } = target
  const { sequenceId, ...fields } = message
  return new Promise<number>((answer, fail) => {
    const request = url.protocol === 'https:' ? httpsRequest : httpRequest
    const outgoing = request(url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Sequence-ID': sequenceId,
        ...(token !== null && { Authorization: `Bearer ${token}` }),
      },
      // The name is still used for the certificate and the Host header.
      lookup: (_host, _options, found) => found(null, [...addresses]),
      // No agent: another request would have checked the address of a connection that was kept open.
      agent: false,
      signal,
    })
    outgoing.on('error', fail)
    outgoing.on('response', (response) => {
      answer(response.statusCode ?? 0)
      response.destroy()
    })
    outgoing.end(JSON.stringify({ topic, ...fields, sequence_id: sequenceId }))
  })
}

import type { Deps } from '../deps'
import { tooMany } from '../lib/errors'
import type { ClientNetwork } from '../lib/ports/network'
import { clientAddress } from './origin'

const INTERVAL_MS = 6000
const BURST = 5
const MAX_CLIENTS = 100_000

/**
 * Allows ten requests a minute per key with a burst of five (contract: http.rate-limit), or of another size, by the generic
 * cell rate algorithm: the only state of a key is the time at which its bucket is empty again.
 */
export class RateLimit {
  readonly #emptyAt = new Map<string, number>()
  readonly #nowMs: () => number
  readonly #intervalMs: number
  /** How far in the future a client's bucket may become empty: allows one more request at once than the burst, then one each interval. */
  readonly #toleranceMs: number

  constructor(nowMs: () => number, burst = BURST, intervalMs = INTERVAL_MS) {
    this.#nowMs = nowMs
    this.#intervalMs = intervalMs
    this.#toleranceMs = burst * intervalMs
  }

  /**
   * Counts one request in each network of the client. A network that counts for several clients may send as many times more.
   * @throws {AppError} 429 with `Retry-After` in seconds.
   */
  take(networks: readonly ClientNetwork[]): void {
    const now = this.#nowMs()
    this.#refuseFull(networks, now)
    this.#forget(now)
    for (const network of networks) {
      const nextEmptyAt = this.#emptyAtOf(network, now) + this.#intervalMs / network.clients
      this.#emptyAt.delete(network.key)
      this.#emptyAt.set(network.key, nextEmptyAt)
    }
  }

  /** Like `take`, but counts nothing. @throws {AppError} 429. */
  refuseFull(networks: readonly ClientNetwork[]): void {
    this.#refuseFull(networks, this.#nowMs())
  }

  #refuseFull(networks: readonly ClientNetwork[], now: number): void {
    const emptyAt = networks.map((network) => this.#emptyAtOf(network, now))
    const waitMs = Math.max(...emptyAt) - now - this.#toleranceMs
    if (waitMs > 0) throw tooMany('Too many requests', Math.ceil(waitMs / 1000))
  }

  #emptyAtOf = ({ key }: ClientNetwork, now: number): number => Math.max(this.#emptyAt.get(key) ?? now, now)

  /**
   * Bounds the memory: drops the least recently seen keys that have an empty bucket, and the oldest keys when there are too
   * many.
   */
  #forget(now: number) {
    for (const [key, emptyAt] of this.#emptyAt) {
      if (emptyAt > now && this.#emptyAt.size < MAX_CLIENTS) return
      this.#emptyAt.delete(key)
    }
  }
}

/**
 * The networks in which an attempt of the client counts; empty where the limit is switched off, and for local clients: behind
 * a proxy that is not trusted, all clients share the proxy's address, and one of them must not lock out the others.
 */
export function countedNetworks(
  deps: Pick<Deps, 'config' | 'ipRanges' | 'peerAddress'>,
  request: Request,
): readonly ClientNetwork[] {
  if (!deps.config.http.authRateLimit) return []
  const address = clientAddress(deps, request)
  return deps.ipRanges.isLocal(address) ? [] : deps.ipRanges.clientNetworks(address)
}

import { tooMany } from '../lib/errors'
import type { ClientNetwork } from '../lib/ports/network'

const INTERVAL_MS = 6000
const BURST = 5
/** How far in the future a client's bucket may become empty: allows six requests at once, then one every six seconds. */
const TOLERANCE_MS = BURST * INTERVAL_MS
const MAX_CLIENTS = 100_000

/**
 * Allows ten requests a minute per key with a burst of five (contract: http.rate-limit), by the generic cell rate
 * algorithm: the only state of a key is the time at which its bucket is empty again.
 */
export class RateLimit {
  readonly #emptyAt = new Map<string, number>()
  readonly #nowMs: () => number

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  /**
   * Counts one request in each network of the client. A network that counts for several clients may send as many times more.
   * @throws {AppError} 429 with `Retry-After` in seconds.
   */
  take(networks: readonly ClientNetwork[]): void {
    const now = this.#nowMs()
    const emptyAt = ({ key }: ClientNetwork) => Math.max(this.#emptyAt.get(key) ?? now, now)
    const waitMs = Math.max(...networks.map(emptyAt)) - now - TOLERANCE_MS
    if (waitMs > 0) {
      throw tooMany('Too many requests', Math.ceil(waitMs / 1000))
    }
    this.#forget(now)
    for (const network of networks) {
      const nextEmptyAt = emptyAt(network) + INTERVAL_MS / network.clients
      this.#emptyAt.delete(network.key)
      this.#emptyAt.set(network.key, nextEmptyAt)
    }
  }

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

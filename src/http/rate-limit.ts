import { tooMany } from '../lib/errors'
import type { ClientNetwork } from '../lib/ports'

const INTERVAL_MS = 6000
const BURST = 5
/** How far ahead of the clock a client's next free slot may lie: six requests at once, then one every six seconds. */
const TOLERANCE_MS = BURST * INTERVAL_MS
const MAX_CLIENTS = 100_000

/**
 * Ten requests a minute per key with a burst of five (contract: http.rate-limit), by the generic cell rate algorithm: a key's
 * whole state is the time at which its bucket is empty again.
 */
export class RateLimit {
  readonly #emptyAt = new Map<string, number>()
  readonly #nowMs: () => number

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  /**
   * Counts one request of a client in each of its networks, where as many times as much is allowed as they count for clients.
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

  /** Keeps memory bounded: drops the least recently seen keys whose buckets are empty, or simply the oldest. */
  #forget(now: number) {
    for (const [key, emptyAt] of this.#emptyAt) {
      if (emptyAt > now && this.#emptyAt.size < MAX_CLIENTS) return
      this.#emptyAt.delete(key)
    }
  }
}

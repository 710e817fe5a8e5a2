const SWEEP_MS = 250

/** Anything with a deadline. */
export interface Pending {
  readonly startedAt: number
  /** Called when the limit has passed. */
  readonly expire: () => void
}

export type Later = (run: () => void, ms: number) => void

/**
 * Expires whatever runs too long. One timer sweeps over all pending entries, so an entry may expire a quarter of a
 * second late; a timer for each request would cost as much as its routing.
 */
export class Deadlines {
  readonly #nowMs: () => number
  readonly #limitMs: number
  readonly #later: Later
  /** In order of arrival. */
  readonly #pending = new Set<Pending>()
  #isSweeping = false

  constructor(limitMs: number, nowMs: () => number, later: Later = (run, ms) => void setTimeout(run, ms)) {
    this.#limitMs = limitMs
    this.#nowMs = nowMs
    this.#later = later
  }

  add(pending: Pending): void {
    this.#pending.add(pending)
    if (!this.#isSweeping) this.#sweepLater()
  }

  /** Returns whether the entry was still pending. */
  remove(pending: Pending): boolean {
    return this.#pending.delete(pending)
  }

  #sweepLater() {
    this.#isSweeping = true
    this.#later(() => this.#sweep(), SWEEP_MS)
  }

  #sweep() {
    this.#isSweeping = false
    const latest = this.#nowMs() - this.#limitMs
    for (const pending of this.#pending) {
      if (pending.startedAt > latest) break
      pending.expire()
      this.#pending.delete(pending)
    }
    if (this.#pending.size > 0) this.#sweepLater()
  }
}

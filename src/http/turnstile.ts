/** Requests inside at first, and the fewest and most that there may be. */
const FIRST_LIMIT = 32
const LEAST = 8
const MOST = 256
/** Longer than this nobody waits outside. */
const MAX_WAIT_MS = 300
/** Whoever is let in is recognised within this, else there are too many inside. */
const TARGET_MS = 50
const WINDOW_MS = 100

interface Waiter {
  readonly since: number
  readonly admit: (isIn: boolean) => void
}

/**
 * Lets in as many requests at once as are served without delay, a few more for a moment, and turns the rest away at once: under
 * more load than the service can bear, those who get in are served as fast as ever. What it goes by is how long it takes
 * until a request that was let in knows its session: one statement, which waits for the database and the processor alone.
 */
export class Turnstile {
  readonly #nowMs: () => number
  readonly #waiting = new Set<Waiter>()
  #inside = 0
  #limit = FIRST_LIMIT
  /** How many are let in within the longest wait; known only while some have to wait. */
  #room = Number.POSITIVE_INFINITY
  #window = { since: 0, left: 0, recognised: 0, tookMs: 0 }

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  /** Whether the request may come in; false where it would have to wait too long. */
  enter(): Promise<boolean> | boolean {
    this.#turn()
    if (this.#inside < this.#limit && this.#waiting.size === 0) {
      this.#inside += 1
      return true
    }
    if (this.#waiting.size >= this.#room) return false
    return new Promise((admit) => this.#waiting.add({ since: this.#nowMs(), admit }))
  }

  /** Somebody inside is known, so long after being let in. */
  recognised(ms: number): void {
    this.#window.recognised += 1
    this.#window.tookMs += ms
  }

  leave(): void {
    this.#inside -= 1
    this.#window.left += 1
    this.#turn()
    this.#admit()
  }

  #admit(): void {
    const earliest = this.#nowMs() - MAX_WAIT_MS
    for (const waiter of this.#waiting) {
      const isLate = waiter.since < earliest
      if (!isLate && this.#inside >= this.#limit) return
      this.#waiting.delete(waiter)
      if (!isLate) this.#inside += 1
      waiter.admit(!isLate)
    }
  }

  /** Judges a window of time once it is over. */
  #turn(): void {
    const { since, left, recognised, tookMs } = this.#window
    const now = this.#nowMs()
    if (now - since < WINDOW_MS) return
    this.#window = { since: now, left: 0, recognised: 0, tookMs: 0 }
    const isCrowded = this.#waiting.size > 0
    this.#room = isCrowded ? Math.max(LEAST, (left * MAX_WAIT_MS) / (now - since)) : Number.POSITIVE_INFINITY
    if (!isCrowded) return
    const isSlow = tookMs > recognised * TARGET_MS
    this.#limit = isSlow ? Math.max(LEAST, this.#limit * 0.8) : Math.min(MOST, this.#limit + 2)
  }
}

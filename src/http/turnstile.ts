const INTERVAL_MS = 500
/** A line stands when even the shortest wait of an interval is longer than this. */
const TARGET_MS = 100
/** Longest wait in the line of a burst and in a standing line; checked whenever a request leaves. */
const PATIENCE_MS = { burst: 5000, standing: 300 } as const

interface Waiter {
  readonly since: number
  readonly admit: (isIn: boolean) => void
}

/**
 * Lets in as many concurrent requests as there are places; the others wait in line. The line of a burst shrinks and is served
 * whole. A line stands while requests come faster than they are served: then only as many may wait as can be let in within
 * 300 ms, and the rest are refused at once, so that admitted requests stay fast (after CoDel, RFC 8289, section 3).
 */
export class Turnstile {
  readonly #nowMs: () => number
  /** The most concurrent requests. */
  readonly #places: number
  readonly #waiting = new Set<Waiter>()
  #inside = 0
  #isStanding = false
  /** How many may wait while the line stands: as many as can be let in within its patience. */
  #room = 0
  #interval = {
    since: 0,
    waitingAtStart: 0,
    wasEmpty: true,
    left: 0,
    shortestWaitMs: Number.POSITIVE_INFINITY,
  }

  constructor(nowMs: () => number, places = 16) {
    this.#nowMs = nowMs
    this.#places = places
  }

  /** Returns whether the request may enter; false when it would wait too long. */
  enter(): Promise<boolean> | boolean {
    this.#judge()
    if (this.#inside < this.#places && this.#waiting.size === 0) {
      this.#interval.wasEmpty = true
      this.#letIn(0)
      return true
    }
    if (this.#isStanding && this.#waiting.size >= this.#room) return false
    return new Promise((admit) => this.#waiting.add({ since: this.#nowMs(), admit }))
  }

  leave(): void {
    this.#inside -= 1
    this.#interval.left += 1
    this.#judge()
    this.#admit()
    if (this.#waiting.size === 0) this.#interval.wasEmpty = true
  }

  #letIn(waitedMs: number): void {
    this.#inside += 1
    this.#interval.shortestWaitMs = Math.min(this.#interval.shortestWaitMs, waitedMs)
  }

  #admit(): void {
    const now = this.#nowMs()
    const patienceMs = this.#isStanding ? PATIENCE_MS.standing : PATIENCE_MS.burst
    for (const waiter of this.#waiting) {
      const waitedMs = now - waiter.since
      const isLate = waitedMs > patienceMs || (this.#isStanding && this.#waiting.size > this.#room)
      if (!isLate && this.#inside >= this.#places) return
      this.#waiting.delete(waiter)
      if (!isLate) this.#letIn(waitedMs)
      waiter.admit(!isLate)
    }
  }

  /**
   * Judges an interval when it is over. A line begins to stand when it does not shrink while requests come in, and
   * stands until it has been empty. An interval in which no request left proves nothing: a pause of the database does
   * not mean too many requests.
   */
  #judge(): void {
    const { since, waitingAtStart, wasEmpty, left, shortestWaitMs } = this.#interval
    const now = this.#nowMs()
    if (now - since < INTERVAL_MS) return
    const waiting = this.#waiting.size
    if (left > 0) {
      const isSlow = shortestWaitMs > TARGET_MS && Number.isFinite(shortestWaitMs)
      const begins = isSlow && waiting > 0 && waiting >= waitingAtStart
      this.#isStanding = begins || (this.#isStanding && !wasEmpty)
      this.#room = (left * PATIENCE_MS.standing) / (now - since)
    }
    this.#interval = {
      since: now,
      waitingAtStart: waiting,
      wasEmpty: waiting === 0,
      left: 0,
      shortestWaitMs: Number.POSITIVE_INFINITY,
    }
  }
}

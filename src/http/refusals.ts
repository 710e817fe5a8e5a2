import type { Logger } from '../lib/ports/logging'
import type { Later } from './deadlines'

/** Lines per second and kind. */
const LINES_PER_SECOND = 50

interface Refused {
  readonly userId?: number
  /** Whether the instance has refused the request because it is busy. */
  readonly isTurnedAway?: boolean
}

/**
 * Bounds the log lines about refused requests whose user is unknown, so that a flood of them does not fill the disk: the first
 * ones of each second are written, and then how many were left out.
 */
export class Refusals {
  readonly #log: Pick<Logger, 'warn'>
  readonly #later: Later
  /** Lines of the running second by kind; none is running while this is empty. */
  readonly #counts = new Map<string, number>()

  constructor(log: Pick<Logger, 'warn'>, later: Later = (run, ms) => void setTimeout(run, ms)) {
    this.#log = log
    this.#later = later
  }

  /**
   * Whether to write a line of this kind about a request with this outcome. Always, if its user is known or if something has
   * failed: a 5xx counts as a refusal only if the instance turned the request away because it is busy.
   */
  wantLine(kind: string, status: number, { userId, isTurnedAway }: Refused): boolean {
    const isRefusal = status >= 500 ? isTurnedAway === true : status >= 400
    if (!isRefusal || userId !== undefined) return true
    if (this.#counts.size === 0) this.#later(() => this.#endSecond(), 1000)
    const count = (this.#counts.get(kind) ?? 0) + 1
    this.#counts.set(kind, count)
    return count <= LINES_PER_SECOND
  }

  #endSecond(): void {
    for (const [kind, count] of this.#counts) {
      const leftOut = count - LINES_PER_SECOND
      if (leftOut > 0)
        this.#log.warn('Lines about refused requests were left out', { kind, left_out: leftOut })
    }
    this.#counts.clear()
  }
}

import { tooMany } from '../lib/errors'
import { Deadlines, type Later } from './deadlines'

/** Concurrent requests per key, and how long another request waits for a place (contract: http.fairness). */
const WIDTH = 8
const PATIENCE_MS = 2000
/**
 * Waiting requests per key: enough for a burst of 200 (contract: http.fairness). Waiting slows a flood down: one that is refused at once
 * comes back at once, and costs far more.
 */
const MAX_WAITING = 1024

/** The line that a request waits in. */
export interface Caller {
  readonly key: string
  /** Number of clients behind the key; each adds its own share of concurrent requests. */
  readonly clients?: number
  /** How many requests of the key may wait; one more is refused at once. */
  readonly mostWaiting?: number
}

interface Line {
  inside: number
  /** In order of arrival; each is called with whether it may enter. */
  readonly waiting: Set<(isIn: boolean) => void>
}

/** Leaves the line; a second call does nothing. */
export type Leave = () => void

const refusal = () => tooMany('Too many requests at once', 1)

/** A line for each user, or for each address without a session, so that a client's flood of requests delays only itself. */
export class Lines {
  readonly #nowMs: () => number
  readonly #lines = new Map<string, Line>()
  readonly #patience: Deadlines

  constructor(nowMs: () => number, later?: Later) {
    this.#nowMs = nowMs
    this.#patience = new Deadlines(PATIENCE_MS, nowMs, later)
  }

  /** Number of keys with requests in progress. */
  get size(): number {
    return this.#lines.size
  }

  /**
   * Lets the request in, without a promise when there is room.
   * @throws {AppError} 429 after two seconds of waiting, or when too many requests wait.
   */
  enter({ key, clients = 1, mostWaiting = MAX_WAITING }: Caller): Leave | Promise<Leave> {
    const line = this.#lines.get(key) ?? { inside: 0, waiting: new Set() }
    if (line.inside >= WIDTH * clients) {
      if (line.waiting.size >= mostWaiting) throw refusal()
      return this.#wait(key, line)
    }
    this.#lines.set(key, line)
    line.inside += 1
    return this.#leaving(key, line)
  }

  /** Enters all lines, one after the other; the returned function leaves all of them. @throws {AppError} 429 as above. */
  async enterAll(callers: readonly Caller[]): Promise<Leave> {
    const entered: Leave[] = []
    const leave = () => {
      for (const leaveOne of entered) leaveOne()
    }
    try {
      for (const caller of callers) entered.push(await this.enter(caller))
    } catch (error) {
      leave()
      throw error
    }
    return leave
  }

  #leaving(key: string, line: Line): Leave {
    let hasLeft = false
    return () => {
      if (hasLeft) return
      hasLeft = true
      const [next] = line.waiting
      if (next) return next(true)
      line.inside -= 1
      if (line.inside === 0) this.#lines.delete(key)
    }
  }

  async #wait(key: string, line: Line): Promise<Leave> {
    const { waiting } = line
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const pending = { startedAt: this.#nowMs(), expire: () => settle(false) }
    const settle = (isIn: boolean) => {
      this.#patience.remove(pending)
      waiting.delete(settle)
      resolve(isIn)
    }
    this.#patience.add(pending)
    waiting.add(settle)
    if (await promise) return this.#leaving(key, line)
    throw refusal()
  }
}

import { tooMany } from '../lib/errors'
import { Deadlines, type Later } from './deadlines'

/** How many requests of one key run at once, and how long another one waits for them (contract: http.fairness). */
const WIDTH = 8
const PATIENCE_MS = 2000

/** Who stands in a line. */
export interface Caller {
  readonly key: string
  /** How many of its requests run at once. */
  readonly width?: number
}

interface Line {
  inside: number
  /** In the order of their coming; each is told whether it may come in. */
  readonly waiting: Set<(isIn: boolean) => void>
}

/** Ends a request's stay; a second call does nothing. */
type Leave = () => void

/** A line for each user, or for each address of those who have no session: what one of them sends in masses waits behind itself. */
export class Lines {
  readonly #nowMs: () => number
  readonly #lines = new Map<string, Line>()
  readonly #patience: Deadlines

  constructor(nowMs: () => number, later?: Later) {
    this.#nowMs = nowMs
    this.#patience = new Deadlines(PATIENCE_MS, nowMs, later)
  }

  /** Keys that have a request under way. */
  get size(): number {
    return this.#lines.size
  }

  /** Lets the request in, at once where there is room. @throws {AppError} 429 after two seconds of waiting. */
  enter({ key, width = WIDTH }: Caller): Leave | Promise<Leave> {
    const line = this.#lines.get(key) ?? { inside: 0, waiting: new Set() }
    this.#lines.set(key, line)
    if (line.inside >= width) return this.#wait(key, line)
    line.inside += 1
    return this.#leaving(key, line)
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
    throw tooMany('Too many requests at once', 1)
  }
}

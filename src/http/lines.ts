import { tooMany } from '../lib/errors'
import { Deadlines, type Later } from './deadlines'

/** How many requests of one key run at once, and how long another one waits for them (contract: http.fairness). */
const WIDTH = 8
const PATIENCE_MS = 2000
/** How many wait for them: a burst of 200 is answered whole (contract: http.fairness). */
const MAX_WAITING = 256

/** Who stands in a line. */
export interface Caller {
  readonly key: string
  /** For how many clients it counts, of whom each may have as many requests run at once. */
  readonly clients?: number
  /** Whether another one waits, or is refused at once. */
  readonly mayWait?: boolean
}

interface Line {
  inside: number
  /** In the order of their coming; each is told whether it may come in. */
  readonly waiting: Set<(isIn: boolean) => void>
}

/** Ends a request's stay; a second call does nothing. */
export type Leave = () => void

const refusal = () => tooMany('Too many requests at once', 1)

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

  /** Lets the request in, at once where there is room. @throws {AppError} 429 after two seconds of waiting, and where too many wait. */
  enter({ key, clients = 1, mayWait = true }: Caller): Leave | Promise<Leave> {
    const line = this.#lines.get(key) ?? { inside: 0, waiting: new Set() }
    if (line.inside >= WIDTH * clients) {
      if (!mayWait || line.waiting.size >= MAX_WAITING) throw refusal()
      return this.#wait(key, line)
    }
    this.#lines.set(key, line)
    line.inside += 1
    return this.#leaving(key, line)
  }

  /** Lets the request into one line after the other, and out of all of them. @throws {AppError} 429 as above. */
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

import { AppError } from '../lib/errors'
import { Deadlines, type Later } from './deadlines'

/** How many requests of one key run at once, and how long another one waits for them (contract, section 20a). */
const WIDTH = 8
const PATIENCE_MS = 2000

interface Line {
  inside: number
  /** In the order of their coming; each is told whether it may come in. */
  readonly waiting: Set<(isIn: boolean) => void>
}

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

  /** Something to wait for unless there is room at once. @throws {AppError} 429 for who has waited two seconds. */
  enter(key: string): Promise<void> | undefined {
    const line = this.#lines.get(key) ?? { inside: 0, waiting: new Set() }
    this.#lines.set(key, line)
    if (line.inside >= WIDTH) return this.#wait(line)
    line.inside += 1
    return undefined
  }

  /** Once for each request that came in. */
  leave(key: string): void {
    const line = this.#lines.get(key)
    if (!line) return
    const [next] = line.waiting
    if (next) return next(true)
    line.inside -= 1
    if (line.inside === 0) this.#lines.delete(key)
  }

  async #wait({ waiting }: Line): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const pending = { startedAt: this.#nowMs(), expire: () => settle(false) }
    const settle = (isIn: boolean) => {
      this.#patience.remove(pending)
      waiting.delete(settle)
      resolve(isIn)
    }
    this.#patience.add(pending)
    waiting.add(settle)
    if (await promise) return
    throw new AppError('too_many_requests', 'Too many requests at once', { headers: { 'retry-after': '1' } })
  }
}

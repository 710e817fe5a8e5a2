import type { Sql } from 'postgres'

/** No connection of the pool came free in time. */
export class PoolExhaustedError extends Error {
  override name = 'PoolExhaustedError'
  readonly code = 'POOL_EXHAUSTED'
}

interface GateOptions {
  readonly permits: number
  readonly acquireTimeoutMs: number
}

/** Lets `permits` holders in at once; whoever waits longer than `acquireTimeoutMs` is turned away. */
class Gate {
  #free: number
  readonly #timeoutMs: number
  readonly #waiting = new Set<() => void>()

  constructor({ permits, acquireTimeoutMs }: GateOptions) {
    this.#free = permits
    this.#timeoutMs = acquireTimeoutMs
  }

  async run<T>(work: () => PromiseLike<T>): Promise<T> {
    if (this.#free > 0) this.#free--
    else await this.#turn()
    try {
      return await work()
    } finally {
      this.#leave()
    }
  }

  #turn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const admit = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        this.#waiting.delete(admit)
        reject(new PoolExhaustedError('no database connection came free in time'))
      }, this.#timeoutMs)
      this.#waiting.add(admit)
    })
  }

  #leave() {
    const [next] = this.#waiting
    if (!next) {
      this.#free++
      return
    }
    this.#waiting.delete(next)
    next()
  }
}

/**
 * postgres.js queues without limit when every connection is busy. This is the same client with a bounded wait around
 * the two calls that Drizzle makes on it outside transactions.
 */
export function gated(sql: Sql, options: GateOptions): Sql {
  const gate = new Gate(options)
  const unsafe = (...args: Parameters<Sql['unsafe']>) => ({
    values: () => gate.run(() => sql.unsafe(...args).values()),
    then: (done: (rows: unknown) => unknown, failed: (error: unknown) => unknown) =>
      gate.run(() => sql.unsafe(...args)).then(done, failed),
  })
  const begin = (work: Parameters<Sql['begin']>[1]) => gate.run(() => sql.begin(work))
  return new Proxy(sql, {
    get(target, key) {
      if (key === 'unsafe') return unsafe
      if (key === 'begin') return begin
      return Reflect.get(target, key)
    },
  })
}

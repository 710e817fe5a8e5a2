import type { Sql } from 'postgres'
import { Connection } from './connection'

/** No connection of the pool came free in time. */
class PoolExhaustedError extends Error {
  override name = 'PoolExhaustedError'
  readonly code = 'POOL_EXHAUSTED'
}

interface PoolOptions {
  readonly connections: number
  readonly acquireTimeoutMs: number
  /** A client of one connection, which calls back when that closes. */
  readonly open: (onclose: () => void) => Sql
}

/** At most so many connections at once; whoever waits for one longer than `acquireTimeoutMs` is turned away. */
export class Pool {
  readonly #options: PoolOptions
  readonly #idle: Connection[] = []
  readonly #connections = new Set<Connection>()
  readonly #waiting = new Set<() => void>()
  #free: number
  #isClosed = false

  constructor(options: PoolOptions) {
    this.#options = options
    this.#free = options.connections
  }

  async run<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--
    else await this.#turn()
    if (this.#isClosed) throw new PoolExhaustedError('the pool is closed')
    const connection = this.#take()
    try {
      return await work(connection)
    } finally {
      if (connection.isLost) this.#connections.delete(connection)
      else this.#idle.push(connection)
      this.#leave()
    }
  }

  /** Gives every statement that runs five seconds, and ends its connection. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#connections].map((connection) => connection.close()))
  }

  /** The one used last, so that no more are opened than are needed; a new one where the idle ones are lost. */
  #take(): Connection {
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      if (!idle.isLost) return idle
      this.#connections.delete(idle)
    }
    const connection = new Connection(this.#options.open)
    this.#connections.add(connection)
    return connection
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
      }, this.#options.acquireTimeoutMs)
      this.#waiting.add(admit)
    })
  }

  #leave(): void {
    const [next] = this.#waiting
    if (!next) {
      this.#free++
      return
    }
    this.#waiting.delete(next)
    next()
  }
}

/** `client` as Drizzle uses it, with its statements and transactions run on `pool`; `client` itself never connects. */
export function pooled(client: Sql, pool: Pool): Sql {
  const unsafe = (...args: Parameters<Sql['unsafe']>) => ({
    values: () => pool.run((connection) => connection.query((sql) => sql.unsafe(...args).values())),
    // Drizzle either awaits a statement or asks for its values, and only then may it run.
    // oxlint-disable-next-line unicorn/no-thenable
    then: (resolve: (rows: unknown) => unknown, reject: (error: unknown) => unknown) =>
      pool.run((connection) => connection.query((sql) => sql.unsafe(...args))).then(resolve, reject),
  })
  const begin = (work: Parameters<Connection['transaction']>[0]) =>
    pool.run((connection) => connection.transaction(work))
  return new Proxy(client, {
    get(target, key) {
      if (key === 'unsafe') return unsafe
      if (key === 'begin') return begin
      return Reflect.get(target, key)
    },
  })
}

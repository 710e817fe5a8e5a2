import { Connection, type OpenConnection, type Statement } from './connection'

/** No connection became free in time. */
class PoolExhaustedError extends Error {
  override name = 'PoolExhaustedError'
  readonly code = 'POOL_EXHAUSTED'
}

interface PoolOptions {
  readonly connections: number
  readonly acquireTimeoutMs: number
  /** Age from which a connection is no longer handed out; it is closed once it is free. */
  readonly lifetimeMs: number
  readonly open: OpenConnection
}

interface Waiter {
  readonly admit: (connection: Connection) => void
  readonly refuse: (reason: string) => void
}

/** How long closing the pool waits for running work. */
const CLOSE_MS = 5000

/**
 * A pool with a maximum number of connections, each held by one statement or transaction at a time. When all are in use, callers
 * queue, and are refused after `acquireTimeoutMs`.
 */
export class Pool {
  readonly #options: PoolOptions
  /** The open connections, each with its lifetime timer. */
  readonly #connections = new Map<Connection, ReturnType<typeof setTimeout>>()
  /** The free ones among them, the most recently used first. */
  #idle: Connection[] = []
  readonly #old = new WeakSet<Connection>()
  readonly #waiting = new Set<Waiter>()
  readonly #closing = Promise.withResolvers<void>()
  #isClosed = false

  constructor(options: PoolOptions) {
    this.#options = options
  }

  /** Gives `work` a connection of its own until it settles. */
  async use<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await this.#acquire()
    try {
      return await work(connection)
    } finally {
      this.#release(connection)
    }
  }

  /**
   * Runs a single statement. If it fails, `settle` makes the connection usable again; in a transaction the final statement does
   * that.
   */
  statement<T>(statement: Statement<T>): Promise<T> {
    return this.use(async (connection) => {
      try {
        return await connection.run(statement)
      } catch (error) {
        await connection.settle()
        throw error
      }
    })
  }

  /** Refuses waiting callers, waits up to five seconds for running work, and closes every connection. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const { refuse } of this.#waiting) refuse('the pool is closed')
    await Promise.all(this.#idle.map((connection) => this.#close(connection)))
    if (this.#connections.size === 0) return
    const late = setTimeout(() => {
      for (const connection of this.#connections.keys()) connection.lose('the pool is closed')
    }, CLOSE_MS)
    await this.#closing.promise
    clearTimeout(late)
  }

  /** Replaces all connections: idle ones at once, the others once they are free. */
  renew(): void {
    for (const connection of this.#connections.keys()) this.#retire(connection)
  }

  #acquire(): Connection | Promise<Connection> {
    if (this.#isClosed) throw new PoolExhaustedError('the pool is closed')
    return this.#idle.pop() ?? (this.#hasRoom() ? this.#open() : this.#wait())
  }

  #hasRoom(): boolean {
    return this.#connections.size < this.#options.connections
  }

  #open(): Connection {
    const connection = new Connection(this.#options.open, (lost) => {
      this.#forget(lost)
      if (lost.wasServerLost) this.renew()
    })
    const retirement = setTimeout(() => this.#retire(connection), this.#options.lifetimeMs)
    this.#connections.set(connection, retirement)
    return connection
  }

  #wait(): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer)
        this.#waiting.delete(waiter)
      }
      const waiter: Waiter = {
        admit(connection) {
          leave()
          resolve(connection)
        },
        refuse(reason) {
          leave()
          reject(new PoolExhaustedError(reason))
        },
      }
      const timer = setTimeout(
        () => waiter.refuse('no database connection came free in time'),
        this.#options.acquireTimeoutMs,
      )
      this.#waiting.add(waiter)
    })
  }

  #release(connection: Connection): void {
    if (connection.isLost) return
    if (this.#isClosed || this.#old.has(connection)) return void this.#close(connection)
    const [next] = this.#waiting
    if (next) next.admit(connection)
    else this.#idle.push(connection)
  }

  #retire(connection: Connection): void {
    this.#old.add(connection)
    if (this.#idle.includes(connection)) void this.#close(connection)
  }

  async #close(connection: Connection): Promise<void> {
    this.#idle = this.#idle.filter((idle) => idle !== connection)
    await connection.close()
    this.#forget(connection)
  }

  /** Frees the slot for another connection; for a lost connection even before the server has noticed. */
  #forget(connection: Connection): void {
    clearTimeout(this.#connections.get(connection))
    this.#connections.delete(connection)
    this.#idle = this.#idle.filter((idle) => idle !== connection)
    const [next] = this.#waiting
    if (next && this.#hasRoom()) next.admit(this.#open())
    if (this.#isClosed && this.#connections.size === 0) this.#closing.resolve()
  }
}

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
  /** Never goes backwards. */
  readonly nowMs: () => number
  /** SQL that every transaction begins with. */
  readonly beforeTransaction?: string | undefined
  /** A client of one connection, which calls back when that closes. */
  readonly open: (onclose: () => void) => Sql
}

/** Statements that may be under way on one connection. */
const PIPELINE = 8
/** Short statements that come within this share a connection, though others are idle. */
const MOMENT_MS = 1
const SECOND_MS = 1000

/** A short statement is one that may share a connection with others at once. */
type Use = 'statement' | 'short statement' | 'transaction'

interface Waiter {
  readonly use: Use
  /** Starts at once, so that the connection counts as taken. */
  readonly admit: (connection: Connection) => void
}

/**
 * At most so many connections at once. A transaction gets one for itself; statements share one where none is idle, which
 * saves a round trip each. Whoever waits for one longer than `acquireTimeoutMs` is turned away.
 */
export class Pool {
  readonly #options: PoolOptions
  readonly #connections = new Set<Connection>()
  /** In the order of their coming. */
  readonly #waiting = new Set<Waiter>()
  /** What the short statements of a moment are given to. */
  #shared: { readonly connection: Connection | undefined; readonly since: number } = {
    connection: undefined,
    since: 0,
  }
  #isClosed = false
  #watch: ReturnType<typeof setTimeout> | undefined

  constructor(options: PoolOptions) {
    this.#options = options
  }

  statement<T>(
    send: (unsafe: Sql['unsafe']) => PromiseLike<T>,
    use: Exclude<Use, 'transaction'>,
  ): Promise<T> {
    const connection = this.#next(use)
    return connection ? connection.query(send) : this.#wait(use, (later) => later.query(send))
  }

  transaction(work: Parameters<Connection['transaction']>[0]): Promise<unknown> {
    const connection = this.#next('transaction')
    if (connection) return connection.transaction(work)
    return this.#wait('transaction', (later) => later.transaction(work))
  }

  /** Gives every statement that runs five seconds, and ends its connection. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#connections].map((connection) => connection.close()))
    clearTimeout(this.#watch)
  }

  /** Undefined where there is none, or others wait already. */
  #next(use: Use): Connection | undefined {
    return this.#isClosed || this.#waiting.size > 0 ? undefined : this.#find(use)
  }

  #wait<T>(use: Use, start: (connection: Connection) => Promise<T>): Promise<T> {
    if (this.#isClosed) return Promise.reject(new PoolExhaustedError('the pool is closed'))
    return new Promise((resolve, reject) => {
      const waiter = {
        use,
        admit: (admitted: Connection) => {
          clearTimeout(timer)
          resolve(start(admitted))
        },
      }
      const timer = setTimeout(() => {
        this.#waiting.delete(waiter)
        reject(new PoolExhaustedError('no database connection came free in time'))
      }, this.#options.acquireTimeoutMs)
      this.#waiting.add(waiter)
    })
  }

  /**
   * For a short statement the connection that the one before it got at the same moment: what is sent at once wakes one server
   * process. Else an idle connection, else a new one, else for a statement the one with the least to do.
   */
  #find(use: Use): Connection | undefined {
    this.#watch ??= setTimeout(() => this.#tick(), SECOND_MS)
    if (use !== 'short statement') return this.#leastBusy(use === 'transaction' ? 1 : PIPELINE)
    const now = this.#options.nowMs()
    const { connection: last, since } = this.#shared
    if (last && now - since < MOMENT_MS && last.load < PIPELINE && !last.isLost) return last
    const connection = this.#leastBusy(PIPELINE)
    this.#shared = { connection, since: now }
    return connection
  }

  /** With less than `limit` to do. */
  #leastBusy(limit: number): Connection | undefined {
    let best: Connection | undefined
    for (const connection of this.#connections) {
      if (connection.isLost) this.#connections.delete(connection)
      else if (connection.load === 0) return connection
      else if (connection.load < (best?.load ?? limit)) best = connection
    }
    return this.#connections.size < this.#options.connections ? this.#open() : best
  }

  #open(): Connection {
    const connection = new Connection({ ...this.#options, onRelease: () => this.#serve() })
    this.#connections.add(connection)
    return connection
  }

  #serve(): void {
    for (const waiter of this.#waiting) {
      const connection = this.#find(waiter.use)
      if (!connection) return
      this.#waiting.delete(waiter)
      waiter.admit(connection)
    }
  }

  #tick(): void {
    this.#watch = undefined
    for (const connection of this.#connections) connection.tick()
    const isBusy = [...this.#connections].some((connection) => connection.load > 0)
    if (isBusy) this.#watch = setTimeout(() => this.#tick(), SECOND_MS)
  }
}

/** `client` as Drizzle uses it, with its statements and transactions run on `pool`; `client` itself never connects. */
export function pooled(client: Sql, pool: Pool): Sql {
  const unsafe = (...args: Parameters<Sql['unsafe']>) => ({
    // What is prepared by name is read often, and fast.
    values: () =>
      pool.statement((send) => send(...args).values(), args[2]?.prepare ? 'short statement' : 'statement'),
    // Drizzle either awaits a statement or asks for its values, and only then may it run.
    // oxlint-disable-next-line unicorn/no-thenable
    then: (resolve: (rows: unknown) => unknown, reject: (error: unknown) => unknown) =>
      pool.statement((send) => send(...args), 'statement').then(resolve, reject),
  })
  const begin = (work: Parameters<Connection['transaction']>[0]) => pool.transaction(work)
  return new Proxy(client, {
    get(target, key) {
      if (key === 'unsafe') return unsafe
      if (key === 'begin') return begin
      return Reflect.get(target, key)
    },
  })
}

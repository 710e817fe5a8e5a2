import type { Sql, TransactionSql } from 'postgres'

/** The connection is gone or silent; whether its last statement took effect is unknown. */
class ConnectionLostError extends Error {
  override name = 'ConnectionLostError'
  readonly code = 'CONNECTION_LOST'
}

/** Silence that is taken for a dead server: longer than statement_timeout, and within a request's deadline. */
const NO_ANSWER_MS = 7000

type Work = (tx: TransactionSql) => PromiseLike<unknown>
type Watchdog = ReturnType<typeof setTimeout>

/**
 * One connection, for one holder at a time, that is thrown away once it is lost.
 *
 * postgres.js would go on with it: it writes the end of a lost transaction to no socket, which ends the process, or into
 * the transaction of the next holder (porsager/postgres#1208, #1216). And a server that is stopped or out of reach never
 * answers, statement_timeout or not.
 */
export class Connection {
  readonly #sql: Sql
  #isLost = false
  #abandon: ((error: Error) => void) | undefined

  constructor(open: (onclose: () => void) => Sql) {
    this.#sql = open(() => this.#lose('the database connection was closed'))
  }

  get isLost(): boolean {
    return this.#isLost
  }

  query<T>(send: (sql: Sql) => PromiseLike<T>): Promise<T> {
    return this.#hold(() => send(this.#sql))
  }

  transaction(work: Work): Promise<unknown> {
    return this.#hold((watchdog) => this.#sql.begin((tx) => this.#whileAlive(work, tx, watchdog)))
  }

  close(): Promise<void> {
    return this.#sql.end({ timeout: 5 })
  }

  #lose(reason: string): void {
    if (this.#isLost) return
    this.#isLost = true
    this.#abandon?.(new ConnectionLostError(reason))
    void this.#sql.end({ timeout: 0 })
  }

  /** Settles with `run`, or as soon as the connection is lost: the driver's own promise may never. */
  async #hold<T>(run: (watchdog: Watchdog) => PromiseLike<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    this.#abandon = reject
    const watchdog = setTimeout(() => this.#lose('the database gave no answer'), NO_ANSWER_MS)
    run(watchdog).then(resolve, reject)
    try {
      return await promise
    } finally {
      clearTimeout(watchdog)
      this.#abandon = undefined
    }
  }

  /** Settles only on a living connection, so that postgres.js sends no COMMIT or ROLLBACK on a lost one. */
  async #whileAlive(work: Work, tx: TransactionSql, watchdog: Watchdog): Promise<unknown> {
    try {
      return await work(this.#guarded(tx, watchdog))
    } finally {
      watchdog.refresh()
      if (this.#isLost) await new Promise<never>(() => {})
    }
  }

  #guarded(tx: TransactionSql, watchdog: Watchdog): TransactionSql {
    const unsafe = (...args: Parameters<Sql['unsafe']>) => {
      if (this.#isLost) throw new ConnectionLostError('the transaction has lost its connection')
      watchdog.refresh()
      return tx.unsafe(...args)
    }
    const savepoint = (work: Work) => tx.savepoint((inner) => this.#whileAlive(work, inner, watchdog))
    return new Proxy(tx, {
      get(target, key) {
        if (key === 'unsafe') return unsafe
        if (key === 'savepoint') return savepoint
        return Reflect.get(target, key)
      },
    })
  }
}

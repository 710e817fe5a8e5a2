import type { Sql, TransactionSql } from 'postgres'
import { RecurringTexts } from './recurring'

/** The connection is gone or silent; whether its last statement took effect is unknown. */
class ConnectionLostError extends Error {
  override name = 'ConnectionLostError'
  readonly code = 'CONNECTION_LOST'
}

/** Seconds of silence that are taken for a dead server: longer than statement_timeout, within a request's deadline. */
const SILENCE_LIMIT = 7

type Work = (tx: TransactionSql) => PromiseLike<unknown>

interface Events {
  /** One holder less. */
  readonly onRelease: (connection: Connection) => void
  readonly open: (onclose: () => void) => Sql
  readonly beforeTransaction?: string | undefined
}

/**
 * One connection, for several statements in a row or one transaction, that is thrown away once it is lost.
 *
 * postgres.js would go on with it: it writes the end of a lost transaction to no socket, which ends the process, or into
 * the transaction of the next holder (porsager/postgres#1208, #1216). And a server that is stopped or out of reach never
 * answers, statement_timeout or not.
 */
export class Connection {
  readonly #sql: Sql
  readonly #onRelease: Events['onRelease']
  readonly #beforeTransaction: string | undefined
  /** How to fail whoever waits for an answer. */
  readonly #holders = new Set<(error: Error) => void>()
  readonly #texts = new RecurringTexts()
  #isLost = false
  #inTransaction = false
  #silentSeconds = 0

  constructor({ open, onRelease, beforeTransaction }: Events) {
    this.#onRelease = onRelease
    this.#beforeTransaction = beforeTransaction
    this.#sql = open(() => this.#lose('the database connection was closed'))
  }

  get isLost(): boolean {
    return this.#isLost
  }

  /** Statements under way. A transaction leaves no room for any other, nor does a second without an answer. */
  get load(): number {
    const isTaken = this.#inTransaction || (this.#silentSeconds > 0 && this.#holders.size > 0)
    return isTaken ? Number.POSITIVE_INFINITY : this.#holders.size
  }

  /** Also behind statements that have no answer yet: PostgreSQL takes them one after the other. */
  query<T>(send: (unsafe: Sql['unsafe']) => PromiseLike<T>): Promise<T> {
    return this.#hold(send)
  }

  readonly #unsafe: Sql['unsafe'] = (text, params, options) =>
    this.#sql.unsafe(text, params, this.#naming(text, params, options))

  /** Prepares what is to be prepared, as Drizzle never asks for, and what comes again. */
  #naming(...[text, params, options]: Parameters<Sql['unsafe']>): Parameters<Sql['unsafe']>[2] {
    return { prepare: options?.prepare === true || ((params?.length ?? 0) > 0 && this.#texts.recurs(text)) }
  }

  /** Only on an idle connection. */
  transaction(work: Work): Promise<unknown> {
    this.#inTransaction = true
    return this.#hold(() => this.#sql.begin((tx) => this.#whileAlive(this.#begun(work), tx)))
  }

  #begun(work: Work): Work {
    const before = this.#beforeTransaction
    if (before === undefined) return work
    return async (tx) => {
      await tx.unsafe(before)
      const done = await work(tx)
      // The driver's own COMMIT is a prepared statement. A pooler may forget it, which aborts the transaction, and the
      // driver repeats it: by then it rolls back, and reports success.
      const { command } = await tx.unsafe('commit')
      if (command !== 'COMMIT') throw new Error('the transaction was rolled back')
      return done
    }
  }

  close(): Promise<void> {
    return this.#sql.end({ timeout: 5 })
  }

  /** Called once a second while anything is under way. */
  tick(): void {
    if (this.#holders.size > 0 && ++this.#silentSeconds >= SILENCE_LIMIT)
      this.#lose('the database gave no answer')
  }

  #lose(reason: string): void {
    if (this.#isLost) return
    this.#isLost = true
    const error = new ConnectionLostError(reason)
    for (const fail of this.#holders) fail(error)
    void this.#sql.end({ timeout: 0 })
  }

  /**
   * Settles with `run`, or as soon as the connection is lost: the driver's own promise may never. Told by callbacks, as an async
   * function around the driver's kind of promise would cost a statement two more.
   */
  #hold<T>(run: (unsafe: Sql['unsafe']) => PromiseLike<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const release = () => {
      this.#silentSeconds = 0
      if (!this.#holders.delete(fail)) return
      this.#inTransaction = false
      this.#onRelease(this)
    }
    const fail = (error: unknown) => {
      release()
      reject(error)
    }
    const succeed = (value: T) => {
      release()
      resolve(value)
    }
    this.#holders.add(fail)
    try {
      run(this.#unsafe).then(succeed, fail)
    } catch (error) {
      fail(error)
    }
    return promise
  }

  /** Settles only on a living connection, so that postgres.js sends no COMMIT or ROLLBACK on a lost one. */
  async #whileAlive(work: Work, tx: TransactionSql): Promise<unknown> {
    try {
      return await work(this.#guarded(tx))
    } finally {
      this.#silentSeconds = 0
      if (this.#isLost) await new Promise<never>(() => {})
    }
  }

  #guarded(tx: TransactionSql): TransactionSql {
    const unsafe = (...args: Parameters<Sql['unsafe']>) => {
      if (this.#isLost) throw new ConnectionLostError('the transaction has lost its connection')
      this.#silentSeconds = 0
      const [text, params] = args
      return tx.unsafe(text, params, this.#naming(...args))
    }
    const savepoint = (work: Work) => tx.savepoint((inner) => this.#whileAlive(work, inner))
    return new Proxy(tx, {
      get(target, key) {
        if (key === 'unsafe') return unsafe
        if (key === 'savepoint') return savepoint
        return Reflect.get(target, key)
      },
    })
  }
}

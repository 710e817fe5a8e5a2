import type { Sql } from 'postgres'

/** The connection is gone or silent; whether its last statement took effect is unknown. */
class ConnectionLostError extends Error {
  override name = 'ConnectionLostError'
  readonly code = 'CONNECTION_LOST'
}

/** Silence that is taken for a dead server: longer than statement_timeout, within a request's deadline. */
const SILENCE_LIMIT_MS = 7000
/** How long the server may take to let the service in: the driver would try for ever where it hangs up at once. */
const OPENING_LIMIT_MS = 2000

/** One statement, sent through the client that it is given. */
export type Statement<T> = (client: Sql) => PromiseLike<T>

/**
 * One connection, for one statement at a time, that is thrown away once it is lost.
 *
 * postgres.js would go on with a lost one: it opens another connection by itself, and what it sends there next may be the rest of a
 * transaction (porsager/postgres#1208, #1216). And a server that is stopped or out of reach never answers, statement_timeout or not.
 */
export class Connection {
  readonly #client: Sql
  readonly #onLost: (connection: Connection) => void
  #isLost = false
  #opened: Promise<unknown> | undefined
  readonly #closed = Promise.withResolvers<void>()
  /** Fails the statement that is under way. */
  #fail: ((error: Error) => void) | undefined

  constructor(open: (onclose: () => void) => Sql, onLost: (connection: Connection) => void) {
    this.#onLost = onLost
    this.#client = open(() => {
      this.#closed.resolve()
      this.lose('the database connection was closed')
    })
  }

  get isLost(): boolean {
    return this.#isLost
  }

  /** Settles with the statement, or as soon as the connection is lost: the driver's own promise may never settle then. */
  async run<T>(statement: Statement<T>): Promise<T> {
    this.#opened ??= this.#send((client) => client.unsafe('select'), OPENING_LIMIT_MS)
    await this.#opened
    return this.#send(statement, SILENCE_LIMIT_MS)
  }

  async #send<T>(statement: Statement<T>, limitMs: number): Promise<T> {
    if (this.#isLost) throw new ConnectionLostError('the database connection was lost')
    const { promise: lost, reject } = Promise.withResolvers<never>()
    const silence = setTimeout(() => this.lose('the database gave no answer'), limitMs)
    this.#fail = reject
    try {
      return await Promise.race([statement(this.#client), lost])
    } catch (error) {
      if (isFatal(error)) this.lose('the database ended the connection')
      throw error
    } finally {
      clearTimeout(silence)
      this.#fail = undefined
    }
  }

  /**
   * Makes a connection whose last statement has failed fit for the next one. The driver counts the rows that came before the failure
   * among those of the next answer, until any statement succeeds (porsager/postgres#1119, #1181).
   */
  async settle(): Promise<void> {
    if (this.#isLost) return
    try {
      await this.#send((client) => client.unsafe('select'), SILENCE_LIMIT_MS)
    } catch {
      this.lose('the database connection could not be settled')
    }
  }

  lose(reason: string): void {
    if (this.#isLost) return
    this.#isLost = true
    this.#fail?.(new ConnectionLostError(reason))
    void this.#client.end({ timeout: 0 })
    this.#onLost(this)
  }

  /** Ends an idle connection. */
  async close(): Promise<void> {
    this.#isLost = true
    // The driver's own promise waits for its time-out, also where the connection has closed.
    await Promise.race([this.#client.end({ timeout: 1 }), this.#closed.promise])
  }
}

/** Only errors of severity ERROR leave the connection usable. */
const isFatal = (error: unknown): boolean =>
  !(error instanceof Error && Reflect.get(error, 'severity') === 'ERROR')

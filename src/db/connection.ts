import type { Sql } from 'postgres'

/** The connection is closed or does not respond; it is unknown whether the last statement took effect. */
class ConnectionLostError extends Error {
  override name = 'ConnectionLostError'
  readonly code = 'CONNECTION_LOST'
}

/** A server silent for this long counts as dead. The limit is longer than statement_timeout and within a request's deadline. */
const SILENCE_LIMIT_MS = 7000
/** Time limit for opening a connection: if the server closes it at once, the driver would retry for ever. */
const OPENING_LIMIT_MS = 2000

/** Sends one statement through the given client. */
export type Statement<T> = (client: Sql) => PromiseLike<T>

/**
 * A connection that runs one statement at a time, and is discarded once it is lost.
 *
 * postgres.js itself would reconnect, and then might send the rest of a transaction on the new connection
 * (porsager/postgres#1208, #1216). And if the server is stopped or unreachable, the driver waits for ever, despite
 * statement_timeout.
 */
export class Connection {
  readonly #client: Sql
  readonly #onLost: (connection: Connection) => void
  #isLost = false
  #opened: Promise<unknown> | undefined
  readonly #closed = Promise.withResolvers<void>()
  /** Rejects the running statement. */
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

  /** Settles with the statement, or as soon as the connection is lost, because the driver's own promise may then never settle. */
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
   * Makes a connection usable again after a failed statement. Until the next successful one, the driver adds the rows received
   * before the failure to the next result's count (porsager/postgres#1119, #1181).
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

  /** Closes an idle connection. */
  async close(): Promise<void> {
    this.#isLost = true
    // The driver's own promise waits for its time-out even if the connection has closed.
    await Promise.race([this.#client.end({ timeout: 1 }), this.#closed.promise])
  }
}

/** The connection remains usable only after an error of severity ERROR. */
const isFatal = (error: unknown): boolean =>
  !(error instanceof Error && Reflect.get(error, 'severity') === 'ERROR')

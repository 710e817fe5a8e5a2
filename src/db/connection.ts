import type { Sql } from 'postgres'
import { databaseFailure } from '../lib/database-failure'
import type { OpeningConnection } from './servers'

/** The connection is closed or does not respond; it is unknown whether the last statement took effect. */
class ConnectionLostError extends Error {
  override name = 'ConnectionLostError'
  readonly code = 'CONNECTION_LOST'
}

/** A server silent for this long counts as dead. The limit is longer than statement_timeout and within a request's deadline. */
const SILENCE_LIMIT_MS = 7000
/** Time limit for opening a connection: if the server closes it at once, the driver would retry for ever. */
const OPENING_LIMIT_MS = 2000

/** Opens a connection, and calls back when it closes. */
export type OpenConnection = (onclose: () => void) => OpeningConnection

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
  readonly #open: OpenConnection
  readonly #onLost: (connection: Connection) => void
  #isLost = false
  #wasServerLost = false
  #opening: OpeningConnection | undefined
  #opened: Promise<Sql> | undefined
  #client: Sql | undefined
  readonly #closed = Promise.withResolvers<void>()
  /** Rejects the running statement. */
  #fail: ((error: Error) => void) | undefined

  constructor(open: OpenConnection, onLost: (connection: Connection) => void) {
    this.#open = open
    this.#onLost = onLost
  }

  get isLost(): boolean {
    return this.#isLost
  }

  /** Whether it was lost in such a way that the other connections to its server are hardly any better. */
  get wasServerLost(): boolean {
    return this.#wasServerLost
  }

  /** Settles with the statement, or as soon as the connection is lost, because the driver's own promise may then never settle. */
  async run<T>(statement: Statement<T>): Promise<T> {
    this.#opened ??= this.#within(OPENING_LIMIT_MS, () => this.#begin())
    const client = await this.#opened
    return this.#send(statement, client)
  }

  async #begin(): Promise<Sql> {
    this.#opening = this.#open(() => {
      this.#closed.resolve()
      this.lose('the database connection was closed')
    })
    const { client } = await this.#opening.opened
    this.#client = client
    return client
  }

  async #send<T>(statement: Statement<T>, client: Sql): Promise<T> {
    try {
      return await this.#within(SILENCE_LIMIT_MS, () => statement(client))
    } catch (error) {
      if (isOfStandby(error)) this.#loseServer('the server takes no writes any more')
      throw error
    }
  }

  async #within<T>(limitMs: number, work: () => PromiseLike<T>): Promise<T> {
    if (this.#isLost) throw new ConnectionLostError('the database connection was lost')
    const { promise: lost, reject } = Promise.withResolvers<never>()
    const silence = setTimeout(() => {
      // A server that lets nobody in may still be good for those that are in.
      this.#wasServerLost = this.#client !== undefined
      this.lose('the database gave no answer')
    }, limitMs)
    this.#fail = reject
    try {
      return await Promise.race([work(), lost])
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
    if (this.#isLost || !this.#client) return
    try {
      await this.#send((client) => client.unsafe('select'), this.#client)
    } catch {
      this.lose('the database connection could not be settled')
    }
  }

  lose(reason: string): void {
    if (this.#isLost) return
    this.#isLost = true
    this.#fail?.(new ConnectionLostError(reason))
    this.#opening?.abandon()
    void this.#client?.end({ timeout: 0 })
    this.#onLost(this)
  }

  #loseServer(reason: string): void {
    this.#wasServerLost = true
    this.lose(reason)
  }

  /** Closes an idle connection. */
  async close(): Promise<void> {
    this.#isLost = true
    this.#opening?.abandon()
    // The driver's own promise waits for its time-out even if the connection has closed.
    if (this.#client) await Promise.race([this.#client.end({ timeout: 1 }), this.#closed.promise])
  }
}

/** The connection remains usable only after an error of severity ERROR. */
const isFatal = (error: unknown): boolean =>
  !(error instanceof Error && Reflect.get(error, 'severity') === 'ERROR')

/** Whether a write was refused because the server is a standby (25006): it was a primary when the connection was opened. */
const isOfStandby = (error: unknown): boolean => databaseFailure(error)?.code === '25006'

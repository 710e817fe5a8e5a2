import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { Pool } from './pool'
import { pooledClient } from './pooled-client'
import * as schema from './schema'

export interface ConnectOptions {
  /** Connections in the pool. */
  readonly pool: number
  /** Named prepared statements; off behind a pooler that cannot keep them. */
  readonly prepare?: boolean
  /** Sent as start-up parameters: a transaction pooler refuses those that it does not know. */
  readonly sessionTimeouts?: boolean
  readonly applicationName?: string
  /** Age at which a connection is replaced by another. */
  readonly lifetimeMs?: number
}

/** How long one statement, one wait for a row lock and one idle transaction may take (contract: http.deadlines). */
const SESSION_TIMEOUTS = {
  statement_timeout: 5000,
  lock_timeout: 2000,
  idle_in_transaction_session_timeout: 10_000,
}
const SET_TIMEOUTS = `${Object.entries(SESSION_TIMEOUTS)
  .map(([name, ms]) => `set local ${name} = ${ms}`)
  .join('; ')}; set local timezone = 'UTC'`
const ACQUIRE_TIMEOUT_MS = 2000
/** What a server process has cached is given back, and a database that moved is found, within this time. */
const LIFETIME_MS = 45 * 60_000

export function connect(url: string, options: ConnectOptions) {
  const { pool, prepare = true, sessionTimeouts = true, applicationName = 'organiser' } = options
  const settings = {
    max: 1,
    prepare,
    onnotice: () => {},
    connect_timeout: 2,
    keep_alive: 30,
    // The pool retires connections: the driver does not tell when it is about to.
    max_lifetime: null,
    connection: {
      application_name: applicationName,
      ...(sessionTimeouts && { TimeZone: 'UTC', ...SESSION_TIMEOUTS }),
    },
  }
  const client = postgres(url, settings)
  const connections = new Pool({
    connections: pool,
    acquireTimeoutMs: ACQUIRE_TIMEOUT_MS,
    lifetimeMs: options.lifetimeMs ?? LIFETIME_MS,
    open(onclose) {
      const sql = postgres(url, { ...settings, onclose })
      // Drizzle puts its own conversions of dates into the client that it is given.
      Object.assign(sql.options.parsers, client.options.parsers)
      Object.assign(sql.options.serializers, client.options.serializers)
      return sql
    },
  })
  // A pooler hands its servers on as they are: there, each transaction sets its own.
  const begin = sessionTimeouts ? 'begin' : `begin; ${SET_TIMEOUTS}`
  const db = drizzle(pooledClient(client, connections, begin), { schema, casing: 'snake_case' })
  return { db, close: () => connections.close() }
}

export type Db = ReturnType<typeof connect>['db']
/** A connection inside a transaction. Functions that write ask for this, never for `Db`. */
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0]

import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { serversOf, wantsPrimary } from '../lib/database-url'
import { Pool } from './pool'
import { pooledClient } from './pooled-client'
import * as schema from './schema'
import { type Door, openAny, Servers } from './servers'

export interface ConnectOptions {
  /** Connections in the pool. */
  readonly pool: number
  /** Uses named prepared statements; turn it off behind a pooler that does not support them. */
  readonly prepare?: boolean
  /** Sends the settings of a session as start-up parameters; a transaction pooler rejects those that it does not know. */
  readonly sessionTimeouts?: boolean
  readonly applicationName?: string
  /** Age at which a connection is replaced. */
  readonly lifetimeMs?: number
}

/** Time-outs for a statement, a wait for a row lock and an idle transaction, in milliseconds (contract: http.deadlines). */
const SESSION_TIMEOUTS = {
  statement_timeout: 5000,
  lock_timeout: 2000,
  idle_in_transaction_session_timeout: 10_000,
}
/**
 * PostgreSQL compiles a statement that it expects to be costly, as it does of each search once there are a million records: for half a
 * second, where the statement takes a millisecond.
 */
const SESSION_SETTINGS = { ...SESSION_TIMEOUTS, TimeZone: 'UTC', jit: 'off' }
const SET_SETTINGS = Object.entries(SESSION_SETTINGS)
  .map(([name, value]) => `set local ${name} = '${value}'`)
  .join('; ')
const ACQUIRE_TIMEOUT_MS = 2000
/** Connections are replaced after this time, to free what a server process has cached and to find a database that has moved. */
const LIFETIME_MS = 45 * 60_000

export function connect(url: string, options: ConnectOptions) {
  const { pool, prepare = true, sessionTimeouts = true, applicationName = 'organiser' } = options
  const settings = {
    max: 1,
    prepare,
    // The driver awaits its query for the types of arrays nowhere, so that a server that is lost meanwhile leaves a rejection unhandled.
    // Arrays are written as text, and read as JSON.
    fetch_types: false,
    onnotice: () => {},
    connect_timeout: 2,
    keep_alive: 30,
    // The pool retires connections, because the driver gives no notice before it does.
    max_lifetime: null,
    connection: {
      application_name: applicationName,
      ...(sessionTimeouts && SESSION_SETTINGS),
    },
  }
  const [first = url] = serversOf(url)
  const client = postgres(first, settings)
  const door: Door = (server, onclose) => {
    const sql = postgres(server, { ...settings, onclose })
    // Drizzle installs its date conversions only in the client that it is given.
    Object.assign(sql.options.parsers, client.options.parsers)
    Object.assign(sql.options.serializers, client.options.serializers)
    return sql
  }
  const servers = new Servers(url, () => connections.renew())
  const connections = new Pool({
    connections: pool,
    acquireTimeoutMs: ACQUIRE_TIMEOUT_MS,
    lifetimeMs: options.lifetimeMs ?? LIFETIME_MS,
    open: (onclose) => (wantsPrimary(url) ? servers.open(door, onclose) : openAny(first, door, onclose)),
  })
  // A transaction pooler hands over server connections with their settings unchanged, so each transaction sets its own.
  const begin = sessionTimeouts ? 'begin' : `begin; ${SET_SETTINGS}`
  const db = drizzle(pooledClient(client, connections, begin), { schema, casing: 'snake_case' })
  return { db, close: () => connections.close() }
}

export type Db = ReturnType<typeof connect>['db']
/** A connection inside a transaction. Functions that write take this, never `Db`. */
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0]

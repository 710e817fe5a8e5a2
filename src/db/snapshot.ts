import postgres from 'postgres'
import { inOrderOfReference, type SavedSequence, type SavedTable } from '../lib/backup'
import { MIGRATION_LOCK } from './migrations'
import { primaryOf } from './servers'

export type Bulk = postgres.Sql

/** The database at one instant. */
export interface Snapshot {
  /** The hashes of its migrations, oldest first. */
  readonly migrations: readonly string[]
  /** In an order in which each table follows those that it refers to. */
  readonly tables: readonly SavedTable[]
  /** The rows of a table in COPY's text format, in chunks of whole rows. */
  readonly rowsOf: (table: SavedTable) => AsyncIterable<Uint8Array>
  readonly sequences: () => Promise<SavedSequence[]>
}

/** Removes the time-outs, which would end a long copy, and fixes the formats of values, whatever the server's settings. */
const SETTINGS = {
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  transaction_timeout: '0',
  TimeZone: 'UTC',
  DateStyle: 'ISO, YMD',
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
}

/** Opens a separate connection for one long transaction. Its lock makes it and migrations wait for each other. */
export async function inBulk<T>(
  url: string,
  mode: 'read' | 'write',
  work: (sql: Bulk) => Promise<T>,
): Promise<T> {
  const sql = postgres(await primaryOf(url), {
    max: 1,
    prepare: false,
    onnotice: () => {},
    connect_timeout: 5,
    connection: { application_name: 'organiser backup' },
  })
  try {
    // Locked before the transaction starts; otherwise its snapshot would be older than the migration that it waited for.
    await sql.unsafe(`select pg_advisory_lock${mode === 'read' ? '_shared' : ''}(${MIGRATION_LOCK})`)
    await sql.unsafe(mode === 'read' ? 'begin isolation level repeatable read, read only' : 'begin')
    for (const [name, value] of Object.entries(SETTINGS)) {
      await sql`select set_config(name, ${value}, true) from pg_settings where name = ${name}`
    }
    const result = await work(sql)
    await sql.unsafe('commit')
    return result
  } finally {
    // Closing the connection rolls back what was not committed.
    await sql.end({ timeout: 0 })
  }
}

/** The hashes of the applied migrations; undefined when the database was never migrated. */
export async function appliedMigrations(sql: Bulk): Promise<string[] | undefined> {
  const [found] = await sql`select to_regclass('drizzle.__drizzle_migrations') is not null as found`
  if (!found?.['found']) return undefined
  const rows = await sql<{ hash: string }[]>`
    select hash from drizzle.__drizzle_migrations order by created_at, id`
  return rows.map(({ hash }) => hash)
}

/**
 * The tables with their stored columns; each table follows those that it refers to. Without what means nothing in another
 * database: the epoch of the journal and its timelines, ids of transactions, and unlogged tables, which are empty between transactions.
 */
export async function tablesOf(sql: Bulk): Promise<SavedTable[]> {
  const rows = await sql<{ name: string; columns: string[]; references: string[] }[]>`
    select c.relname as name,
      (select coalesce(json_agg(a.attname order by a.attnum), '[]') from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.atttypid <> 'xid8'::regtype
          and not (c.relname = 'sync_scopes' and a.attname in ('timeline', 'before_switch'))) as columns,
      (select coalesce(json_agg(r.relname), '[]') from pg_constraint f join pg_class r on r.oid = f.confrelid
        where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as references
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relpersistence = 'p'
      and c.relname not in ('sync_state', 'sync_switches')
    order by c.relname`
  return inOrderOfReference(rows).map(({ name, columns }) => ({ name, columns }))
}

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`

/** The table and its columns in COPY's notation. */
export const target = ({ name, columns }: SavedTable): string =>
  `public.${quote(name)} (${columns.map(quote).join(', ')})`

interface Sequence {
  readonly table: string
  readonly column: string
  /** Quoted, with its schema. */
  readonly sequence: string
}

export const sequencesOf = (sql: Bulk): Promise<readonly Sequence[]> => sql<Sequence[]>`
  select c.relname as table, a.attname as column,
    pg_get_serial_sequence(format('public.%I', c.relname), a.attname) as sequence
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relpersistence = 'p' and a.attidentity <> ''
  order by c.relname`

async function savedSequences(sql: Bulk): Promise<SavedSequence[]> {
  const saved: SavedSequence[] = []
  for (const { table, column, sequence } of await sequencesOf(sql)) {
    const [row] = await sql.unsafe(`select last_value, is_called from ${sequence}`)
    saved.push({ table, column, last: Number(row?.['last_value']), isCalled: row?.['is_called'] === true })
  }
  return saved
}

const ROWS_AT_ONCE = 200

/** A value in COPY's text format: field and row separators are escaped. */
const field = (column: string) => {
  const text = String.raw`replace(${quote(column)}::text, '\', '\\')`
  const escaped = String.raw`replace(replace(replace(${text}, chr(9), '\t'), chr(10), '\n'), chr(13), '\r')`
  return String.raw`coalesce(${escaped}, '\N')`
}

/** Uses a cursor, because the driver's COPY stream never ends if it has to wait for its reader. */
async function* rowsOf(sql: Bulk, { name, columns }: SavedTable): AsyncGenerator<Uint8Array> {
  const line = columns.map(field).join(' || chr(9) || ')
  await sql.unsafe(`declare saved no scroll cursor for select ${line} as line from public.${quote(name)}`)
  for (;;) {
    const rows = await sql.unsafe<{ line: string }[]>(`fetch ${ROWS_AT_ONCE} from saved`)
    if (rows.length === 0) break
    yield new TextEncoder().encode(rows.map(({ line: row }) => `${row}\n`).join(''))
  }
  await sql.unsafe('close saved')
}

/**
 * Gives `work` the database as it is now; concurrent writes do not show.
 * @throws {Error} when the database has none of the service's tables.
 */
export const withSnapshot = <T>(url: string, work: (snapshot: Snapshot) => Promise<T>): Promise<T> =>
  inBulk(url, 'read', async (sql) => {
    const migrations = await appliedMigrations(sql)
    if (!migrations || migrations.length === 0) throw new Error('There is nothing to back up yet.')
    return work({
      migrations,
      tables: await tablesOf(sql),
      rowsOf: (table) => rowsOf(sql, table),
      sequences: () => savedSequences(sql),
    })
  })

import type { SavedSequence, SavedTable } from '../lib/backup'
import { bare } from './bare-tables'
import { appliedMigrations, type Bulk, inBulk, sequencesOf, tablesOf, target } from './snapshot'

/** The contents of a backup; `rows` has one entry per table, in the order of `tables`. */
export interface Contents {
  readonly tables: readonly SavedTable[]
  readonly sequences: readonly SavedSequence[]
  readonly rows: AsyncIterable<AsyncIterable<Uint8Array>>
}

const NOT_EMPTY = 'The database is not empty: name one that is, as a restore replaces nothing.'
const TOO_NEW = 'The database has been migrated beyond the backup: name one that is empty.'

/** @throws {Error} unless the database is empty and its migrations are among those of the backup. */
export const refuseUsed = (url: string, migrations: readonly string[]): Promise<void> =>
  inBulk(url, 'read', async (sql) => {
    const applied = await appliedMigrations(sql)
    const tables = await tablesOf(sql)
    if (applied === undefined && tables.length > 0) throw new Error(NOT_EMPTY)
    await refuseRows(sql, tables)
    if (applied?.some((hash, index) => hash !== migrations[index])) throw new Error(TOO_NEW)
  })

async function refuseRows(sql: Bulk, tables: readonly SavedTable[]): Promise<void> {
  for (const { name } of tables) {
    const [found] = await sql`select 1 from ${sql(`public.${name}`)} limit 1`
    if (found) throw new Error(NOT_EMPTY)
  }
}

/**
 * Loads all rows into an empty database, in one transaction. Indexes and foreign keys, which PostgreSQL would follow up row by row and
 * keep in memory until a table is whole, are made afterwards.
 * @throws {Error} when the database is not empty, has other tables or columns, or rejects a row.
 */
export const load = (url: string, { tables, sequences, rows }: Contents): Promise<void> =>
  inBulk(url, 'write', async (sql) => {
    const own = await tablesOf(sql)
    if (!isSame(own, tables)) throw new Error('The tables of the backup are not those of the service.')
    for (const { name } of own) await sql`lock table ${sql(`public.${name}`)} in exclusive mode`
    await refuseRows(sql, own)
    // The backup already contains the rows that triggers have written.
    for (const { name } of own) await sql`alter table ${sql(`public.${name}`)} disable trigger user`
    await sql`select set_config('maintenance_work_mem', '256MB', true)`
    const dress = await bare(
      sql,
      own.map(({ name }) => name),
    )
    let index = 0
    for await (const some of rows) {
      const table = tables[index++]
      if (!table) throw new Error('The backup has more tables than it names.')
      await copyIn(sql, table, some)
    }
    await dress()
    const continued = new Map(sequences.map((saved) => [`${saved.table}.${saved.column}`, saved]))
    for (const { table, column, sequence } of await sequencesOf(sql)) {
      const saved = continued.get(`${table}.${column}`)
      if (saved) await sql`select setval(${sequence}::regclass, ${saved.last}, ${saved.isCalled})`
    }
    for (const { name } of own) await sql`alter table ${sql(`public.${name}`)} enable trigger user`
  })

const isSame = (one: readonly SavedTable[], other: readonly SavedTable[]): boolean =>
  JSON.stringify(one.map(signature).toSorted()) === JSON.stringify(other.map(signature).toSorted())

const signature = ({ name, columns }: SavedTable): string => JSON.stringify([name, columns.toSorted()])

async function copyIn(sql: Bulk, table: SavedTable, rows: AsyncIterable<Uint8Array>): Promise<void> {
  const stream = await sql.unsafe(`copy ${target(table)} from stdin`).writable()
  const failed = new Promise<never>((_, reject) => stream.once('error', reject))
  const write = (chunk: Uint8Array) =>
    new Promise<void>((resolve, reject) =>
      stream.write(chunk, (error) => (error ? reject(error) : resolve())),
    )
  for await (const chunk of rows) await Promise.race([write(chunk), failed])
  const ended = new Promise<void>((resolve) => stream.end(() => resolve()))
  // If PostgreSQL rejects a copy at its end, the driver never settles it; but then the next statement of the transaction fails.
  const next = sql.unsafe('select').catch(() => {
    throw new Error(`The rows of ${table.name} do not fit together.`)
  })
  await Promise.race([Promise.all([ended, next]), failed])
}

import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'
import journal from '../../drizzle/meta/_journal.json'
import type { Db } from './client'
import { primaryOf } from './servers'

/** Advisory lock for migrations, because Drizzle's migrator takes none. */
export const MIGRATION_LOCK = 6_742_001

/**
 * Applies the migrations of `folder` to the database at `url`. Any number of instances may call this at the same time.
 * @throws {Error} with the one-line message of the driver or the database.
 */
export const applyMigrations = (url: string, folder: string): Promise<void> =>
  asMigrator(url, async (connection) => {
    await refuseOldServer(connection)
    await migrate(drizzle(connection), { migrationsFolder: folder })
  })

/**
 * Stores in the database for how many days it keeps audit entries. Only the owner of the tables can change that.
 * @throws {Error} with the one-line message of the driver or the database.
 */
export const retainAudit = (url: string, days: number): Promise<void> =>
  asMigrator(url, async (connection) => {
    const [row] = await connection`select public.audit_retention_days() as days`
    if (row?.['days'] === days) return
    await connection.unsafe(`create or replace function public.audit_retention_days() returns integer
      language sql stable parallel safe return ${days}`)
  })

/** Runs one caller at a time, by a session lock on a separate connection. */
async function asMigrator(url: string, work: (connection: postgres.Sql) => Promise<void>): Promise<void> {
  const connection = postgres(await primaryOf(url), {
    max: 1,
    onnotice: () => {},
    connection: { application_name: 'organiser migrations' },
  })
  try {
    await connection`select pg_advisory_lock(${MIGRATION_LOCK})`
    await work(connection)
  } catch (error) {
    // Drizzle's own message contains the whole migration.
    throw rootCause(error)
  } finally {
    await connection.end({ timeout: 5 })
  }
}

const OLDEST_SERVER = 15

async function refuseOldServer(connection: postgres.Sql): Promise<void> {
  const [row] = await connection`select current_setting('server_version_num')::int / 10000 as major`
  const major = Number(row?.['major'])
  if (major < OLDEST_SERVER)
    throw new Error(`PostgreSQL ${major} is too old: ${OLDEST_SERVER} or newer is needed`)
}

const rootCause = (error: unknown): Error => {
  if (!(error instanceof Error)) return new Error(String(error))
  return error.cause === undefined ? error : rootCause(error.cause)
}

const newest = Math.max(0, ...journal.entries.map((entry) => entry.when))

/** Whether every migration of this build has been applied. A database with newer migrations also counts as current. */
export async function isMigrated(db: Db): Promise<boolean> {
  const rows = await db.execute<{ newest: string | null }>(
    sql`select max(created_at) as newest from drizzle.__drizzle_migrations`,
  )
  return Number(rows[0]?.newest ?? 0) >= newest
}

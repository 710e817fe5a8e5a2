import { expect, setDefaultTimeout, test } from 'bun:test'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { administer, freshDatabaseUrl, MIGRATIONS } from '../support/database'
import { ROOT, spawnProgram, startService } from '../support/service'

setDefaultTimeout(60_000)

const known = readMigrationFiles({ migrationsFolder: MIGRATIONS }).map(({ hash }) => hash)

/** The migrations that a database says it has had, and the advisory locks that are held in it. */
async function stateOf(url: string) {
  const sql = administer(url)
  try {
    const applied = await sql`select hash from drizzle.__drizzle_migrations order by created_at`
    const locks = await sql`
      select objid from pg_locks join pg_database on pg_database.oid = database
      where locktype = 'advisory' and datname = current_database()`
    return { applied: applied.map((row) => String(row['hash'])), locks: [...locks] }
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** For how many days the database keeps audit entries. */
async function retentionOf(url: string): Promise<unknown> {
  const sql = administer(url)
  const [row] = await sql`select public.audit_retention_days() as days`
  await sql.end({ timeout: 5 })
  return row?.['days']
}

const SERVICE = { SECRET_KEYS: 'k1:faults-faults-faults-faults-faults' }

test('five services that start at once on an empty database get ready, and apply each migration once', async () => {
  await using database = await freshDatabaseUrl({ migrated: false })
  const env = { ...SERVICE, DATABASE_URL: database.url }
  const starts = await Promise.allSettled(Array.from({ length: 5 }, () => startService({ env })))
  await using services = new AsyncDisposableStack()
  for (const start of starts) if (start.status === 'fulfilled') services.use(start.value)
  expect(starts.map(({ status }) => status)).toEqual(Array(5).fill('fulfilled'))
  expect(await stateOf(database.url)).toEqual({ applied: known, locks: [] })
  expect(await retentionOf(database.url)).toBe(365)
})

test('each start tells the database for how many days it keeps audit entries', async () => {
  await using database = await freshDatabaseUrl()
  expect(await retentionOf(database.url)).toBe(36_500)
  for (const days of [30, 400]) {
    const env = { ...SERVICE, DATABASE_URL: database.url, AUDIT_RETENTION_DAYS: String(days) }
    const service = await startService({ env })
    expect(await service.stop()).toBe(0)
    expect(await retentionOf(database.url)).toBe(days)
  }
})

test('migrating ends with 0, and so it does a second time, when there is nothing to do', async () => {
  await using database = await freshDatabaseUrl({ migrated: false })
  for (const _ of ['first', 'second']) {
    const migrate = spawnProgram({ args: ['src/migrate.ts'], env: { DATABASE_URL: database.url } })
    expect(await migrate.finished()).toEqual({
      exitCode: 0,
      stdout: 'The database is up to date.\n',
      stderr: '',
    })
    expect(await stateOf(database.url)).toEqual({ applied: known, locks: [] })
  }
})

test('migrating a database that is out of reach ends with 1 and one line', async () => {
  const env = { DATABASE_URL: 'postgres://organiser:not-to-be-seen@127.0.0.1:1/organiser' }
  const { exitCode, stdout, stderr } = await spawnProgram({ args: ['src/migrate.ts'], env }).finished()
  expect(exitCode).toBe(1)
  expect(stderr).toMatch(/^Cannot migrate: .+\n$/)
  expect(stdout + stderr).not.toContain('not-to-be-seen')
})

test('a migration that fails is reported in one line, and leaves nothing behind', async () => {
  await using database = await freshDatabaseUrl({ migrated: false })
  const sql = administer(database.url)
  await sql`create table sessions (id int)`
  const env = { DATABASE_URL: database.url }
  const { exitCode, stderr } = await spawnProgram({ args: ['src/migrate.ts'], env }).finished()
  const tables = await sql`select table_name from information_schema.tables where table_schema = 'public'`
  await sql.end({ timeout: 5 })
  expect(exitCode).toBe(1)
  expect(stderr).toBe('Cannot migrate: relation "sessions" already exists\n')
  expect([...tables]).toEqual([{ table_name: 'sessions' }])
  expect(await stateOf(database.url)).toEqual({ applied: [], locks: [] })
})

test('the migrations make the schema that the code has: there is nothing to generate', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'organiser-drift-'))
  try {
    const out = join(folder, 'drizzle')
    await cp(MIGRATIONS, out, { recursive: true })
    const files = async () => (await readdir(out, { recursive: true })).toSorted()
    const before = await files()
    const config = join(folder, 'drizzle.config.json')
    await Bun.write(
      config,
      JSON.stringify({
        dialect: 'postgresql',
        schema: './src/db/schema/index.ts',
        casing: 'snake_case',
        out: relative(ROOT, out),
      }),
    )
    const args = ['node_modules/drizzle-kit/bin.cjs', 'generate', '--config', relative(ROOT, config)]
    const { exitCode, stdout } = await spawnProgram({
      args,
      env: { PATH: process.env['PATH'] ?? '' },
    }).finished()
    expect(exitCode).toBe(0)
    expect(stdout).toContain('No schema changes')
    expect(await files()).toEqual(before)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

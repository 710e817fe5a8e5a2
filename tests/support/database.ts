import { exists, rm, statfs } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import postgres from 'postgres'
import { startEmbeddedPostgres } from '../../src/adapters/embedded-postgres'
import { MIGRATIONS } from '../../src/adapters/migrations-folder'
import { connect } from '../../src/db/client'
import { applyMigrations } from '../../src/db/migrations'

const ON_DISK = fileURLToPath(new URL('../../.data/test', import.meta.url))
const MEMORY = '/dev/shm'
const IN_MEMORY = `${MEMORY}/organiser-test-${new Bun.CryptoHasher('sha1').update(ON_DISK).digest('hex').slice(0, 12)}`
const LEAST_BYTES = 4 * 1024 ** 3

/**
 * Where the server keeps its files: in memory, where there is room. Each test makes a database of hundreds of files and deletes it, and
 * ext4, which avoids the places of files that were deleted within the last seconds, spends more time on that than the tests take.
 */
async function dataDir(): Promise<string> {
  if (await exists(IN_MEMORY)) return IN_MEMORY
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }))
  return bavail * bsize < LEAST_BYTES ? ON_DISK : IN_MEMORY
}

const TEMPLATE_LOCK = 6_742_100

/** The server that tests run on: one of your own (`TEST_DATABASE_URL`), or an embedded one. */
export const testServer = async (): Promise<string> => {
  const own = process.env['TEST_DATABASE_URL']
  if (own) return own
  server ??= dataDir().then((path) =>
    startEmbeddedPostgres({ dataDir: path, database: 'postgres', durable: false }),
  )
  return (await server).url
}
let server: ReturnType<typeof startEmbeddedPostgres> | undefined

/** Stops the embedded server, if this process started or found one; others may go on using it. */
export async function stopTestServer(): Promise<void> {
  const running = await server
  server = undefined
  await running?.stop()
}

/** Stops the embedded server and frees the memory that it has, unless others go on using it. */
export async function dropTestServer(): Promise<void> {
  await stopTestServer()
  const isUsed = await exists(`${IN_MEMORY}/postgres/data/postmaster.pid`)
  if (!isUsed) await rm(IN_MEMORY, { recursive: true, force: true })
}

export const databaseUrl = (serverUrl: string, name: string): string => {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

export const administer = (url: string) =>
  postgres(url, { max: 1, onnotice: () => {}, connection: { application_name: 'tests' } })

/** Migrates a template once per state of the migrations; every test file of every run only copies it. */
async function ensureTemplate(url: string): Promise<string> {
  // With its time: a migration that is generated again may say the same, yet readiness asks for the newest.
  const states = readMigrationFiles({ migrationsFolder: MIGRATIONS }).map(
    ({ hash, folderMillis }) => `${hash} ${folderMillis}`,
  )
  const name = `organiser_template_${new Bun.CryptoHasher('sha1').update(states.join()).digest('hex').slice(0, 12)}`
  const admin = administer(url)
  try {
    await admin`select pg_advisory_lock(${TEMPLATE_LOCK})`
    const [found] = await admin`select 1 from pg_database where datname = ${name} and datistemplate`
    if (!found) {
      await admin.unsafe(`drop database if exists ${name}`)
      await admin.unsafe(`create database ${name}`)
      await applyMigrations(databaseUrl(url, name), MIGRATIONS)
      await admin.unsafe(`alter database ${name} is_template true`)
    }
  } finally {
    await admin.end({ timeout: 5 })
  }
  return name
}

const randomName = () => `organiser_test_${crypto.randomUUID().replaceAll('-', '').slice(0, 16)}`

interface Fresh {
  readonly migrated?: boolean
}

/** A database of its own: a copy of the migrated template, or an empty one. Gone when disposed. */
export async function freshDatabaseUrl({ migrated = true }: Fresh = {}) {
  const url = await testServer()
  const template = migrated ? await ensureTemplate(url) : 'template1'
  const name = randomName()
  const admin = administer(url)
  await admin.unsafe(`create database ${name} template ${template}`)
  return {
    name,
    url: databaseUrl(url, name),
    async [Symbol.asyncDispose]() {
      await admin.unsafe(`drop database if exists ${name} with (force)`)
      await admin.end({ timeout: 5 })
    },
  }
}

/** Connections in the pool of each test's app; the suite also runs with one (`bun run check:full`). */
const TEST_POOL = Number(process.env['TEST_DATABASE_POOL'] ?? 4)

export async function freshDatabase() {
  const fresh = await freshDatabaseUrl()
  const { db, close } = connect(fresh.url, { pool: TEST_POOL })
  return {
    db,
    url: fresh.url,
    async [Symbol.asyncDispose]() {
      await close()
      await fresh[Symbol.asyncDispose]()
    },
  }
}

import { randomBytes } from 'node:crypto'
import { mkdir, readFile, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import postgres from 'postgres'
import { exists, provideBinaries, run } from './embedded-postgres.binaries'
import { sleep, tryLockAlone, tryLockTogether, withLock } from './embedded-postgres.lock'
import { findPlace, giveTo, isRoot, openDataDir } from './embedded-postgres.place'
import { findRunning, startServer, stopServer } from './embedded-postgres.server'
import type { Binaries } from './embedded-postgres.binaries'
import type { HeldLock } from './embedded-postgres.lock'
import type { Place } from './embedded-postgres.place'
import type { Server } from './embedded-postgres.server'

export interface EmbeddedPostgresOptions {
  /** Holds the cluster in `<dataDir>/postgres` and the server's log in `<dataDir>/postgres.log`. Created if missing. */
  readonly dataDir: string
  /** Created if missing; default 'organiser'. */
  readonly database?: string
  /** false gives up all crash safety for speed; for tests only. */
  readonly durable?: boolean
  /** For root: holds what PostgreSQL's user cannot reach in the checkout; default /var/lib/organiser. */
  readonly sharedDir?: string
  readonly log?: (line: string) => void
}

export interface EmbeddedPostgres {
  /** postgres://… of the database, including the password. Clients set an application_name that starts with `organiser`. */
  readonly url: string
  /**
   * Stops the server unless it is still in use: by another service that started it, or by another client whose application_name
   * starts with 'organiser'. The last user stops it. Sessions of other clients (psql) are ended. Close your own connections
   * first. A second call does nothing.
   */
  stop(): Promise<void>
}

const USER = 'organiser'
const TURN_WAIT_MS = 180_000
const LEAVING_WAIT_MS = 1_000
const POLL_MS = 20

async function query<T>(place: Place, server: Server, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres({
    host: '127.0.0.1',
    port: server.port,
    user: USER,
    password: await readPassword(place),
    database: 'postgres',
    ssl: false,
    max: 1,
    connect_timeout: 10,
    onnotice: () => undefined,
    connection: { application_name: 'embedded-postgres' },
  })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 5 })
  }
}

const readPassword = async (place: Place): Promise<string> =>
  (await readFile(place.passwordFile, 'utf8')).trim()

/** Initialises in a temporary directory and then renames it, so that a cluster exists completely or not at all. */
async function initialise(place: Place, binaries: Binaries, durable: boolean): Promise<void> {
  const draft = join(place.base, `postgres.new-${randomBytes(6).toString('hex')}`)
  const passwordFile = join(draft, 'password')
  await mkdir(draft, { mode: 0o700 })
  await writeFile(passwordFile, `${randomBytes(24).toString('hex')}\n`, { mode: 0o600 })
  await giveTo(place.account, passwordFile)
  await giveTo(place.account, draft)
  const args = [
    `--pgdata=${join(draft, 'data')}`,
    `--username=${USER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    ...(durable ? [] : ['--no-sync']),
  ]
  const { ok, output } = await run(binaries.initdb, args, place.account)
  if (!ok) {
    await rm(draft, { recursive: true, force: true })
    throw new Error(`PostgreSQL's data directory cannot be initialised: ${output.slice(-2_000)}`)
  }
  await rename(draft, place.cluster)
}

/** Removes the leftovers of an interrupted initialisation. */
async function removeDrafts(place: Place): Promise<void> {
  for (const name of await readdir(place.base)) {
    // The initdb of a killed service may still be writing there. The next start removes what cannot be removed now.
    if (name.startsWith('postgres.new-')) {
      await rm(join(place.base, name), { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined)
    }
  }
}

/** Renames instead of deleting: a directory that looks unfinished may hold the only copy of somebody's data. */
async function setAsideIncomplete(place: Place, log: (line: string) => void): Promise<void> {
  if (!(await exists(place.cluster)) || (await exists(join(place.data, 'global', 'pg_control')))) return
  const isEmpty = await rmdir(place.cluster).then(
    () => true,
    () => false,
  )
  if (isEmpty) return
  const aside = `${place.cluster}.incomplete-${randomBytes(4).toString('hex')}`
  await rename(place.cluster, aside)
  log(`The database in ${place.cluster} is incomplete; it is now in ${aside}, and a new one is made.`)
}

async function ensureCluster(
  place: Place,
  binaries: Binaries,
  durable: boolean,
  log: (line: string) => void,
): Promise<void> {
  await removeDrafts(place)
  await setAsideIncomplete(place, log)
  if (!(await exists(place.cluster))) await initialise(place, binaries, durable)
  const major = (await readFile(join(place.data, 'PG_VERSION'), 'utf8')).trim()
  if (major !== binaries.major) {
    throw new Error(
      `The database in ${place.data} was made by PostgreSQL ${major}, and this is ${binaries.major}: ` +
        'dump it with the old version and restore it into a new data directory.',
    )
  }
}

async function countOthers(sql: postgres.Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity
    where backend_type = 'client backend' and application_name like 'organiser%' and pid <> pg_backend_pid()`
  return row?.count ?? 0
}

/** Waits a little, because the server may not yet have noticed that the caller's own connections have closed. */
async function isInUse(place: Place, server: Server): Promise<boolean> {
  const alone = tryLockAlone(place.inUseFile)
  if (alone === null) return true
  alone.release()
  return query(place, server, async (sql) => {
    const deadline = performance.now() + LEAVING_WAIT_MS
    while ((await countOthers(sql)) > 0) {
      if (performance.now() > deadline) return true
      await sleep(POLL_MS)
    }
    return false
  })
}

async function isDurable(place: Place, server: Server): Promise<boolean> {
  return query(place, server, async (sql) => (await sql`show fsync`)[0]?.['fsync'] === 'on')
}

/** Returns the running server if it is suitable or in use. Stops an unsuitable server that nobody uses. */
async function adoptRunning(place: Place, binaries: Binaries, durable: boolean): Promise<Server | null> {
  const running = await findRunning(place, binaries)
  if (running === null) return null
  const isFit = !running.isOutdated && (!durable || (await isDurable(place, running.server)))
  if (isFit || (await isInUse(place, running.server))) return running.server
  await stopServer(running.server.pid, place, binaries)
  return null
}

async function ensureDatabase(place: Place, server: Server, database: string): Promise<void> {
  await query(place, server, async (sql) => {
    const found = await sql`select 1 from pg_database where datname = ${database}`
    if (found.length === 0) await sql`create database ${sql(database)}`
  })
}

async function stopUnlessUsed(
  place: Place,
  binaries: Binaries,
  server: Server,
  held: HeldLock,
): Promise<void> {
  held.release()
  const running = await findRunning(place, binaries)
  // The server was replaced meanwhile, so it belongs to somebody else.
  if (running?.server.pid !== server.pid || (await isInUse(place, server))) return
  await stopServer(server.pid, place, binaries)
}

async function takeUse(place: Place): Promise<HeldLock> {
  const held = tryLockTogether(place.inUseFile)
  if (held === null) throw new Error(`${place.inUseFile} is locked by another program.`)
  await giveTo(place.account, place.inUseFile)
  return held
}

/**
 * Starts a PostgreSQL server for `dataDir`, or reuses one that is running there: another service may have started it, or a killed
 * service may have left it behind, as the server outlives the process that started it. It listens on a free port of 127.0.0.1
 * only.
 * @throws {Error} in one sentence when the platform has no binaries, the data belongs to another major version or another user,
 * or the server does not start.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const {
    database = 'organiser',
    durable = true,
    sharedDir = '/var/lib/organiser',
    log = () => undefined,
  } = options
  const dataDir = await openDataDir(options.dataDir)
  const lockFile = join(dataDir.path, 'postgres.lock')
  return withLock(lockFile, TURN_WAIT_MS, async () => {
    const place = await findPlace(dataDir, sharedDir)
    await giveTo(place.account, lockFile)
    if (place.relocated)
      log(`PostgreSQL's user cannot enter ${dataDir.path}; its data is in ${place.cluster}.`)
    const binaries = await provideBinaries(
      place.account,
      isRoot() ? sharedDir : dataDir.path,
      place.relocated,
    )
    await ensureCluster(place, binaries, durable, log)
    const adopted = await adoptRunning(place, binaries, durable)
    const server = adopted ?? (await startServer(place, binaries, durable))
    log(`PostgreSQL ${adopted ? 'already runs' : 'runs'} on port ${server.port} as process ${server.pid}.`)
    await ensureDatabase(place, server, database)
    const held = await takeUse(place)
    let stopping: Promise<void> | undefined
    return {
      url: `postgres://${USER}:${await readPassword(place)}@127.0.0.1:${server.port}/${encodeURIComponent(database)}`,
      stop: () =>
        (stopping ??= withLock(lockFile, TURN_WAIT_MS, () => stopUnlessUsed(place, binaries, server, held))),
    }
  })
}

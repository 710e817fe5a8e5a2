import { resolve } from 'node:path'
import { swaggerUiAssets } from './adapters/assets'
import { createCipher } from './adapters/cipher'
import { commonPasswords } from './adapters/common-passwords'
import { ipRanges } from './adapters/ip-ranges'
import { openDatabase } from './adapters/database-source'
import { createMetrics } from './adapters/metrics'
import { MIGRATIONS } from './adapters/migrations-folder'
import { createNtfy } from './adapters/ntfy'
import { createOidc, redirectUriOf } from './adapters/oidc'
import { createPasswordHasher } from './adapters/password-hasher'
import { systemRandom } from './adapters/random'
import { keepSecretKey } from './adapters/secret-keys'
import { createTokenSigner } from './adapters/token-signer'
import { createTotp } from './adapters/totp'
import { createWebAuthn } from './adapters/webauthn'
import { webAssets } from './adapters/web-assets'
import { createWeather } from './adapters/weather'
import { calendarFiles } from './adapters/icalendar'
import { modelContextProtocol } from './adapters/model-context-protocol'
import { xmlReader } from './adapters/xml'
import { vCards } from './adapters/vcard'
import { keepHistory } from './access/history/service'
import { createApp } from './app'
import type { Config } from './config'
import { connect } from './db/client'
import { applyMigrations, retainAudit } from './db/migrations'
import { createReadiness } from './db/readiness'
import type { Deps } from './deps'
import { startCron } from './jobs/cron'
import { createJobs } from './jobs/schedule'
import type { Clock } from './lib/ports/clock'
import type { Logger } from './lib/ports/logging'

/** What must be closed when the service stops, last opened first. */
export type Closers = Array<() => Promise<void>>

interface Surroundings {
  readonly log: Logger
  readonly clock: Clock
  /** Prints a line for the operator. */
  readonly say: (line: string) => void
  readonly peerAddress: (request: Request) => string | undefined
  readonly isDraining: () => boolean
  /** Cron pattern of the jobs, in the machine's time zone; every minute by default. */
  readonly jobsPattern?: string
  /** Age at which a connection of the database pool is replaced. */
  readonly connectionLifetimeMs?: number
}

/** Builds the service with the machine's resources, and starts its jobs. */
export async function start(config: Config, surroundings: Surroundings, closers: Closers) {
  const { log, clock, say, peerAddress, isDraining, jobsPattern, connectionLifetimeMs } = surroundings
  const database = await openDatabase(config.database, say)
  closers.unshift(() => database.stop())
  await applyMigrations(database.directUrl, MIGRATIONS)
  await retainAudit(database.directUrl, config.auditRetentionDays)
  const { db, close } = connect(database.url, connectionsOf(config, connectionLifetimeMs))
  closers.unshift(close)
  await keepHistory({ db, clock }, config.historyDays)
  const hasher = createPasswordHasher({
    engine: config.password.hasher,
    workers: config.password.hashWorkers,
  })
  closers.unshift(() => hasher.close())
  const keys = await keysOf(config)
  if (!(await webAssets.read('shell.html'))) say('The web client is not built: bun run build:web builds it.')
  const deps: Deps = {
    config,
    db,
    log,
    clock,
    random: systemRandom,
    hasher,
    commonPasswords,
    tokens: createTokenSigner(keys),
    cipher: createCipher(keys, systemRandom),
    totp: createTotp(systemRandom),
    webauthn: createWebAuthn(config.webauthn),
    metrics: createMetrics(),
    ipRanges,
    weather: createWeather({ ...config.weather, clock }),
    pushServer: createNtfy({ isAllowed: (ip) => config.ntfyAllowPrivate || ipRanges.isGlobal(ip) }),
    identityProvider: providerOf(config, clock),
    vCards,
    calendarFiles,
    xml: xmlReader,
    assistants: modelContextProtocol,
    peerAddress,
    assets: swaggerUiAssets,
    client: webAssets,
    readiness: createReadiness(db, isDraining),
  }
  const stopJobs = config.jobs ? startCron(createJobs(deps), jobsPattern) : async () => {}
  closers.unshift(stopJobs)
  return { fetch: createApp(deps).fetch, stopJobs }
}

const connectionsOf = ({ database }: Config, lifetimeMs: number | undefined) => ({
  pool: database.pool,
  prepare: database.prepare,
  sessionTimeouts: database.directUrl === undefined,
  ...(lifetimeMs !== undefined && { lifetimeMs }),
})

const providerOf = ({ oidc, http }: Config, clock: Clock) =>
  oidc &&
  createOidc({
    ...oidc,
    redirectUri: redirectUriOf(http.publicUrl),
    clock,
    isGlobal: (ip) => ipRanges.isGlobal(ip),
  })

/** The keys of the configuration, or the one that the embedded database keeps beside itself. */
const keysOf = async ({ secretKeys, database }: Config) =>
  secretKeys.length > 0 ? secretKeys : [await keepSecretKey(resolve(database.dataDir), systemRandom)]

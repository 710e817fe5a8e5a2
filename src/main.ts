import { systemClock } from './adapters/clock'
import { ipRanges } from './adapters/ip-ranges'
import { type Handler, listen, retire } from './adapters/http-server'
import { createLogger } from './adapters/logger'
import { webAssets } from './adapters/web-assets'
import { type Config, ConfigError, loadConfig } from './config'
import { errorResponse, failureFields } from './http/errors'
import { createWebClient } from './http/web-client'
import { rootMessage } from './lib/database-failure'
import { AppError, unavailable } from './lib/errors'
import { type Closers, start } from './start'

/** How many ports after the default one are tried when `PORT` is not set. */
const PORTS_TO_TRY = 20
const DRAIN_MS = 20_000
/** Every request must end within ten seconds, even one that arrives before the service is ready. */
const START_WAIT_MS = 9000
/**
 * `bun run` forwards a signal that the terminal or systemd has also sent to the service. Two signals within this time count as
 * one.
 */
const SAME_SIGNAL_MS = 500

/** Values that depend on the machine. */
const machine = {
  timeZone: Temporal.Now.timeZoneId(),
  cores: navigator.hardwareConcurrency,
  isCidr: ipRanges.isCidr,
}

/** Prints one sentence and ends the process. */
function fail(message: string): never {
  console.error(message)
  process.exit(1)
}

function readConfig(port?: number): Config {
  try {
    return loadConfig(port === undefined ? Bun.env : { ...Bun.env, PORT: String(port) }, machine)
  } catch (error) {
    if (error instanceof ConfigError) return fail(error.message)
    throw error
  }
}

/** Without `PORT`, the service takes the next free port, so that two checkouts can run side by side. */
function portsOf({ http }: Config): number[] {
  if (Bun.env.PORT?.trim()) return [http.port]
  return Array.from({ length: PORTS_TO_TRY }, (_, offset) => http.port + offset)
}

const failed = () => errorResponse(new AppError('internal', 'Internal server error'))

function listenOrFail(config: Config, handle: Handler) {
  try {
    return listen({ hostname: config.http.host, ports: portsOf(config), handle, failed })
  } catch (error) {
    return fail(rootMessage(error))
  }
}

const requested = readConfig()
const webClient = createWebClient({ client: webAssets, config: requested })
/**
 * Handles requests during the start: the process is live, the web client says that the service is starting, and other requests
 * wait, because a proxy sends them before the service is ready.
 */
const starting: Handler = async (request) => {
  const { pathname } = new URL(request.url)
  if (pathname === '/health/live') return Response.json({ status: 'ok' })
  const page = webClient(request)
  if (page) return page
  const isPatient = pathname !== '/health/ready'
  const app =
    isPatient && (await Promise.race([started, systemClock.sleep(START_WAIT_MS)]).catch(() => undefined))
  return app ? app.fetch(request) : errorResponse(unavailable(undefined))
}
let handle: Handler = starting
const server = listenOrFail(requested, (request) => handle(request))
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
const say = (line: string) => console.info(line)
const started = start(config, { log, clock: systemClock, say, peerAddress, isDraining }, closers)

/**
 * Finishes running requests and jobs. During the start it waits for the start to end, because only then is everything to close
 * known.
 */
async function shutDown() {
  drainingSince = systemClock.monotonic()
  const retired = retire(server, handle, systemClock)
  handle = retired.handle
  const drained = Promise.all([
    retired.closed,
    started.then(({ stopJobs }) => stopJobs()).catch(() => undefined),
  ])
  await Promise.race([drained, systemClock.sleep(DRAIN_MS)])
  void server.stop(true)
  await closeAll()
  process.exit(0)
}
/** A second signal ends the process at once. */
function onSignal() {
  if (drainingSince === undefined) return void shutDown()
  if (systemClock.monotonic() - drainingSince > SAME_SIGNAL_MS) process.exit(1)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal)

const { fetch } = await started.catch(async (error: unknown) => {
  await closeAll()
  return fail(`Cannot start: ${rootMessage(error)}`)
})

function announce() {
  const { publicUrl } = config.http
  if (config !== requested) console.info(`Port ${requested.http.port} is taken: using ${config.http.port}.`)
  console.info(`Organiser serves on ${publicUrl}
  open it in a browser to make the first account, or to sign in
  API documentation   ${publicUrl}/api/docs`)
}
if (!isDraining()) {
  handle = fetch
  announce()
}

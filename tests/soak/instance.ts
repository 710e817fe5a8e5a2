import { systemClock } from '../../src/adapters/clock'
import { type Handler, listen, retire } from '../../src/adapters/http-server'
import { createLogger } from '../../src/adapters/logger'
import { loadConfig } from '../../src/config'
import { errorResponse } from '../../src/http/errors'
import { AppError } from '../../src/lib/errors'
import { type Closers, start } from '../../src/start'
import { TEST_HOST } from '../support/harness'
import { soakClock, type SoakTime } from './clock'

/**
 * An instance of the service as `src/main.ts` starts and stops it, but that its time is `SOAK_TIME`, that its jobs run each three
 * seconds of the machine, and that it replaces connections to the database after `CONNECTION_LIFETIME_MS`.
 */
const clock = soakClock(JSON.parse(Bun.env['SOAK_TIME'] ?? '') as SoakTime)
const config = loadConfig(Bun.env, TEST_HOST)
const closers: Closers = []
// As in `src/main.ts`, but with everything that is known: only the soak reads it.
process.on('unhandledRejection', (error) => console.error('Unhandled rejection', error))
let isDraining = false
const { fetch, stopJobs } = await start(
  config,
  {
    log: createLogger(config.logLevel, clock),
    clock,
    say: () => {},
    peerAddress: () => '127.0.0.1',
    isDraining: () => isDraining,
    jobsPattern: '*/3 * * * * *',
    connectionLifetimeMs: Number(Bun.env['CONNECTION_LIFETIME_MS']),
  },
  closers,
)
const failed = () => errorResponse(new AppError('internal', 'Internal server error'))
let handle: Handler = fetch
const server = listen({
  hostname: config.http.host,
  ports: [config.http.port],
  handle: (request) => handle(request),
  failed,
})

async function stop() {
  isDraining = true
  const retired = retire(server, handle, systemClock)
  handle = retired.handle
  await Promise.race([Promise.all([retired.closed, stopJobs()]), systemClock.sleep(20_000)])
  void server.stop(true)
  for (const close of closers) await close()
  process.exit(0)
}
process.on('SIGTERM', () => void stop())

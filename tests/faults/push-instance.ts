import { systemClock } from '../../src/adapters/clock'
import { listen } from '../../src/adapters/http-server'
import { createLogger } from '../../src/adapters/logger'
import { loadConfig } from '../../src/config'
import { errorResponse } from '../../src/http/errors'
import { AppError } from '../../src/lib/errors'
import type { Clock } from '../../src/lib/ports/clock'
import { type Closers, start } from '../../src/start'
import { TEST_HOST } from '../support/harness'

/**
 * An instance of the service as `src/main.ts` starts it, but that its time is another and passes faster (`CLOCK`: what it is, what it
 * is by the machine, and how many times as fast), and that its jobs run each second, of the machine.
 */
const [epochMs = 0, machineMs = 0, speed = 1] = (Bun.env['CLOCK'] ?? '').split(' ').map(Number)
const clock: Clock = {
  ...systemClock,
  now: () => new Date(epochMs + (Date.now() - machineMs) * speed),
}

const config = loadConfig(Bun.env, TEST_HOST)
const closers: Closers = []
const { fetch, stopJobs } = await start(
  config,
  {
    log: createLogger(config.logLevel, clock),
    clock,
    say: () => {},
    peerAddress: () => undefined,
    isDraining: () => false,
    jobsPattern: '* * * * * *',
  },
  closers,
)
const failed = () => errorResponse(new AppError('internal', 'Internal server error'))
const server = listen({ hostname: config.http.host, ports: [config.http.port], handle: fetch, failed })
async function stop() {
  await stopJobs()
  await server.stop(true)
  for (const close of closers) await close()
  process.exit(0)
}
process.on('SIGTERM', () => void stop())
// Does not end it, as in `src/main.ts`; whoever started it may look.
process.on('unhandledRejection', (error) => console.error('Unhandled rejection', error))

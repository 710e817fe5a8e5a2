import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { postgresServer } from '../faults/postgres-server'
import { freePort, type Service, startService } from '../support/service'
import { type RunningTime, startTime } from './clock'

/** A database that can be restarted, and two instances of the service on it. */

const INSTANCE = fileURLToPath(new URL('instance.ts', import.meta.url))
/** Requests of a moment after a restart may still meet it. */
const GRACE_MS = 3000
const CONNECTION_LIFETIME_MS = 20_000

/** Whether something is being restarted, so that requests may fail. */
export class Trouble {
  #running = 0
  #until = 0

  get isOn(): boolean {
    return this.#running > 0 || Date.now() < this.#until
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#running++
    try {
      return await work()
    } finally {
      this.#running--
      this.#until = Date.now() + GRACE_MS
    }
  }
}

/** What the runtime says when the cron library is late and waits for less than nothing; the job runs at once. */
const LATE_TIMER =
  /^\(node:\d+\) TimeoutNegativeWarning: .*\nTimeout duration was set to 1\.\n?(?:\(Use .* to show where .*\n?)?/gm

export class Instance {
  readonly url: string
  restarts = 0
  readonly #port: number
  readonly #env: Readonly<Record<string, string>>
  #service: Service | undefined
  #told = 0

  constructor(port: number, env: Readonly<Record<string, string>>) {
    this.#port = port
    this.#env = env
    this.url = `http://127.0.0.1:${port}`
  }

  get pid(): number {
    if (!this.#service) throw new Error('the instance does not run')
    return this.#service.pid
  }

  get isRunning(): boolean {
    return this.#service?.exitCode === null
  }

  /** What it has said since the last time; a restart begins anew. */
  news(): string {
    const said = this.#service?.stderr ?? ''
    const news = said.slice(this.#told)
    this.#told = said.length
    return news.replaceAll(LATE_TIMER, '').trim()
  }

  async start(): Promise<void> {
    this.#told = 0
    this.#service = await startService({ env: this.#env, args: [INSTANCE], port: this.#port })
  }

  async restart(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    this.restarts++
    this.#service?.kill(signal)
    await this.#service?.exited
    await this.start()
  }

  async [Symbol.asyncDispose]() {
    await this.#service?.[Symbol.asyncDispose]()
  }
}

export interface Servers {
  readonly postgres: Awaited<ReturnType<typeof postgresServer>>
  /** Restarted again and again. */
  readonly flaky: Instance
  /** Runs all the time; its memory is measured. */
  readonly steady: Instance
  readonly time: RunningTime
  readonly trouble: Trouble
}

export async function startServers(
  stack: AsyncDisposableStack,
  { epochMs, speed }: { epochMs: number; speed: number },
): Promise<Servers> {
  const postgres = stack.use(await postgresServer({ durable: true }))
  const file = join(tmpdir(), `organiser-soak-${process.pid}`)
  stack.defer(() => rm(file, { force: true }))
  const time = await startTime({ file, epochMs, machineMs: Date.now(), speed })
  const env = {
    DATABASE_URL: postgres.url,
    SECRET_KEYS: 'k1:tests-tests-tests-tests-tests-tests',
    NTFY_ALLOW_PRIVATE: 'true',
    AUTH_RATE_LIMIT: 'off',
    DATABASE_POOL: '8',
    HASH_WORKERS: '1',
    HASHER: 'native',
    SOAK_TIME: time.text,
    CONNECTION_LIFETIME_MS: String(CONNECTION_LIFETIME_MS),
  }
  const flaky = stack.use(new Instance(await freePort(), env))
  const steady = stack.use(new Instance(await freePort(), env))
  // One migrates.
  await steady.start()
  await flaky.start()
  return { postgres, flaky, steady, time, trouble: new Trouble() }
}

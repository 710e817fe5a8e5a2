import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { postgresServer } from '../faults/postgres-server'
import { freePort, type Service, startService, withoutLateTimers } from '../support/service'
import { type RunningTime, startTime } from './clock'

/** A database that can be restarted, and two instances of the service on it. */

const INSTANCE = fileURLToPath(new URL('instance.ts', import.meta.url))
/** Requests of a moment after a restart may still meet it. */
const GRACE_MS = 3000
const CONNECTION_LIFETIME_MS = 20_000
const STOPS_MS = 30_000

/** Which instances are being restarted, or have no database, so that their requests may fail. */
export class Trouble {
  /** Until when each is in trouble. */
  readonly #until = new Map<Instance, number>()

  /** Whether one of them is, or was since a time. */
  isOf(instances: readonly Instance[], since = Date.now()): boolean {
    return instances.some((instance) => since < (this.#until.get(instance) ?? 0))
  }

  async during<T>(instances: readonly Instance[], work: () => Promise<T>): Promise<T> {
    for (const instance of instances) this.#until.set(instance, Infinity)
    try {
      return await work()
    } finally {
      for (const instance of instances) this.#until.set(instance, Date.now() + GRACE_MS)
    }
  }
}

export class Instance {
  readonly url: string
  restarts = 0
  readonly #port: number
  readonly #env: Readonly<Record<string, string>>
  #service: Service | undefined
  #told = { stdout: 0, stderr: 0 }

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

  /** What it has logged as errors, and what its runtime has said, since the last time; a restart begins anew. */
  news() {
    const { stdout = '', stderr = '' } = this.#service ?? {}
    const news = { errors: stdout.slice(this.#told.stdout), said: stderr.slice(this.#told.stderr) }
    this.#told = { stdout: stdout.length, stderr: stderr.length }
    return { errors: news.errors.trim(), said: withoutLateTimers(news.said) }
  }

  async start(): Promise<void> {
    this.#service = await startService({ env: this.#env, args: [INSTANCE], port: this.#port })
    this.#told = { stdout: 0, stderr: 0 }
  }

  /** Answers its last words; one that is asked to end must, and in order. */
  async restart(signal: 'SIGTERM' | 'SIGKILL'): Promise<string> {
    this.restarts++
    this.#service?.kill(signal)
    const code = await Promise.race([this.#service?.exited, Bun.sleep(STOPS_MS)])
    if (code === undefined) throw new Error('an instance does not stop')
    const { said } = this.news()
    await this.start()
    return signal === 'SIGTERM' && code !== 0 ? `it ended with ${code} ${said}` : said
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

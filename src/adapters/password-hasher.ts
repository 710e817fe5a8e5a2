import type { Subprocess } from 'bun'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Clock } from '../lib/ports/clock'
import { HasherBusyError, type HashOwner, type PasswordHasher } from '../lib/ports/passwords'
import { systemClock } from './clock'
import { hashEngine, type HashEngineName } from './password-hash.engines'
import { HashQueue, type Queued } from './password-hasher.queue'
import type { HashAnswer, HashJob } from './password-hasher.worker'

export interface PasswordHasherOptions {
  readonly engine?: HashEngineName
  /** The most hashes computed at the same time, each in its own process. */
  readonly workers: number
  /** New work is refused if it would wait longer than this. */
  readonly maxWaitMs?: number
  /** A worker that does not answer a job within this time counts as dead. */
  readonly jobTimeoutMs?: number
  readonly clock?: Clock
}

interface Task extends Queued {
  readonly job: HashJob
  readonly resolve: (answer: HashAnswer) => void
  readonly reject: (error: Error) => void
  attempts: number
}

interface Worker {
  readonly child: Subprocess
  task: Task | null
  startedAt: number
  deadline: ReturnType<typeof setTimeout> | undefined
}

const WORKER_PATH = fileURLToPath(new URL('./password-hasher.worker.ts', import.meta.url))
const MAX_ATTEMPTS = 2
/** The assumed duration of a job until enough jobs are measured. */
const FIRST_GUESS_MS = 50
/** The weight of the newest job in the moving average. */
const SMOOTHING = 0.1

/**
 * Hashes passwords in child processes, off the request thread. Two worker threads of one process would take turns and achieve a
 * third of what two processes do (`bun tests/bench/hashing.ts`). Workers start when they are first needed.
 */
export function createPasswordHasher(
  options: PasswordHasherOptions,
): PasswordHasher & { close(): Promise<void> } {
  const pool = new WorkerPool(options)
  return {
    async hash(password, owner) {
      if (password === '') throw new RangeError('An empty password cannot be hashed')
      const { newHash } = await pool.run({ password, against: null }, owner)
      if (newHash === null) throw new Error('The password hasher returned no hash')
      return newHash
    },
    async verify(password, hash, owner) {
      const { ok, newHash } = await pool.run({ password, against: hash }, owner)
      return newHash === null ? { ok } : { ok, upgradedHash: newHash }
    },
    close: () => pool.close(),
  }
}

class WorkerPool {
  readonly #engine: HashEngineName
  readonly #maxWorkers: number
  readonly #maxWaitMs: number
  readonly #jobTimeoutMs: number
  readonly #clock: Clock
  readonly #queue = new HashQueue<Task>()
  readonly #workers = new Set<Worker>()
  #averageMs = FIRST_GUESS_MS
  #closed = false

  constructor({
    engine = 'wasm',
    workers,
    maxWaitMs = 8_000,
    jobTimeoutMs = 60_000,
    clock = systemClock,
  }: PasswordHasherOptions) {
    if (!Number.isInteger(workers) || workers < 1)
      throw new RangeError('The hasher needs at least one worker')
    // Fails at the start, and not at the first password, if there is no such engine.
    hashEngine(engine)
    this.#engine = engine
    this.#maxWorkers = workers
    this.#maxWaitMs = maxWaitMs
    this.#jobTimeoutMs = jobTimeoutMs
    this.#clock = clock
  }

  async run(job: HashJob, owner: HashOwner = {}): Promise<HashAnswer> {
    if (this.#closed) throw new Error('The password hasher is closed')
    const ahead = this.#queue.ahead(owner, this.#maxWorkers)
    const expectedWaitMs = (ahead * this.#averageMs) / this.#maxWorkers
    if (expectedWaitMs > this.#maxWaitMs)
      throw new HasherBusyError('Too many passwords are waiting to be hashed')
    const { promise, resolve, reject } = Promise.withResolvers<HashAnswer>()
    this.#queue.add({ job, owner, resolve, reject, attempts: 0 })
    this.#dispatch()
    return promise
  }

  /** Kills every worker and rejects all waiting jobs; resolves when all processes have ended. */
  async close(): Promise<void> {
    this.#closed = true
    this.#rejectWaiting(new Error('The password hasher is closed'))
    const children = [...this.#workers].map((worker) => {
      this.#release(worker)?.reject(new Error('The password hasher is closed'))
      worker.child.kill('SIGKILL')
      return worker.child.exited
    })
    await Promise.all(children)
  }

  #dispatch(): void {
    while (this.#queue.canRun()) {
      const worker = this.#idleWorker()
      const task = worker && this.#queue.take()
      if (!task) return
      this.#start(worker, task)
    }
  }

  /** Returns a worker without a job and starts a new one if necessary; undefined while all are busy. */
  #idleWorker(): Worker | undefined {
    const idle = this.#workers.values().find(({ task }) => task === null)
    if (idle || this.#workers.size >= this.#maxWorkers) return idle
    try {
      return this.#spawn()
    } catch (cause) {
      // If other workers are running, the jobs wait for them. Without any, they would wait for ever.
      if (this.#workers.size === 0)
        this.#rejectWaiting(new Error('No hashing process could be started', { cause }))
      return undefined
    }
  }

  #start(worker: Worker, task: Task): void {
    task.attempts += 1
    worker.task = task
    worker.startedAt = this.#clock.monotonic()
    worker.deadline = setTimeout(() => this.#lose(worker), this.#jobTimeoutMs)
    try {
      worker.child.send(task.job)
    } catch {
      // The worker is dead, but its exit has not been reported yet.
      this.#lose(worker)
    }
  }

  #spawn(): Worker {
    const child = Bun.spawn([process.execPath, '--no-env-file', WORKER_PATH, this.#engine], {
      // Keeps secrets away from the worker: those in the service's environment and in files of its directory.
      env: {},
      cwd: dirname(WORKER_PATH),
      stdio: ['ignore', 'ignore', 'inherit'],
      ipc: (message) => this.#settle(worker, message),
      onExit: () => this.#lose(worker),
    })
    const worker: Worker = { child, task: null, startedAt: 0, deadline: undefined }
    this.#workers.add(worker)
    return worker
  }

  #settle(worker: Worker, message: unknown): void {
    if (!isHashAnswer(message)) return this.#lose(worker)
    const task = this.#release(worker)
    if (!task) return
    this.#averageMs += SMOOTHING * (this.#clock.monotonic() - worker.startedAt - this.#averageMs)
    task.resolve(message)
    this.#dispatch()
  }

  /** Removes the worker from the pool. The next job that needs a worker starts a new one. */
  #lose(worker: Worker): void {
    if (!this.#workers.delete(worker)) return
    worker.child.kill('SIGKILL')
    const task = this.#release(worker)
    if (task) this.#retry(task)
    this.#dispatch()
  }

  #retry(task: Task): void {
    if (task.attempts >= MAX_ATTEMPTS)
      return task.reject(new Error('The hashing process died twice on one job'))
    // Whatever killed the worker may also have killed the idle ones without a report so far, so the job gets a new worker.
    const idle = [...this.#workers].filter((worker) => worker.task === null)
    for (const worker of idle) this.#lose(worker)
    this.#queue.addFirst(task)
  }

  /** Takes the worker's job away from it. */
  #release(worker: Worker): Task | null {
    const { task } = worker
    clearTimeout(worker.deadline)
    worker.task = null
    if (task) this.#queue.ended(task)
    return task
  }

  #rejectWaiting(error: Error): void {
    for (const task of this.#queue.clear()) task.reject(error)
  }
}

const isHashAnswer = (message: unknown): message is HashAnswer =>
  typeof message === 'object' &&
  message !== null &&
  'ok' in message &&
  typeof message.ok === 'boolean' &&
  'newHash' in message &&
  (message.newHash === null || typeof message.newHash === 'string')

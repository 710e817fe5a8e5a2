/**
 * What each way of running Argon2id with the service's parameters costs: `bun tests/bench/hashing.ts`.
 *
 * Every variant runs in a process of its own, so none inherits another's memory or compiled code.
 */

import { argon2id } from 'hash-wasm'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import type { HashEngineName } from '../../src/adapters/password-hash.engines'
import { createPasswordHasher } from '../../src/adapters/password-hasher'

export interface HashingMeasurement {
  readonly variant: string
  readonly hashesPerSecond: number
  /** Longest and 99th percentile delay of a 1 ms timer on the request thread meanwhile. */
  readonly maxStallMs: number
  readonly p99StallMs: number
  /** From nothing to the first hash. */
  readonly firstHashMs: number
  /** Peak resident memory of the process and its children together; 0 where /proc is missing. */
  readonly peakMiB: number
}

interface Runner {
  /** Hashes asked for at the same time. */
  readonly concurrency: number
  readonly hash: () => Promise<unknown>
}

const HASHES = 200
const CORES = availableParallelism()
const PASSWORD = 'correct horse battery staple'

const hashHere = () =>
  argon2id({
    password: PASSWORD,
    salt: crypto.getRandomValues(new Uint8Array(16)),
    memorySize: 19_456,
    iterations: 2,
    parallelism: 1,
    hashLength: 32,
    outputType: 'encoded',
  })

function threads(count: number): Runner {
  const idle = Array.from({ length: count }, () => new Worker(import.meta.url))
  return {
    concurrency: count,
    async hash() {
      const worker = idle.pop()
      if (!worker) throw new Error('no idle thread')
      const { promise, resolve } = Promise.withResolvers<unknown>()
      worker.addEventListener('message', resolve, { once: true })
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
      worker.postMessage(null)
      await promise
      idle.push(worker)
    },
  }
}

/** As the service does it. */
function processes(engine: HashEngineName, count: number): Runner {
  const hasher = createPasswordHasher({ engine, workers: count })
  return { concurrency: 2 * count, hash: () => hasher.hash(PASSWORD) }
}

const native = () => Bun.password.hash(PASSWORD, { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 })

const several = Math.max(2, CORES)
const VARIANTS: Record<string, () => Runner> = {
  'request thread': () => ({ concurrency: 1, hash: hashHere }),
  'request thread, 4 at once': () => ({ concurrency: 4, hash: hashHere }),
  '1 worker thread': () => threads(1),
  [`${several} worker threads`]: () => threads(several),
  'HASHER=wasm, 1 process': () => processes('wasm', 1),
  [`HASHER=wasm, ${several} processes`]: () => processes('wasm', several),
  'HASHER=native, 1 process': () => processes('native', 1),
  [`HASHER=native, ${several} processes`]: () => processes('native', several),
  'Bun.password, no process': () => ({ concurrency: 1, hash: native }),
  [`Bun.password, no process, ${several} at once`]: () => ({ concurrency: several, hash: native }),
}

/** Runs every variant for `hashes` hashes each; about a minute in all. */
export async function measureHashing(hashes = HASHES): Promise<HashingMeasurement[]> {
  const measured: HashingMeasurement[] = []
  for (const variant of Object.keys(VARIANTS)) {
    const child = Bun.spawn([process.execPath, import.meta.path, variant, String(hashes)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    measured.push(await new Response(child.stdout).json())
  }
  return measured
}

async function measureVariant(variant: string, hashes: number): Promise<HashingMeasurement> {
  const build = VARIANTS[variant]
  if (!build) throw new Error(`no variant ${variant}`)
  const started = performance.now()
  const runner = build()
  await runner.hash()
  const firstHashMs = performance.now() - started
  // The compilers and every worker are warm before anything is counted.
  await repeat(runner, 4 * runner.concurrency)
  const stalls = watchStalls()
  const start = performance.now()
  await repeat(runner, hashes)
  const seconds = (performance.now() - start) / 1_000
  return { variant, hashesPerSecond: hashes / seconds, ...stalls(), firstHashMs, peakMiB: peakMiB() }
}

async function repeat({ concurrency, hash }: Runner, times: number): Promise<void> {
  let left = times
  const worker = async () => {
    while (left-- > 0) await hash()
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
}

function watchStalls() {
  const delays: number[] = []
  let last = performance.now()
  const tick = () => {
    const now = performance.now()
    delays.push(Math.max(0, now - last - 1))
    last = now
    timer = setTimeout(tick, 1)
  }
  let timer = setTimeout(tick, 1)
  return () => {
    clearTimeout(timer)
    tick()
    clearTimeout(timer)
    const sorted = delays.toSorted((a, b) => a - b)
    return { maxStallMs: sorted.at(-1) ?? 0, p99StallMs: sorted[Math.floor(sorted.length * 0.99)] ?? 0 }
  }
}

function peakMiB(): number {
  try {
    const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ')
    return ['self', ...children.filter(Boolean)]
      .map((pid) => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024)
      .reduce((sum, mebibytes) => sum + mebibytes, 0)
  } catch {
    return 0
  }
}

function format(measured: readonly HashingMeasurement[]): string {
  const header = ['variant', 'hashes/s', 'max stall ms', 'p99 stall ms', 'first hash ms', 'peak MiB']
  const rows = measured.map((m) =>
    [m.variant, m.hashesPerSecond, m.maxStallMs, m.p99StallMs, m.firstHashMs, m.peakMiB].map((cell) =>
      typeof cell === 'number' ? cell.toFixed(1) : cell,
    ),
  )
  return [header, ...rows]
    .map((row) => row.map((cell, i) => (i === 0 ? cell.padEnd(28) : cell.padStart(14))).join(''))
    .join('\n')
}

const [, , variant, hashes] = process.argv
if (!Bun.isMainThread) {
  globalThis.addEventListener('message', () => void hashHere().then((hash) => postMessage(hash)))
} else if (import.meta.main && variant) {
  process.stdout.write(JSON.stringify(await measureVariant(variant, Number(hashes))))
  process.exit()
} else if (import.meta.main) {
  process.stdout.write(`${format(await measureHashing())}\n`)
}

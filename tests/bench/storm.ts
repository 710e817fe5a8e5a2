import type { HashEngineName } from '../../src/adapters/password-hash.engines'
import { PASSWORD } from './accounts'
import { wrk } from './wrk'

/** Sign-ins without pause, eight at a time, until the signal. */
async function storm(base: string, signal: AbortSignal): Promise<number> {
  let signIns = 0
  const one = async (worker: number) => {
    while (!signal.aborted) {
      const body = JSON.stringify({ username: `user${worker}`, password: PASSWORD })
      const headers = { 'content-type': 'application/json' }
      const answered = await fetch(`${base}/api/auth/login`, { method: 'POST', headers, body })
      if (answered.ok) signIns++
    }
  }
  await Promise.all(Array.from({ length: 8 }, (_, i) => one(i + 1)))
  return signIns
}

/** The longest stall of the event loop since the metrics were last read. */
async function maxStallMs(base: string): Promise<number> {
  const text = await (await fetch(`${base}/metrics`, { headers: { authorization: 'Bearer bench' } })).text()
  return Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(text)?.[1]) * 1000
}

/** Reads alone, then the same reads in a storm of sign-ins. */
async function stormOnce(base: string, cookie: string) {
  const reads = (seconds = 10) => wrk({ url: `${base}/api/settings`, connections: 8, seconds, cookie })
  // A service that has just started is still being compiled.
  await reads(2)
  const calm = await reads()
  await maxStallMs(base)
  const stop = new AbortController()
  const storming = storm(base, stop.signal)
  const stormy = await reads()
  const stallMs = await maxStallMs(base)
  stop.abort()
  return {
    signIns: (await storming) / 10,
    calmP99: calm.p99Ms,
    stormyP99: stormy.p99Ms,
    factor: stormy.p99Ms / calm.p99Ms,
    calmRate: calm.requestsPerSecond,
    stormyRate: stormy.requestsPerSecond,
    stallMs,
  }
}

export type Storm = Awaited<ReturnType<typeof stormOnce>>

interface Started {
  readonly base: string
  readonly program: AsyncDisposable
}

/** Storms on a service with either hasher in turn, so that whatever else the machine does hits both. */
export async function measureStorms(
  start: (hasher: HashEngineName) => Promise<Started>,
  cookie: string,
  rounds: number,
) {
  const storms = { wasm: new Array<Storm>(), native: new Array<Storm>() }
  for (let round = 0; round < rounds; round++) {
    for (const hasher of ['wasm', 'native'] as const) {
      const { base, program } = await start(hasher)
      storms[hasher].push(await stormOnce(base, cookie))
      await program[Symbol.asyncDispose]()
    }
  }
  return storms
}

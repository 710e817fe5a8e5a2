import { expect, setDefaultTimeout, test } from 'bun:test'
import { freshDatabaseUrl } from '../support/database'
import { startService, until } from '../support/service'
import { tcpProxy } from './tcp-proxy'
import { createWriters, type Target } from './writers'

/** `bun run faults` asks for more than a run of the suite. */
const PAUSE_MS = Number(Bun.env['FAULT_PAUSE_SECONDS'] ?? 3) * 1000
const ROUNDS = Number(Bun.env['FAULT_ROUNDS'] ?? 3)
setDefaultTimeout(120_000 + ROUNDS * 5_000)

const ADA = { username: 'ada', password: 'correct horse battery' }
/** Every request ends within this (contract: http.deadlines). */
const DEADLINE_MS = 10_000

/** A service that reaches its database through a network that the test can spoil. */
async function startBehindProxy() {
  const database = await freshDatabaseUrl()
  const proxy = await tcpProxy(database.url)
  const service = await startService({
    env: {
      DATABASE_URL: proxy.url,
      SECRET_KEYS: 'k1:faults-faults-faults-faults-faults',
      HASH_WORKERS: '1',
    },
  })
  const answer = await service.post('/api/auth/setup', ADA)
  expect(answer.status).toBe(200)
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  return {
    proxy,
    service,
    target: { url: service.url, cookie },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      proxy[Symbol.dispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

type Started = Awaited<ReturnType<typeof startBehindProxy>>

/** Asks until it is told to stop; `odd` are the answers that nobody may get. */
async function ask({ url, cookie }: Target, isOver: () => boolean) {
  const seen = { ok: 0, unavailable: 0, odd: new Array<string>(), longestMs: 0 }
  const clients = Array.from({ length: 8 }, async (_, index) => {
    const path = index % 2 === 0 ? '/api/todos' : '/api/auth/status'
    while (!isOver()) {
      const since = performance.now()
      const { status } = await fetch(`${url}${path}`, { headers: { cookie } })
      seen.longestMs = Math.max(seen.longestMs, performance.now() - since)
      if (status === 200) seen.ok += 1
      // Behind what stands still, a user's line is full.
      else if (status === 503 || status === 429) seen.unavailable += 1
      else seen.odd.push(`${path}: ${status}`)
      if (status !== 200) await Bun.sleep(20)
    }
  })
  await Promise.all(clients)
  return seen
}

/** Spoils the network under writers and readers, mends it, and looks at what they were told and what is there. */
async function survive({ service, target }: Started, spoil: () => Promise<void>) {
  const writers = createWriters()
  let isOver = false
  const writing = writers.run(target, () => isOver)
  const asking = ask(target, () => isOver)
  await until(() => writers.acknowledged >= 40)
  await spoil()
  await until(async () => (await service.fetch('/health/ready')).ok, DEADLINE_MS)
  isOver = true
  await writing
  const { odd, longestMs, ok, unavailable } = await asking
  expect(odd).toEqual([])
  expect(longestMs).toBeLessThan(DEADLINE_MS + 500)
  expect(service.exitCode).toBeNull()
  await writers.verify(target)
  console.info(`${ok} answered, ${unavailable} refused, the slowest after ${Math.round(longestMs)} ms`)
}

test('a network that falls silent costs 503 within the deadline, and nothing that was acknowledged', async () => {
  await using started = await startBehindProxy()
  await survive(started, async () => {
    started.proxy.pause()
    await Bun.sleep(PAUSE_MS)
    started.proxy.resume()
  })
})

test('connections that are reset again and again cost 503 at most', async () => {
  await using started = await startBehindProxy()
  await survive(started, async () => {
    for (let round = 0; round < ROUNDS * 5; round++) {
      started.proxy.reset()
      await Bun.sleep(100)
    }
  })
})

test('a network that is slow costs time, and no answer', async () => {
  await using started = await startBehindProxy()
  await survive(started, async () => {
    started.proxy.slowDown(150)
    await Bun.sleep(ROUNDS * 1_000)
    started.proxy.slowDown(0)
  })
})

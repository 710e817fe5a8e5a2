import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { type Service, startService, until } from '../support/service'
import { postgresServer } from './postgres-server'
import { createWriters } from './writers'

/** `bun run faults` asks for more rounds than a run of the suite. */
const ROUNDS = Number(Bun.env['FAULT_ROUNDS'] ?? 3)
setDefaultTimeout(60_000 + ROUNDS * 15_000)

const ADA = { username: 'ada', password: 'correct horse battery' }
/** Every request ends within this (contract: http.deadlines). */
const DEADLINE_MS = 10_000

describe('under sixteen writers', () => {
  let server: Awaited<ReturnType<typeof postgresServer>>
  let service: Service
  let cookie: string
  const start = () =>
    startService({
      env: {
        DATABASE_URL: server.url,
        SECRET_KEYS: 'k1:faults-faults-faults-faults-faults',
        HASH_WORKERS: '1',
      },
    })
  const writers = createWriters()
  const target = () => ({ url: service.url, cookie })

  beforeAll(async () => {
    server = await postgresServer({ durable: true })
    service = await start()
    const answer = await service.post('/api/auth/setup', ADA)
    expect(answer.status).toBe(200)
    cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })

  /** Lets them write, breaks something in the middle of it, mends it, and looks for what was acknowledged. */
  async function survive(breakDown: () => Promise<void>, mend: () => Promise<void>) {
    const { acknowledged, refused } = writers
    for (let round = 1; round <= ROUNDS; round++) {
      const before = writers.acknowledged
      let isOver = false
      const writing = writers.run(target(), () => isOver)
      await until(() => writers.acknowledged >= before + 40 + ((round * 37) % 100))
      await breakDown()
      isOver = true
      await writing
      await mend()
      await writers.verify(target())
    }
    expect(writers.refused).toBeGreaterThan(refused)
    const since = `${writers.acknowledged - acknowledged} acknowledged, ${writers.refused - refused} without an answer`
    console.info(`${ROUNDS} kills: ${since}, 0 lost`)
  }

  test('a service that is killed has lost no acknowledged write, and left none half done', () =>
    survive(
      async () => {
        service.kill('SIGKILL')
        await service.exited
      },
      async () => {
        service = await start()
      },
    ))

  test('a PostgreSQL that is killed has lost none either, and the service goes on by itself', () =>
    survive(
      () => server.kill(),
      async () => {
        await server.start()
        await until(async () => (await service.fetch('/health/ready')).ok, DEADLINE_MS)
        expect(service.exitCode).toBeNull()
      },
    ))
})

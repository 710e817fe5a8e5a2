import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { connect } from '../../src/db/client'
import { administer, freshDatabaseUrl } from '../support/database'
import { lockWaiters } from '../support/locks'
import { type Service, startService, until } from '../support/service'
import { postgresServer } from './postgres-server'

setDefaultTimeout(60_000)

const PASSWORD = 'correct horse battery'
const ADA = { username: 'ada', password: PASSWORD }
/** Every request ends within this (contract: http.deadlines). */
const DEADLINE_MS = 10_000
const SECRET_KEYS = 'k1:faults-faults-faults-faults-faults'

/** An answer and how long it took to come. */
async function timed(request: Promise<Response>) {
  const since = performance.now()
  const response = await request
  const body: unknown = await response.json()
  return { status: response.status, headers: response.headers, body, ms: performance.now() - since }
}

type Answer = Awaited<ReturnType<typeof timed>>

function expectUnavailable({ status, headers, body, ms }: Answer) {
  expect(status).toBe(503)
  expect(body).toEqual({ detail: 'Service temporarily unavailable' })
  expect(headers.get('content-type')).toStartWith('application/json')
  expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
  expect(ms).toBeLessThan(DEADLINE_MS)
}

const cookieOf = ({ headers }: { readonly headers: Headers }) =>
  headers.getSetCookie()[0]?.split(';')[0] ?? ''

const isReady = async (service: Service) => (await service.fetch('/health/ready')).ok
const isLive = async (service: Service) => (await service.fetch('/health/live')).ok
const signIn = (service: Service) => timed(service.post('/api/auth/login', ADA))
const statusOf = (service: Service, cookie: string) =>
  timed(service.fetch('/api/auth/status', { headers: { cookie } }))

function expectDiscreetLog({ stdout, stderr }: Service) {
  for (const secret of [PASSWORD, '$argon2', 'params', 'insert into', 'select "']) {
    expect(stdout.toLowerCase()).not.toContain(secret)
  }
  expect(stderr).toBe('')
}

/** A service with an account, on a server that the test may do anything to. */
async function startOn(databaseUrl: string, env: Record<string, string> = {}) {
  const service = await startService({
    env: { DATABASE_URL: databaseUrl, SECRET_KEYS, LOG_LEVEL: 'info', LOGIN_FAILURE_FLOOR_MS: '0', ...env },
  })
  const setUp = await service.post('/api/auth/setup', ADA)
  expect(setUp.status).toBe(200)
  return { service, cookie: cookieOf(setUp) }
}

/** Holds the users' rows, so that whoever signs in waits inside a transaction. */
async function lockUsers(url: string) {
  const connection = administer(url)
  const session = await connection.reserve()
  const watcher = administer(url)
  await session`begin`
  await session`select 1 from users for update`
  return {
    /** Resolves once this many others wait for the rows. */
    waiters: (count: number) => lockWaiters(watcher, count),
    async [Symbol.asyncDispose]() {
      await watcher.end({ timeout: 1 })
      await session`rollback`.catch(() => undefined)
      session.release()
      await connection.end({ timeout: 1 })
    },
  }
}

describe('while its database', () => {
  let server: Awaited<ReturnType<typeof postgresServer>>
  let service: Service
  let cookie: string
  beforeAll(async () => {
    server = await postgresServer()
    ;({ service, cookie } = await startOn(server.url))
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })

  test('is stopped, it answers 503 and stays alive, and goes on by itself afterwards', async () => {
    await server.stop()
    for (const answer of await Promise.all([signIn(service), statusOf(service, cookie)]))
      expectUnavailable(answer)
    expectUnavailable(await timed(service.fetch('/health/ready')))
    expect(await isLive(service)).toBe(true)
    await server.start()
    await until(() => isReady(service), DEADLINE_MS)
    expect((await statusOf(service, cookie)).body).toMatchObject({ authenticated: true })
    expect((await signIn(service)).status).toBe(200)
    expectDiscreetLog(service)
  })

  test('is restarted under load, it answers 200 or 503 and loses no connection for good', async () => {
    const load = { isOn: true }
    const statuses = new Set<number>()
    const clients = Array.from({ length: 12 }, async (_, index) => {
      while (load.isOn && service.exitCode === null) {
        const { status } = await (index % 4 === 0 ? signIn(service) : statusOf(service, cookie))
        statuses.add(status)
      }
    })
    await server.stop()
    await until(() => statuses.has(503))
    await server.start()
    await until(() => isReady(service), DEADLINE_MS)
    load.isOn = false
    await Promise.all(clients)
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([])
    const after = await Promise.all(Array.from({ length: 40 }, () => statusOf(service, cookie)))
    expect(after.filter(({ status }) => status !== 200)).toEqual([])
    expectDiscreetLog(service)
  })

  test('ends the connection of a transaction, the request gets 503 and the next ones succeed', async () => {
    const admin = administer(server.url)
    {
      await using held = await lockUsers(server.url)
      const waiting = Promise.all([signIn(service), signIn(service)])
      await held.waiters(2)
      await admin`select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock'`
      for (const answer of await waiting) expectUnavailable(answer)
    }
    await admin.end({ timeout: 5 })
    for (let attempt = 0; attempt < 5; attempt++) expect((await signIn(service)).status).toBe(200)
    expect(service.exitCode).toBeNull()
    expectDiscreetLog(service)
  })

  test('gives no answer at all, every request gets its own within 10 s, and all is well afterwards', async () => {
    // Eight requests of one session run at once.
    const others = await Promise.all([signIn(service), signIn(service)])
    const cookies = [cookie, ...others.map(cookieOf)]
    await server.freeze()
    const requests = [
      signIn(service),
      ...Array.from({ length: 24 }, (_, i) => statusOf(service, cookies[i % 3] ?? '')),
    ]
    expectUnavailable(await timed(service.fetch('/health/ready')))
    expect(await isLive(service)).toBe(true)
    for (const answer of await Promise.all(requests)) expectUnavailable(answer)
    await server.thaw()
    await until(() => isReady(service), DEADLINE_MS)
    const after = await Promise.all(Array.from({ length: 24 }, () => statusOf(service, cookie)))
    expect(after.filter(({ status }) => status !== 200)).toEqual([])
    expect((await signIn(service)).status).toBe(200)
    expectDiscreetLog(service)
  })
})

test('with every connection taken, others get 503 before the statement that takes it is ended, with 503 as well', async () => {
  await using database = await freshDatabaseUrl()
  const { service, cookie } = await startOn(database.url, { DATABASE_POOL: '1' })
  await using running = service
  const admin = administer(database.url)
  await admin.unsafe(`
    create function dawdle() returns trigger language plpgsql as 'begin perform pg_sleep(60); return new; end';
    create trigger dawdle before update on users for each row execute function dawdle()`)
  let isOver = false
  const slow = signIn(running).finally(() => (isOver = true))
  const sleeping = () =>
    admin`select 1 from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`
  await until(async () => (await sleeping()).length)
  const others = await Promise.all([statusOf(running, cookie), statusOf(running, cookie), signIn(running)])
  expect(isOver).toBe(false)
  for (const answer of others) expectUnavailable(answer)
  expectUnavailable(await slow)
  await admin.unsafe('drop trigger dawdle on users')
  await admin.end({ timeout: 5 })
  expect((await signIn(running)).status).toBe(200)
  expectDiscreetLog(running)
})

describe('the connections of the service', () => {
  const settings = async (options: Omit<Parameters<typeof connect>[1], 'pool'>) => {
    await using database = await freshDatabaseUrl()
    const { db, close } = connect(database.url, { pool: 1, ...options })
    const rows = await db.execute<{ name: string; setting: string }>(sql`
      select name, setting from pg_settings
      where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'TimeZone')`)
    await close()
    return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))
  }

  test('bound statements, waits for locks and idle transactions, and think in UTC', async () => {
    expect(await settings({})).toEqual({
      statement_timeout: '5000',
      lock_timeout: '2000',
      idle_in_transaction_session_timeout: '10000',
      TimeZone: 'UTC',
    })
  })

  test('ask for none of it behind a pooler, which would refuse them', async () => {
    expect(await settings({ sessionTimeouts: false })).toMatchObject({ statement_timeout: '0' })
  })
})

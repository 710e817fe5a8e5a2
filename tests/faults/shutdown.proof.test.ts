import { expect, setDefaultTimeout, test } from 'bun:test'
import { connect } from 'node:net'
import { administer, freshDatabaseUrl } from '../support/database'
import { startService, until } from '../support/service'
import { childrenOf, isAlive } from './processes'
import { rawConnection } from './raw-connection'

setDefaultTimeout(60_000)

const ADA = { username: 'ada', password: 'correct horse battery' }
const WRONG = { ...ADA, password: 'incorrect horse battery' }
/** SIGTERM finishes what runs within this (contract: http.deadlines). */
const DRAIN_MS = 20_000

async function start(env: Record<string, string> = {}) {
  const database = await freshDatabaseUrl()
  const service = await startService({
    env: { DATABASE_URL: database.url, SECRET_KEYS: 'k1:faults-faults-faults-faults-faults', ...env },
  })
  expect((await service.post('/api/auth/setup', ADA)).status).toBe(200)
  /** Signs in with a wrong password, and resolves once only the time of the answer is missing. */
  const refusedSignIn = async () => {
    const answer = service.post('/api/auth/login', WRONG)
    const admin = administer(database.url)
    await until(async () => (await admin`select 1 from audit_log where action = 'auth.login_failed'`).length)
    await admin.end({ timeout: 5 })
    return { answer }
  }
  return {
    service,
    refusedSignIn,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

/** Whether anybody still takes connections on the port. */
const isListening = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.on('connect', () => socket.destroy()).on('error', () => resolve(false))
  })

test('SIGTERM lets a request finish, admits no others, and leaves no process behind', async () => {
  await using started = await start({ LOGIN_FAILURE_FLOOR_MS: '2000' })
  const { service } = started
  using kept = await rawConnection(service.port)
  const askReadiness = () => kept.send('GET /health/ready HTTP/1.1\r\nHost: localhost\r\n\r\n')
  askReadiness()
  await until(() => kept.received.includes('200 OK'))
  const workers = childrenOf(service.pid)
  const { answer } = await started.refusedSignIn()
  service.kill('SIGTERM')
  await until(async () => !(await isListening(service.port)))
  askReadiness()
  await until(() => kept.isClosed || kept.received.includes('503 Service Unavailable'))
  expect(kept.received.match(/200 OK/g)).toHaveLength(1)
  expect(service.exitCode).toBeNull()
  const response = await answer
  expect([response.status, response.headers.get('connection')]).toEqual([401, 'close'])
  expect(await response.json()).toEqual({ detail: 'Incorrect username or password' })
  const since = performance.now()
  expect(await service.exited).toBe(0)
  expect(performance.now() - since).toBeLessThan(DRAIN_MS)
  expect(workers.length).toBeGreaterThan(0)
  expect(workers.filter(isAlive)).toEqual([])
})

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s stops a service that is idle, connections kept alive or not',
  async (signal) => {
    await using started = await start()
    const { service } = started
    using silent = await rawConnection(service.port)
    const kept = await Promise.all(Array.from({ length: 5 }, () => rawConnection(service.port)))
    for (const connection of kept) {
      connection.send('GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n')
      await until(() => connection.received.includes('200 OK'))
    }
    const since = performance.now()
    service.kill(signal)
    expect(await service.exited).toBe(0)
    expect(performance.now() - since).toBeLessThan(DRAIN_MS)
    await Promise.all(kept.map(({ closed }) => closed))
    expect(silent.received).toBe('')
  },
)

test('a second SIGTERM ends it at once', async () => {
  await using started = await start({ LOGIN_FAILURE_FLOOR_MS: '10000' })
  const { service } = started
  const workers = childrenOf(service.pid)
  const { answer } = await started.refusedSignIn()
  const outcome = answer.catch(() => 'cut off')
  service.kill('SIGTERM')
  await until(async () => !(await isListening(service.port)))
  await until(() => service.kill('SIGTERM') ?? service.exitCode !== null)
  expect(await service.exited).toBe(1)
  expect(await outcome).toBe('cut off')
  await until(() => !workers.some(isAlive))
})

test('signals that come together, as from a terminal and from `bun run`, are one', async () => {
  await using started = await start({ LOGIN_FAILURE_FLOOR_MS: '1000' })
  const { service } = started
  const { answer } = await started.refusedSignIn()
  service.kill('SIGINT')
  service.kill('SIGTERM')
  expect((await answer).status).toBe(401)
  expect(await service.exited).toBe(0)
})

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { freshDatabaseUrl } from '../support/database'
import { type Service, startService, until } from '../support/service'

const TOKEN = 'metrics-token-of-the-tests'
let database: Awaited<ReturnType<typeof freshDatabaseUrl>>
let service: Service
beforeAll(async () => {
  database = await freshDatabaseUrl()
  service = await startService({
    env: {
      DATABASE_URL: database.url,
      SECRET_KEYS: 'k1:tests-tests-tests-tests-tests-tests',
      METRICS_TOKEN: TOKEN,
      LOG_LEVEL: 'info',
    },
  })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

const metrics = (authorization?: string) =>
  service.fetch('/metrics', authorization === undefined ? {} : { headers: { authorization } })

describe('/metrics', () => {
  test('does not exist for whoever has no token', async () => {
    for (const authorization of [undefined, `Bearer ${TOKEN}x`, 'Bearer ', TOKEN, `Basic ${TOKEN}`]) {
      const answered = await metrics(authorization)
      expect([answered.status, await answered.json()]).toEqual([404, { detail: 'Not found' }])
    }
  })

  test('counts requests by method, pattern and status, and never by path', async () => {
    await service.fetch('/api/auth/status')
    await service.fetch('/nowhere/Zanzibar')
    const answered = await metrics(`bearer ${TOKEN}`)
    const text = await answered.text()
    expect(answered.headers.get('content-type')).toStartWith('text/plain; version=0.0.4')
    expect(text).toMatch(
      /^http_request_duration_seconds_count\{method="GET",route="\/api\/auth\/status",status="200"\} \d+$/m,
    )
    expect(text).toContain('route="unmatched",status="404"')
    expect(text).toContain('process_resident_memory_bytes')
    expect(text).not.toContain('Zanzibar')
  })

  test('says how much the journal and the history hold', async () => {
    const text = await (await metrics(`Bearer ${TOKEN}`)).text()
    const valueOf = (name: string) => Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1])
    expect(valueOf('journal_items')).toBeGreaterThanOrEqual(0)
    expect(valueOf('history_rows')).toBeGreaterThanOrEqual(0)
    expect(valueOf('history_bytes')).toBeGreaterThan(0)
  })

  test('counts wrong access tokens', async () => {
    const count = async () =>
      Number(
        /^access_tokens_refused_total (\d+)$/m.exec(await (await metrics(`Bearer ${TOKEN}`)).text())?.[1],
      )
    const before = await count()
    await service.fetch('/api/todos', { headers: { authorization: 'Bearer org_x' } })
    expect(await count()).toBe(before + 1)
  })
})

/** Sends bytes and reads what comes back until the connection closes. */
function raw(bytes: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let answer = ''
  const socket = connect(service.port, '127.0.0.1', () => socket.write(bytes))
  socket.on('data', (chunk) => {
    answer += String(chunk)
    socket.end()
  })
  socket.on('close', () => resolve(answer))
  socket.on('error', reject)
  return promise
}

describe('a request that names no host, or a broken one', () => {
  test.each([
    { why: 'HTTP/1.0 without a host', bytes: 'GET /health/live HTTP/1.0\r\n\r\n', status: 200 },
    { why: 'a bracket for a host', bytes: 'GET /health/live HTTP/1.1\r\nHost: [\r\n\r\n', status: 200 },
    { why: 'a host with a space', bytes: 'GET /nowhere HTTP/1.1\r\nHost: a b\r\n\r\n', status: 404 },
    {
      why: 'a host with no such port',
      bytes: 'GET /health/live HTTP/1.1\r\nHost: x:99999\r\n\r\n',
      status: 200,
    },
    {
      why: 'HEAD at a broken host',
      bytes: 'HEAD /nowhere?token=Zanzibar HTTP/1.1\r\nHost: a b\r\n\r\n',
      status: 404,
    },
    { why: 'a fragment in the path', bytes: 'GET /health/live#x HTTP/1.1\r\nHost: x\r\n\r\n', status: 404 },
    { why: 'a sign-out', bytes: 'POST /api/auth/logout HTTP/1.0\r\n\r\n', status: 200 },
  ])('is answered as any other: $why', async ({ bytes, status }) => {
    const answer = await raw(bytes)
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(answer.toLowerCase()).toContain('x-request-id: ')
  })
})

test('every line of the log is JSON, says what contract and specification ask for, and no more', async () => {
  const id = 'the-last-request'
  await service.fetch('/api/auth/status?token=Zanzibar', { headers: { 'x-request-id': id } })
  await until(() => service.stdout.includes(id))
  const lines = service.stdout.split('\n').filter((line) => line.startsWith('{'))
  expect(lines.length).toBeGreaterThan(5)
  for (const line of lines) {
    const entry = JSON.parse(line)
    expect(Object.keys(entry).toSorted()).toEqual(
      ['level', 'message', 'method', 'ms', 'request_id', 'route', 'status', 'time'].toSorted(),
    )
    expect(entry.time).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
  }
  expect(service.stdout + service.stderr).not.toContain('Zanzibar')
})

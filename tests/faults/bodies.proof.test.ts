import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { freshDatabaseUrl } from '../support/database'
import { type Service, startService, until } from '../support/service'
import { rawConnection } from './raw-connection'

setDefaultTimeout(60_000)

const ADA = JSON.stringify({ username: 'ada', password: 'correct horse battery' })
const TWO_MEGABYTES = new Uint8Array(2 * 1024 * 1024).fill(0x20)
const TOO_LARGE = { detail: 'Request body too large' }

const resources = new AsyncDisposableStack()
let service: Service
let announcement: string
beforeAll(async () => {
  const database = resources.use(await freshDatabaseUrl())
  const env = { DATABASE_URL: database.url, SECRET_KEYS: 'k1:faults-faults-faults-faults-faults' }
  service = resources.use(await startService({ env }))
  announcement = await until(() => service.stdout.includes('first account') && service.stdout)
})
afterAll(() => resources.disposeAsync())

const loginHead = (...headers: string[]) =>
  [
    'POST /api/auth/login HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/json',
    ...headers,
    '',
    '',
  ].join('\r\n')

/** It answers, and nothing has happened that an operator should look at. */
async function expectWell() {
  expect((await service.fetch('/api/auth/status')).status).toBe(200)
  expect({ stdout: service.stdout, stderr: service.stderr }).toEqual({ stdout: announcement, stderr: '' })
}

const sentWith = (body: BodyInit) =>
  service.fetch('/api/auth/login', { method: 'POST', body, headers: { 'content-type': 'application/json' } })

test('a body of 2 MB that states its length gets 413', async () => {
  const answer = await sentWith(TWO_MEGABYTES)
  expect(answer.status).toBe(413)
  expect(await answer.json()).toEqual(TOO_LARGE)
})

test('a body of 2 MB in chunks gets 413', async () => {
  const answer = await sentWith(new Blob([TWO_MEGABYTES]).stream())
  expect(answer.status).toBe(413)
  expect(await answer.json()).toEqual(TOO_LARGE)
})

test('an announced gigabyte gets 413 before any of it is sent', async () => {
  using connection = await rawConnection(service.port)
  connection.send(loginHead(`Content-Length: ${1024 ** 3}`))
  await until(() => connection.received.includes(TOO_LARGE.detail))
  expect(connection.received).toStartWith('HTTP/1.1 413 ')
  await expectWell()
})

test('a body that comes byte by byte is read like any other', async () => {
  using connection = await rawConnection(service.port)
  connection.send(loginHead(`Content-Length: ${ADA.length}`))
  for (const character of ADA) {
    connection.send(character)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await until(() => connection.received.includes('Incorrect username or password'))
  expect(connection.received).toStartWith('HTTP/1.1 401 ')
})

test('clients that hang up in the middle of a body do no harm', async () => {
  const connections = await Promise.all(Array.from({ length: 50 }, () => rawConnection(service.port)))
  for (const [index, connection] of connections.entries()) {
    connection.send(loginHead(index % 2 ? `Content-Length: ${ADA.length}` : 'Transfer-Encoding: chunked'))
    connection.send(index % 2 ? ADA.slice(0, 20) : `${ADA.length.toString(16)}\r\n${ADA.slice(0, 20)}`)
  }
  for (const connection of connections) connection.hangUp()
  await Promise.all(connections.map(({ closed }) => closed))
  await expectWell()
  expect((await sentWith(ADA)).status).toBe(401)
})

test('a client that never finishes its body is answered within the deadline of 10 s', async () => {
  using connection = await rawConnection(service.port)
  const since = performance.now()
  connection.send(loginHead(`Content-Length: ${ADA.length}`))
  connection.send(ADA.slice(0, 20))
  await until(() => connection.received.includes('HTTP/1.1'))
  expect(performance.now() - since).toBeLessThan(11_000)
  expect(connection.received).toMatch(/^HTTP\/1\.1 (?:408|503) /)
  expect((await service.fetch('/api/auth/status')).status).toBe(200)
})

/** Megabytes that the process holds. */
const residentMegabytes = async (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(await Bun.file(`/proc/${pid}/status`).text())?.[1]) / 1024

test('a hundred large bodies of nobody are answered 401 and held by nobody', async () => {
  const before = await residentMegabytes(service.pid)
  const connections = await Promise.all(Array.from({ length: 100 }, () => rawConnection(service.port)))
  const nineMegabytes = new Uint8Array(9 * 1024 * 1024).fill(0x41)
  for (const connection of connections) {
    connection.send(
      [
        'POST /api/calendars/1/import HTTP/1.1',
        'Host: localhost',
        'Content-Type: text/calendar',
        'Content-Length: 10485760',
        '',
        '',
      ].join('\r\n'),
    )
    connection.send(nineMegabytes)
  }
  await until(() => connections.every(({ received }) => received.startsWith('HTTP/1.1 401 ')))
  expect((await residentMegabytes(service.pid)) - before).toBeLessThan(200)
  for (const connection of connections) connection.hangUp()
})

test('hundreds of megabytes of unfinished sign-ins are held by nobody, and a sign-in beside them is answered', async () => {
  const before = await residentMegabytes(service.pid)
  const connections = await Promise.all(Array.from({ length: 400 }, () => rawConnection(service.port)))
  const almost = new Uint8Array(1_048_000).fill(0x20)
  for (const connection of connections) {
    connection.send(loginHead('Content-Length: 1048576'))
    connection.send(almost)
  }
  const refused = () => connections.filter(({ received }) => received.startsWith('HTTP/1.1 429 '))
  await until(() => refused().length >= 368)
  expect((await sentWith(ADA)).status).toBe(401)
  expect((await residentMegabytes(service.pid)) - before).toBeLessThan(200)
  for (const connection of connections) connection.hangUp()
})

test('requests that a client pipelines are not answered before everybody else: the connection ends', async () => {
  for (const path of ['/x', '/health/live', '/api/docs']) {
    using connection = await rawConnection(Number(new URL(service.url).port))
    connection.send(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(300))
    await connection.closed
    const answers = connection.received.match(/HTTP\/1\.1 \d/g) ?? []
    expect(answers.length, path).toBeLessThan(3)
  }
})

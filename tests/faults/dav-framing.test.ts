import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { xmlReader } from '../../src/adapters/xml'
import { dav } from '../../src/lib/xml/names'
import { freshDatabaseUrl } from '../support/database'
import { basic, DAV_SCOPES, propfindOf } from '../support/dav'
import { KINDS } from '../support/dav-kinds'
import { type Service, startService, until } from '../support/service'
import { rawConnection } from './raw-connection'

setDefaultTimeout(60_000)

const ADA = { username: 'ada', password: 'correct horse battery' }
const resources = new AsyncDisposableStack()
let service: Service
let authorization: string
let path: string
const [KIND] = KINDS
if (!KIND) throw new Error('no kind')
const TEXT = KIND.textOf('one', 'One')

beforeAll(async () => {
  const database = resources.use(await freshDatabaseUrl())
  const env = { DATABASE_URL: database.url, SECRET_KEYS: 'k1:faults-faults-faults-faults-faults' }
  service = resources.use(await startService({ env }))
  const cookie = (await service.post('/api/auth/setup', ADA)).headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const made = await service.post('/api/auth/tokens', { name: 'Phone', scopes: DAV_SCOPES }, { cookie })
  authorization = basic(ADA.username, ((await made.json()) as { token: string }).token)
  const { id } = (await (await service.post(KIND.api, { name: 'Raw' }, { cookie })).json()) as { id: number }
  const root = await ask('PROPFIND', '/dav/', propfindOf(['d:current-user-principal']))
  path = `/dav/${KIND.home}/${/principals\/(\d+)/.exec(await root.text())?.[1]}/${KIND.slug}-${id}/`
})
afterAll(() => resources.disposeAsync())

const ask = (method: string, target: string, body?: string, headers: Record<string, string> = {}) =>
  service.fetch(target, {
    method,
    headers: { authorization, depth: '0', ...headers },
    ...(body !== undefined && { body }),
  })

const head = (method: string, target: string, ...headers: readonly string[]) =>
  [
    `${method} ${target} HTTP/1.1`,
    'Host: localhost',
    `Authorization: ${authorization}`,
    ...headers,
    '',
    '',
  ].join('\r\n')

/** What comes back for bytes, until the connection ends or something whole is there. */
async function said(bytes: string, isWhole: (received: string) => boolean): Promise<string> {
  using connection = await rawConnection(service.port)
  connection.send(bytes)
  await until(() => connection.isClosed || isWhole(connection.received))
  return connection.received
}
const hasAnswer = (received: string) => /^HTTP\/1\.1 [2-5]\d\d [\s\S]*\r\n\r\n/.test(received)

const present = async (name: string) => (await ask('GET', path + name)).status

/** Nothing of it stays: another request is answered as ever. */
const expectWell = async () => {
  expect((await ask('PROPFIND', path)).status).toBe(207)
  expect(service.stderr).toBe('')
}

test('a text that is announced longer than it comes is not kept, whole or half', async () => {
  {
    using connection = await rawConnection(service.port)
    connection.send(head('PUT', `${path}short.ics`, `Content-Length: ${TEXT.length + 10}`) + TEXT)
    await Bun.sleep(200)
    connection.hangUp()
    await connection.closed
  }
  await Bun.sleep(200)
  expect(await present('short.ics')).toBe(404)
  await expectWell()
})

test('of a text that is longer than it was announced nothing counts but what was announced', async () => {
  const received = await said(
    head('PUT', `${path}long.ics`, 'Content-Length: 20', 'Connection: close') + TEXT,
    hasAnswer,
  )
  expect(received).toMatch(/^HTTP\/1\.1 (?:400|403) /)
  expect(await present('long.ics')).toBe(404)
  await expectWell()
})

test.each([
  ['a size that is none', 'Transfer-Encoding: chunked', `zz\r\n${TEXT}\r\n0\r\n\r\n`],
  ['two lengths', `Content-Length: ${TEXT.length}\r\nContent-Length: 3`, TEXT],
  ['a length and chunks', `Content-Length: ${TEXT.length}\r\nTransfer-Encoding: chunked`, TEXT],
  ['a negative length', 'Content-Length: -5', TEXT],
  ['a length in words', 'Content-Length: ten', TEXT],
  ['another coding of the transfer', 'Transfer-Encoding: gzip', TEXT],
])('a body with %s is refused, and nothing of it is kept', async (_, headers, body) => {
  const received = await said(head('PUT', `${path}broken.ics`, headers) + body, hasAnswer)
  expect(received).not.toMatch(/^HTTP\/1\.1 (?:2|500)/)
  expect(await present('broken.ics')).toBe(404)
  await expectWell()
})

test('a text in chunks, one that comes slowly, and one after 100-continue are kept byte for byte', async () => {
  const chunks = [...TEXT.matchAll(/[^]{1,50}/g)].map(([chunk]) => chunk)
  const chunked = `${chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('')}0\r\n\r\n`
  expect(
    await said(head('PUT', `${path}chunked.ics`, 'Transfer-Encoding: chunked') + chunked, hasAnswer),
  ).toStartWith('HTTP/1.1 201 ')
  expect(await (await ask('GET', `${path}chunked.ics`)).text()).toBe(TEXT)
  await ask('DELETE', `${path}chunked.ics`)

  using slow = await rawConnection(service.port)
  slow.send(head('PUT', `${path}slow.ics`, `Content-Length: ${TEXT.length}`))
  for (const chunk of chunks) {
    slow.send(chunk)
    await Bun.sleep(150)
  }
  await until(() => hasAnswer(slow.received))
  expect(slow.received).toStartWith('HTTP/1.1 201 ')
  expect(await (await ask('GET', `${path}slow.ics`)).text()).toBe(TEXT)
  await ask('DELETE', `${path}slow.ics`)

  using patient = await rawConnection(service.port)
  patient.send(head('PUT', `${path}asked.ics`, `Content-Length: ${TEXT.length}`, 'Expect: 100-continue'))
  await until(() => patient.received.includes('HTTP/1.1 100 '))
  patient.send(TEXT)
  await until(() => patient.received.includes('HTTP/1.1 201 '))
  expect(await (await ask('GET', `${path}asked.ics`)).text()).toBe(TEXT)
  await ask('DELETE', `${path}asked.ics`)
})

test('a compressed body is refused with 415, and nothing of it is kept', async () => {
  const body = new Uint8Array(Bun.gzipSync(Buffer.from(TEXT)))
  for (const method of ['PUT', 'PROPFIND', 'REPORT', 'PROPPATCH', 'MKCALENDAR']) {
    const target = method === 'PUT' ? `${path}gzip.ics` : path
    const headers = { authorization, 'content-encoding': 'gzip' }
    const answer = await service.fetch(target, { method, headers, body })
    expect([method, answer.status]).toEqual([method, 415])
    expect(xmlReader.read(await answer.text()).name).toBe(dav('error'))
  }
  expect(await present('gzip.ics')).toBe(404)
  expect((await ask('PROPFIND', path, undefined, { 'content-encoding': 'identity' })).status).toBe(207)
})

test('HEAD says what GET would, with its length and without a body', async () => {
  await ask('PUT', `${path}head.ics`, TEXT)
  const get = await ask('GET', `${path}head.ics`)
  const received = await said(head('HEAD', `${path}head.ics`, 'Connection: close'), () => false)
  expect(received).toStartWith('HTTP/1.1 200 ')
  expect(received).toEndWith('\r\n\r\n')
  expect(received.toLowerCase()).toContain(`content-length: ${Buffer.byteLength(TEXT)}\r\n`)
  expect(received.toLowerCase()).toContain(`etag: ${get.headers.get('etag')}\r\n`)
  await ask('DELETE', `${path}head.ics`)
})

test.each(['LOCK', 'UNLOCK', 'ACL', 'SEARCH', 'PATCH', 'TRACE', 'BREW', 'get'])(
  '%s is 405 with what is allowed, or refused as no method at all',
  async (method) => {
    const received = await said(head(method, path, 'Content-Length: 0', 'Connection: close'), () => false)
    // Of what is no method the server says nothing, and hangs up.
    expect(received).toMatch(/^(?:HTTP\/1\.1 (?:405|400|501) |$)/)
    if (received.startsWith('HTTP/1.1 405')) expect(received).toMatch(/^allow: .*PROPFIND/im)
    await expectWell()
  },
)

test('OPTIONS of the whole server, and addresses that are no paths, are answered without harm', async () => {
  for (const target of ['*', 'http://localhost/dav/', '//dav/', '/dav/%', '/dav/../../etc', 'dav/'])
    for (const method of ['OPTIONS', 'PROPFIND']) {
      const received = await said(head(method, target, 'Content-Length: 0', 'Connection: close'), () => false)
      expect([method, target, received.slice(0, 12)]).not.toEqual([method, target, 'HTTP/1.1 500'])
    }
  await expectWell()
})

test('many requests on one connection, with bodies and refusals among them, are each answered in their turn', async () => {
  using connection = await rawConnection(service.port)
  const body = propfindOf(['d:displayname'])
  const answers = () =>
    [...connection.received.matchAll(/(HTTP\/1\.1 \d{3})[^<\n]*\r\n/g)].map(([, status]) => status)
  const sent: ReadonlyArray<readonly [request: string, status: string]> = [
    [head('PROPFIND', path, 'Depth: 0', `Content-Length: ${body.length}`) + body, '207'],
    [head('PROPFIND', path, 'Depth: 0', 'Content-Length: 5') + '<x><y', '400'],
    [head('PUT', `${path}turn.ics`, `Content-Length: ${TEXT.length}`) + TEXT, '201'],
    [head('GET', `${path}none.ics`), '404'],
    [head('HEAD', `${path}turn.ics`), '200'],
    [head('LOCK', path, 'Content-Length: 3') + 'abc', '405'],
    [head('OPTIONS', path), '200'],
    [head('REPORT', path, 'Content-Length: 0'), '400'],
    [head('DELETE', `${path}turn.ics`), '204'],
    [head('PROPFIND', path, 'Depth: 0', `Content-Length: ${body.length}`) + body, '207'],
  ]
  for (const [index, [request]] of sent.entries()) {
    connection.send(request)
    await until(() => answers().length > index || connection.isClosed)
    await Bun.sleep(20)
  }
  expect(answers()).toEqual(sent.map(([, status]) => `HTTP/1.1 ${status}`))
})

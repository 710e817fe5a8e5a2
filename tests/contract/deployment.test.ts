import { afterAll, beforeAll, expect, test } from 'bun:test'
import { once } from 'node:events'
import { connect } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import { administer, freshDatabaseUrl } from '../support/database'
import { needing } from '../support/needing'
import { nginxPath, send, startNginx } from '../support/nginx'
import { freePort, startService } from '../support/service'

const CREDENTIALS = JSON.stringify({ username: 'nobody', password: 'correct horse battery' })
const ELEVEN_MIB = 'x'.repeat(11 * 1024 * 1024)

const stack = new AsyncDisposableStack()
let database: Awaited<ReturnType<typeof freshDatabaseUrl>>
let service: Awaited<ReturnType<typeof startService>>
let proxy: Awaited<ReturnType<typeof startNginx>>

/** Clients that spelled a sign-in so far. */
let spelling = 0

/** The service as the deployment guide says to run it behind nginx. */
const ENV = {
  SECRET_KEYS: 'k1:tests-tests-tests-tests-tests-tests',
  PUBLIC_URL: 'https://organiser.example',
  TRUSTED_PROXIES: '127.0.0.1/32',
  LOGIN_FAILURE_FLOOR_MS: '0',
}

const post = (path: string, from: string, headers: Record<string, string> = {}, body = CREDENTIALS) =>
  send(`${proxy.url}${path}`, { from, method: 'POST', headers, body })

needing('nginx', nginxPath !== null).describe('nginx with the configuration of src/deploy', () => {
  beforeAll(async () => {
    database = stack.use(await freshDatabaseUrl())
    service = stack.use(await startService({ env: { ...ENV, DATABASE_URL: database.url } }))
    proxy = stack.use(await startNginx(service.port))
  })
  afterAll(() => stack.disposeAsync())

  test('passes requests on, and answers back unchanged', async () => {
    const { status, headers, body } = await send(`${proxy.url}/api/auth/status`, {
      from: '127.0.0.10',
      headers: { 'x-request-id': 'through-nginx' },
    })
    expect(status).toBe(200)
    expect(headers['x-request-id']).toBe('through-nginx')
    expect(body).toMatchObject({ authenticated: false })
  })

  test('a session and the audit log carry the address of the client, whatever X-Forwarded-For it claims', async () => {
    const body = JSON.stringify({ username: 'ada', password: 'a long and winding sentence' })
    const { status } = await post(
      '/api/auth/setup',
      '127.0.0.20',
      { 'x-forwarded-for': '198.51.100.9' },
      body,
    )
    expect(status).toBe(200)
    const sql = administer(database.url)
    const known = await sql`select ip_address from sessions`
    const audited = await sql`select distinct ip from audit_log`
    await sql.end({ timeout: 5 })
    expect([...known]).toEqual([{ ip_address: '127.0.0.20' }])
    expect([...audited]).toEqual([{ ip: '127.0.0.20' }])
  })

  test('the host and port of the request reach the service, so that its own pages are not foreign', async () => {
    const own = await post('/api/auth/login', '127.0.0.30', {
      origin: proxy.url.replace('http:', 'https:'),
    })
    expect(own).toMatchObject({ status: 401, body: { detail: 'Incorrect username or password' } })
    const foreign = await post('/api/auth/login', '127.0.0.30', { origin: 'http://127.0.0.1:1' })
    expect(foreign).toMatchObject({ status: 403, body: { detail: 'Cross-origin request rejected' } })
  })

  test('the seventh rapid sign-in of a client is refused, and nobody else is', async () => {
    const all = await Promise.all(Array.from({ length: 7 }, () => post('/api/auth/login', '127.0.0.40')))
    expect(all.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      401, 401, 401, 401, 401, 401, 429,
    ])
    const refused = all.find(({ status }) => status === 429)
    expect(refused?.body).toEqual({ detail: 'Too many requests' })
    expect(refused?.headers).toMatchObject({
      'content-type': 'application/json',
      'retry-after': '6',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
    expect((await post('/api/auth/login', '127.0.0.41')).status).toBe(401)
  })

  test.each([
    '/api/auth/setup',
    '/api/auth/login',
    '/api/auth/login/',
    '/api/auth/log%69n?again',
    '/api/auth/register',
    '/api/auth/totp/verify',
    '/api/auth/mfa-setup/begin',
    '/api/auth/mfa-setup/confirm',
    '/api/auth/passkeys/login/begin',
    '/api/auth/passkeys/login/complete',
  ])('a client that used up its attempts is refused at %s', async (path) => {
    const from = '127.0.0.50'
    await Promise.all(Array.from({ length: 7 }, () => post('/api/auth/register', from)))
    expect((await post(path, from)).status).toBe(429)
  })

  test.each([
    '/api/auth\\login',
    '/api\\auth/login',
    '\\api/auth/login',
    '/api/auth/./login',
    '/api/auth/x/../login',
    '/api/x/%2e%2e/auth/login',
    '//api/auth/login',
    '/api//auth/login',
    '/api/auth/login//',
    '/api/auth/login/.',
    '/api/auth/log%69n',
    '/api/auth%2flogin',
    '/api/auth%5clogin',
    '/api/auth/login;x',
    '/api/auth/login%20',
    '/api/auth/login#x',
    'http://elsewhere.example/api/auth/login',
    'http://elsewhere.example/api/auth\\login',
  ])('no spelling of a sign-in passes both limits, nor either alone: %s', async (target) => {
    const attempt = (url: string, from: string, headers = {}, path = '/api/auth/login') =>
      send(url, { from, method: 'POST', target: path, headers, body: CREDENTIALS })
    const isReached = ({ body }: Awaited<ReturnType<typeof attempt>>) =>
      isDeepStrictEqual(body, { detail: 'Incorrect username or password' })

    const throughNginx = '127.0.0.90'
    await Promise.all(Array.from({ length: 7 }, () => attempt(proxy.url, throughNginx)))
    expect(isReached(await attempt(proxy.url, throughNginx, {}, target))).toBe(false)

    // Past nginx, as a client with an address that is limited.
    spelling += 1
    const client = { 'x-forwarded-for': `203.0.113.${spelling}` }
    await Promise.all(Array.from({ length: 7 }, () => attempt(service.url, '127.0.0.1', client)))
    expect(isReached(await attempt(service.url, '127.0.0.1', client, target))).toBe(false)
  })

  test('the web client comes through with its headers, compressed, and its files to be kept for ever', async () => {
    const headers = { accept: 'text/html', 'accept-encoding': 'br' }
    const page = await send(`${proxy.url}/today`, { from: '127.0.0.80', headers })
    expect(page.status).toBe(200)
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'cross-origin-opener-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    })
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    const shell = await (await service.fetch('/today', { headers: { accept: 'text/html' } })).text()
    for (const [, path] of shell.matchAll(/"(\/assets\/(?:main|theme)-[^"]+)"/g))
      for (const encoding of ['br', 'gzip']) {
        const sent = { from: '127.0.0.80', headers: { 'accept-encoding': encoding } }
        const file = await send(`${proxy.url}${path}`, sent)
        expect(file.status).toBe(200)
        expect(file.headers['cache-control']).toBe('public, max-age=31536000, immutable')
        const isSmall = file.headers['content-encoding'] === undefined
        expect([path, isSmall ? Number(file.headers['content-length']) < 1000 : file.headers['content-encoding']]).toEqual([path, isSmall || encoding]) // prettier-ignore
      }
    expect((await send(`${proxy.url}/assets/none.js`, { from: '127.0.0.80', headers })).status).toBe(404)
  })

  test('an import may be as large as the service allows, and anything else a megabyte', async () => {
    const nine = 'x'.repeat(9 * 1024 * 1024)
    for (const path of ['/api/calendars/1/import', '/api/people/import', '/api/people/import?dry_run=true'])
      expect((await post(path, '127.0.0.72', {}, nine)).status).toBe(401)
    expect((await post('/api/todos', '127.0.0.72', {}, nine)).status).toBe(413)
  })

  test('reading, signing out and proving a password again are not limited', async () => {
    const from = '127.0.0.60'
    await Promise.all(Array.from({ length: 7 }, () => post('/api/auth/register', from)))
    const statuses = await Promise.all([
      ...Array.from({ length: 20 }, () => send(`${proxy.url}/api/auth/status`, { from })),
      ...Array.from({ length: 20 }, () => post('/api/auth/logout', from)),
      post('/api/auth/verify-password', from),
    ])
    expect(statuses.filter(({ status }) => status === 429)).toEqual([])
  })

  test.each([
    ['announced', { 'content-length': String(ELEVEN_MIB.length) }],
    ['chunked', { 'transfer-encoding': 'chunked' }],
  ])('a body beyond every limit, %s, is refused in JSON', async (_, headers) => {
    const refused = await post('/api/auth/verify-password', '127.0.0.70', headers, ELEVEN_MIB)
    expect(refused).toMatchObject({ status: 413, body: { detail: 'Request body too large' } })
    expect(refused.headers['content-type']).toBe('application/json')
  })

  test.each([
    ['a bare percent sign', '/%'],
    ['an encoded NUL', '/%00'],
    ['a broken encoding', '/api/%zz'],
    ['a way out of the root', '/../../etc/passwd'],
    ['no slash', 'api/todos'],
    ['a backslash', '/api\\todos'],
    ['a broken encoding and a backslash', '/%\\'],
    ['forty thousand characters', `/${'a'.repeat(40_000)}`],
    ['the name of the place of the answer', '/malformed'],
  ])('a target with %s, which nginx does not pass on, is refused in JSON', async (_, target) => {
    for (const method of ['GET', 'POST']) {
      const refused = await send(proxy.url, { from: '127.0.0.71', method, target })
      expect(refused).toMatchObject({ status: 400, body: { detail: 'Malformed request' } })
      expect(refused.headers).toMatchObject({
        'content-type': 'application/json',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      })
    }
  })

  test('a header that is too large is refused in JSON', async () => {
    const headers = { x: 'a'.repeat(40_000) }
    const refused = await send(`${proxy.url}/api/auth/status`, { from: '127.0.0.71', headers })
    expect(refused).toMatchObject({ status: 400, body: { detail: 'Malformed request' } })
  })

  test('thousands of unfinished headers of one client keep no other from being answered', async () => {
    const port = Number(new URL(proxy.url).port)
    const open = () => {
      const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.75' })
      // The proxy gives them up one day.
      socket.on('error', () => undefined)
      socket.on('connect', () => socket.write('GET / HTTP/1.1\r\nX: '))
      return socket
    }
    const sockets = Array.from({ length: 3000 }, open)
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    for (let i = 0; i < 300; i++) {
      const { status } = await send(`${proxy.url}/api/auth/status`, { from: '127.0.0.76' })
      expect(status).toBe(200)
    }
    for (const socket of sockets) socket.destroy()
  })

  test('without the service the answer is JSON and says when to come back', async () => {
    await using alone = await startNginx(await freePort())
    const { status, headers, body } = await send(`${alone.url}/api/auth/status`, { from: '127.0.0.80' })
    expect(status).toBe(503)
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'retry-after': '2' })
    expect(body).toEqual({ detail: 'Service temporarily unavailable' })
  })
})

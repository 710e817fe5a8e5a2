import { afterAll, beforeAll, expect, test } from 'bun:test'
import { administer, freshDatabaseUrl } from '../support/database'
import { needing } from '../support/needing'
import { nginxPath, send, startNginx } from '../support/nginx'
import { freePort, startService } from '../support/service'

const CREDENTIALS = JSON.stringify({ username: 'nobody', password: 'correct horse battery' })
const ELEVEN_MIB = 'x'.repeat(11 * 1024 * 1024)

const stack = new AsyncDisposableStack()
let database: Awaited<ReturnType<typeof freshDatabaseUrl>>
let proxy: Awaited<ReturnType<typeof startNginx>>

/** The service as the README says to run it behind nginx. */
const ENV = {
  SECRET_KEYS: 'k1:tests-tests-tests-tests-tests-tests',
  PUBLIC_URL: 'https://organiser.example',
  TRUSTED_PROXIES: '127.0.0.1/32',
  AUTH_RATE_LIMIT: 'off',
  LOGIN_FAILURE_FLOOR_MS: '0',
}

const post = (path: string, from: string, headers: Record<string, string> = {}, body = CREDENTIALS) =>
  send(`${proxy.url}${path}`, { from, method: 'POST', headers, body })

needing('nginx', nginxPath !== null).describe('nginx, configured as the README says', () => {
  beforeAll(async () => {
    database = stack.use(await freshDatabaseUrl())
    const service = stack.use(await startService({ env: { ...ENV, DATABASE_URL: database.url } }))
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
    const own = await post('/api/auth/login', '127.0.0.30', { origin: proxy.url })
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

  test('a body that only an import may have is left to the service to judge', async () => {
    const refused = await post('/api/auth/login', '127.0.0.71', {}, 'x'.repeat(2 * 1024 * 1024))
    expect(refused).toMatchObject({ status: 413, body: { detail: 'Request body too large' } })
    expect(refused.headers['x-request-id']).toBeString()
  })

  test('without the service the answer is JSON and says when to come back', async () => {
    await using alone = await startNginx(await freePort())
    const { status, headers, body } = await send(`${alone.url}/api/auth/status`, { from: '127.0.0.80' })
    expect(status).toBe(503)
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'retry-after': '2' })
    expect(body).toEqual({ detail: 'Service temporarily unavailable' })
  })
})

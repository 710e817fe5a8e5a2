import { beforeAll, describe, expect, test } from 'bun:test'
import { auditLog, sessions, users } from '../../../src/db/schema'
import { PASSWORD } from '../../support/harness'
import { useHarness } from '../../support/use-harness'

const h = useHarness({ env: { CORS_ORIGINS: 'https://app.example' } })
beforeAll(() => {
  h.peer.address = '127.0.0.1' // exempt from the limit of sign-in attempts
})

const LOGIN = '/api/auth/login'
const SETUP = '/api/auth/setup'
const CREDENTIALS = { username: 'ada', password: 'correct horse battery' }

const stored = async () => ({
  users: await h.db.$count(users),
  sessions: await h.db.$count(sessions),
  audit: await h.db.$count(auditLog),
})

describe('a request that is wrong is refused with its documented answer and stores nothing', () => {
  const malformed = { status: 400, body: { detail: 'Malformed JSON body' } }
  const unsupported = { status: 415, body: { detail: 'Content-Type must be application/json' } }
  const tooLarge = { status: 413, body: { detail: 'Request body too large' } }
  const chunked = (text: string) => () => new Blob([text]).stream()
  const form = () => {
    const data = new FormData()
    data.append('username', 'ada')
    return data
  }

  test.each([
    { why: 'no body at all', sent: {}, answer: malformed },
    { why: 'an empty body', sent: { body: '' }, answer: malformed },
    { why: 'half a JSON text', sent: { body: '{"username":' }, answer: malformed },
    { why: 'two JSON texts', sent: { body: '{}{}' }, answer: malformed },
    {
      why: 'bytes that are not UTF-8',
      sent: { body: new Uint8Array([0x22, 0xff, 0x22]) },
      answer: malformed,
    },
    { why: 'a million brackets', sent: { body: '['.repeat(1_000_000) }, answer: malformed },
    {
      why: 'a form',
      sent: { body: 'a=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      answer: unsupported,
    },
    {
      why: 'multipart',
      sent: { body: form(), headers: { 'content-type': 'multipart/form-data; boundary=x' } },
      answer: unsupported,
    },
    {
      why: 'plain text',
      sent: { body: '{}', headers: { 'content-type': 'text/plain' } },
      answer: unsupported,
    },
    {
      why: 'JSON under another name',
      sent: { body: '{}', headers: { 'content-type': 'application/jsonp' } },
      answer: unsupported,
    },
    { why: 'a body of one byte too many', sent: { body: `"${'x'.repeat(1_048_575)}"` }, answer: tooLarge },
    { why: 'the same in chunks', sent: { stream: chunked(`"${'x'.repeat(1_048_575)}"`) }, answer: tooLarge },
  ])('$why', async ({ sent, answer }) => {
    const before = await stored()
    for (const path of [LOGIN, SETUP]) {
      const body = 'stream' in sent ? { body: sent.stream?.() } : sent
      expect(await h.request('POST', path, body)).toMatchObject(answer)
    }
    expect(await stored()).toEqual(before)
  })

  const fields = (...entries: Array<[string, string]>) => ({
    detail: entries
      .slice(0, 3)
      .map(([field, message]) => `${field}: ${message}`)
      .join('; '),
    errors: entries.map(([field, message]) => ({ field: `body.${field}`, message })),
  })

  test.each([
    { why: 'null', body: null, answer: { detail: 'body: must be an object' } },
    { why: 'a list', body: [], answer: { detail: 'body: must be an object' } },
    { why: 'a text', body: '"x"', answer: { detail: 'body: must be an object' } },
    {
      why: 'nothing in it',
      body: {},
      answer: fields(['username', 'is required'], ['password', 'is required']),
    },
    {
      why: 'wrong types',
      body: { username: 5, password: true },
      answer: fields(['username', 'must be a string'], ['password', 'must be a string']),
    },
    {
      why: 'empty texts',
      body: { username: ' ', password: '' },
      answer: fields(['username', 'must not be empty'], ['password', 'must not be empty']),
    },
    {
      why: 'a NUL',
      body: { username: 'a\0b', password: 'c\0' },
      answer: fields(
        ['username', 'must not contain U+0000 or lone surrogates'],
        ['password', 'must not contain U+0000 or lone surrogates'],
      ),
    },
    {
      why: 'half a surrogate pair',
      body: '{"username":"\\ud800","password":"x"}',
      answer: fields(['username', 'must not contain U+0000 or lone surrogates']),
    },
    {
      why: 'a username of 100 kB',
      body: { username: 'x'.repeat(100_000), password: 'x' },
      answer: fields(['username', 'must be at most 1024 characters']),
    },
    {
      why: 'a nested object',
      body: { username: { $ne: '' }, password: ['x'] },
      answer: fields(['username', 'must be a string'], ['password', 'must be a string']),
    },
  ])('a sign-in with $why', async ({ body, answer }) => {
    const before = await stored()
    const answered = await h.request('POST', LOGIN, { body })
    expect(answered.status).toBe(422)
    expect(answered.body).toMatchObject(answer)
    expect(await stored()).toEqual(before)
  })

  test('no error repeats what was sent', async () => {
    for (const body of [
      { username: 'Zanzibar\0', password: 'Zanzibar' },
      { username: ['Zanzibar'], password: { Zanzibar: 'Zanzibar' } },
      '{"username":"Zanzibar" "password"',
    ]) {
      const { body: answered } = await h.request('POST', SETUP, { body })
      expect(JSON.stringify(answered)).not.toContain('Zanzibar')
    }
  })

  test('keys like __proto__ are nothing but unknown fields', async () => {
    const body =
      '{"__proto__":{"isActive":true},"constructor":{"prototype":{"x":1}},"username":"ada","password":"wrong"}'
    const answered = await h.request('POST', LOGIN, { body })
    expect([answered.status, answered.body]).toEqual([401, { detail: 'Incorrect username or password' }])
    expect(Reflect.get({}, 'x')).toBeUndefined()
  })

  test('JSON with a charset, a byte-order mark or white space around it is JSON', async () => {
    const text = JSON.stringify(CREDENTIALS)
    for (const sent of [
      { body: text, headers: { 'content-type': 'Application/JSON; charset=utf-8' } },
      { body: `\ufeff${text}` },
      { body: ` \n${text}\n` },
      { body: chunked(text)() },
    ]) {
      expect((await h.request('POST', LOGIN, sent)).body).toEqual({
        detail: 'Incorrect username or password',
      })
    }
  })
})

describe('an unknown route', () => {
  test.each([
    '/',
    '/api',
    '/api/auth',
    '/api/auth/loginx',
    '/api/auth/login/x',
    '/api//auth/login',
    '/%00',
    '/%E0%A4%A',
  ])('%s is 404 for everyone', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const answered = await h.request(method, path, { headers: { origin: 'https://evil.example' } })
      expect([answered.status, answered.body]).toEqual([404, { detail: 'Not found' }])
    }
  })

  test('a known path under another method is 405 with Allow, before all checks', async () => {
    const headers = { origin: 'https://evil.example' }
    const login = await h.request('DELETE', LOGIN, { headers })
    expect([login.status, login.body, login.headers.get('allow')]).toEqual([
      405,
      { detail: 'Method not allowed' },
      'POST',
    ])
    const status = await h.request('PUT', '/api/auth/status', { body: '{', headers })
    expect([status.status, status.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })
})

describe('every response', () => {
  const everywhere = {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  }

  test('carries the headers that keep it private, errors included', async () => {
    for (const [method, path] of [
      ['GET', '/api/auth/status'],
      ['POST', LOGIN],
      ['GET', '/nowhere'],
      ['PUT', LOGIN],
      ['GET', '/health/live'],
    ] as const) {
      const { headers } = await h.request(method, path)
      expect(Object.fromEntries(headers)).toMatchObject(everywhere)
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/)
    }
  })

  test('echoes a request id that is one, and replaces every other', async () => {
    const id = async (given: string) =>
      (await h.request('GET', '/health/live', { headers: { 'x-request-id': given } })).headers.get(
        'x-request-id',
      )
    for (const good of ['a', 'A-b_c.9', 'x'.repeat(128)]) expect(await id(good)).toBe(good)
    for (const bad of ['', 'a b', 'x'.repeat(129), 'é', '{"a":1}'])
      expect(await id(bad)).toMatch(/^[0-9a-f]{32}$/)
  })

  test('to HEAD is that to GET', async () => {
    const [head, get] = [
      await h.request('HEAD', '/api/auth/status'),
      await h.request('GET', '/api/auth/status'),
    ]
    expect(head.status).toBe(get.status)
    expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'))
  })
})

describe('the log', () => {
  test('says one line per request, with the pattern and never the path, query or body', async () => {
    h.log.entries.length = 0
    const ada = await h.signedIn()
    await ada.request('GET', '/api/auth/status?secret=Zanzibar')
    await h.request('POST', LOGIN, { body: { username: 'Zanzibar', password: 'Zanzibar' } })
    await h.request('GET', '/Zanzibar')
    expect(
      h.log.entries.map(({ level, fields }) => [level, fields['method'], fields['route'], fields['status']]),
    ).toEqual([
      ['info', 'GET', '/api/auth/status', 200],
      ['info', 'POST', LOGIN, 401],
      ['info', 'GET', 'unmatched', 404],
    ])
    expect(JSON.stringify(h.log.entries)).not.toContain('Zanzibar')
    expect(h.log.entries[0]?.fields['user_id']).toBe(ada.row.id)
  })

  test('says who signed in', async () => {
    const user = await h.user()
    await h.request('POST', LOGIN, { body: { username: user.username, password: PASSWORD } })
    expect(h.log.entries.at(-1)?.fields).toMatchObject({ route: LOGIN, status: 200, user_id: user.id })
  })

  test('names the request that failed, its database code and place, but no parameter', async () => {
    h.log.entries.length = 0
    await h.db.execute('alter table users rename to gone')
    const answered = await h.request('POST', LOGIN, { body: { username: 'Zanzibar', password: 'Zanzibar' } })
    await h.db.execute('alter table gone rename to users')
    expect([answered.status, answered.body]).toEqual([500, { detail: 'Internal server error' }])
    const [failure] = h.log.entries
    expect(failure).toMatchObject({ level: 'error', fields: { database_code: '42P01' } })
    expect(failure?.fields['request_id']).toBe(answered.headers.get('x-request-id'))
    expect(JSON.stringify(h.log.entries)).not.toContain('Zanzibar')
  })
})

describe('cross-origin sharing', () => {
  const preflight = (origin: string) =>
    h.request('OPTIONS', LOGIN, { headers: { origin, 'access-control-request-method': 'POST' } })

  test('answers a listed origin, with credentials', async () => {
    const { status, headers } = await preflight('https://app.example')
    expect(status).toBe(204)
    expect(Object.fromEntries(headers)).toMatchObject({
      'access-control-allow-origin': 'https://app.example',
      'access-control-allow-credentials': 'true',
      'access-control-allow-headers':
        'Content-Type, If-Match, X-Requested-With, Authorization, Idempotency-Key, Last-Event-ID',
      vary: 'Origin',
    })
    const actual = await h.request('POST', LOGIN, {
      body: CREDENTIALS,
      headers: { origin: 'https://app.example' },
    })
    expect(actual.status).toBe(401)
    expect(actual.headers.get('access-control-allow-origin')).toBe('https://app.example')
    expect(actual.headers.get('access-control-expose-headers')).toBe(
      'ETag, Retry-After, X-Request-Id, X-Operation-Id, Idempotency-Replayed, WWW-Authenticate',
    )
  })

  test('answers no preflight of anybody else, and speaks of credentials to nobody else', async () => {
    for (const headers of [{}, { origin: 'https://evil.example', 'access-control-request-method': 'POST' }]) {
      const answered = await h.request('OPTIONS', LOGIN, { headers })
      expect([answered.status, answered.headers.get('allow')]).toEqual([405, 'POST'])
      expect([...answered.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    }
  })

  test('answers nobody else', async () => {
    for (const origin of [
      'https://evil.example',
      'null',
      'http://app.example',
      'constructor',
      'app.example',
    ]) {
      expect((await preflight(origin)).headers.has('access-control-allow-origin')).toBe(false)
      const actual = await h.request('POST', LOGIN, { body: CREDENTIALS, headers: { origin } })
      expect([actual.status, actual.body]).toEqual([403, { detail: 'Cross-origin request rejected' }])
    }
  })
})

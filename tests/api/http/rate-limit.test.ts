import { describe, expect, test } from 'bun:test'
import { startHarness } from '../../support/harness'
import { useHarness } from '../../support/use-harness'

const LOGIN = '/api/auth/login'
const TOO_MANY = [429, { detail: 'Too many requests' }]

const h = useHarness({ per: 'test' })

const attempt = async (headers: Record<string, string> = {}) => {
  const {
    status,
    body,
    headers: answered,
  } = await h.request('POST', LOGIN, {
    body: { username: 'ada', password: 'x' },
    headers,
  })
  return { answer: [status, body], retryAfter: answered.get('retry-after') }
}
const statuses = async (count: number, headers: Record<string, string> = {}) => {
  const found: unknown[] = []
  for (let i = 0; i < count; i++) found.push((await attempt(headers)).answer[0])
  return found
}

describe('the limit of sign-in attempts', () => {
  test('lets six through at once and then says when to come back', async () => {
    expect(await statuses(6)).toEqual(Array(6).fill(401))
    expect(await attempt()).toEqual({ answer: TOO_MANY, retryAfter: '6' })
    h.clock.advance({ seconds: 6 })
    expect(await statuses(2)).toEqual([401, 429])
  })

  test('is one bucket for all of its operations, and none for the others', async () => {
    await statuses(6)
    for (const operation of ['setup', 'register']) {
      const { status, body } = await h.request('POST', `/api/auth/${operation}`, { body: {} })
      expect([operation, status, body]).toEqual([operation, ...TOO_MANY])
    }
    expect((await h.request('GET', '/api/auth/status')).status).toBe(200)
    expect((await h.request('POST', '/api/auth/logout')).status).toBe(200)
  })

  test('is judged before the body and after the origin', async () => {
    await statuses(6)
    const malformed = await h.request('POST', LOGIN, { body: '{' })
    expect([malformed.status, malformed.body]).toEqual(TOO_MANY)
    const foreign = await h.request('POST', LOGIN, { body: '{', headers: { origin: 'https://evil.example' } })
    expect(foreign.status).toBe(403)
  })

  test('is per client address, and an IPv6 client is its /64', async () => {
    await statuses(6)
    h.peer.address = '198.51.100.1'
    expect(await statuses(7)).toEqual([...Array(6).fill(401), 429])
    const addresses = [
      '2001:db8::1',
      '2001:db8::2',
      '2001:db8::3',
      '2001:db8::4',
      '2001:db8::5',
      '2001:db8::6',
    ]
    for (const address of addresses) {
      h.peer.address = address
      expect(await statuses(1)).toEqual([401])
    }
    h.peer.address = '2001:db8::7'
    expect(await statuses(1)).toEqual([429])
    h.peer.address = '2001:db8:0:1::7'
    expect(await statuses(1)).toEqual([401])
  })

  test('cannot be dodged with a forged X-Forwarded-For', async () => {
    for (let i = 0; i < 6; i++) await attempt({ 'x-forwarded-for': `198.51.100.${i}` })
    expect((await attempt({ 'x-forwarded-for': '198.51.100.99' })).answer).toEqual(TOO_MANY)
  })

  test('exempts local clients, and warns once when a proxy among them is not trusted', async () => {
    h.peer.address = '127.0.0.1'
    expect(await statuses(8)).toEqual(Array(8).fill(401))
    expect(await statuses(8, { 'x-forwarded-for': '198.51.100.1' })).toEqual(Array(8).fill(401))
    expect(h.log.entries.filter(({ level }) => level === 'warn')).toHaveLength(1)
  })
})

test('behind a trusted proxy a client that goes on asking gets ten answers a minute', async () => {
  await using behind = await startHarness({ env: { TRUSTED_PROXIES: '127.0.0.0/8' } })
  behind.peer.address = '127.0.0.1'
  const operations = ['login', 'setup', 'register']
  const headers = { 'x-forwarded-for': '198.51.100.1' }
  const admittedOf = async (count: number, secondsApart: number) => {
    let admitted = 0
    for (let i = 0; i < count; i++) {
      behind.clock.advance({ seconds: secondsApart })
      const path = `/api/auth/${operations[i % operations.length]}`
      if ((await behind.request('POST', path, { body: {}, headers })).status !== 429) admitted++
    }
    return admitted
  }
  // The first is within the rate, the next five are the burst.
  expect(await admittedOf(20, 0)).toBe(6)
  expect(await admittedOf(60, 1)).toBe(10)
})

test('behind a trusted proxy the limit holds for each client', async () => {
  await using behind = await startHarness({ env: { TRUSTED_PROXIES: '127.0.0.0/8' } })
  behind.peer.address = '127.0.0.1'
  const from = async (address: string) =>
    (
      await behind.request('POST', LOGIN, {
        body: { username: 'a', password: 'x' },
        headers: { 'x-forwarded-for': address },
      })
    ).status
  for (let i = 0; i < 6; i++) expect(await from('198.51.100.1')).toBe(401)
  expect(await from('198.51.100.1')).toBe(429)
  expect(await from('198.51.100.2')).toBe(401)
  // A client in the proxy's own network is exempt, and nothing is wrong with the configuration.
  for (let i = 0; i < 8; i++) expect(await from('192.168.1.9')).toBe(401)
  expect(behind.log.entries.filter(({ level }) => level === 'warn')).toEqual([])
})

test('going to the identity provider and coming back draw on the limit of the sign-in', async () => {
  await using provided = await startHarness({
    // Nobody listens there.
    env: { OIDC_ISSUER: 'http://127.0.0.1:9', OIDC_CLIENT_ID: 'organiser' },
  })
  const body = { username: 'ada', password: 'x' }
  const attempts = [
    () => provided.request('POST', LOGIN, { body }),
    () => provided.request('GET', '/api/auth/oidc/begin'),
    () => provided.request('GET', '/api/auth/oidc/callback?state=x&code=x'),
  ]
  const statusesOfAll = async () => {
    const found: number[] = []
    for (const make of attempts) found.push((await make()).status)
    return found
  }
  expect([await statusesOfAll(), await statusesOfAll(), await statusesOfAll()]).toEqual([
    [401, 302, 302],
    [401, 302, 302],
    [429, 429, 429],
  ])
})

test('AUTH_RATE_LIMIT=off leaves the limit to the proxy', async () => {
  await using off = await startHarness({ env: { AUTH_RATE_LIMIT: 'off' } })
  for (let i = 0; i < 20; i++) {
    expect((await off.request('POST', LOGIN, { body: { username: 'a', password: 'x' } })).status).toBe(401)
  }
})

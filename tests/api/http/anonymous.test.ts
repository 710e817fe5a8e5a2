import { expect, test } from 'bun:test'
import { swaggerUiAssets } from '../../../src/adapters/assets'
import { type Harness, startHarness } from '../../support/harness'

const TOO_MANY = { status: 429, body: { detail: 'Too many requests at once' } }

/** A body that ends once the test says so. */
const openBody = (rest: Promise<void>) =>
  new ReadableStream<Uint8Array>({
    async pull(controller) {
      await rest
      controller.enqueue(new TextEncoder().encode('{}'))
      controller.close()
    },
  })

/** A service behind a proxy that tells its clients apart. */
async function startBehindProxy(options: Parameters<typeof startHarness>[0] = {}) {
  const h = await startHarness({ ...options, env: { TRUSTED_PROXIES: '127.0.0.1/32', ...options.env } })
  h.peer.address = '127.0.0.1'
  return h
}
const from = (address: string) => ({ 'x-forwarded-for': address })

const signIn = (h: Harness, address: string) =>
  h.request('POST', '/api/auth/login', { body: { username: 'ada', password: 'x' }, headers: from(address) })

/** Sign-ins from one address, whose bodies end once the test says so. */
function startSignIns(h: Harness, address: string, count: number, headers: Record<string, string>) {
  const rest = Promise.withResolvers<void>()
  const answers = Array.from({ length: count }, () =>
    h.request('POST', '/api/auth/login', {
      body: openBody(rest.promise),
      headers: { ...headers, ...from(address) },
    }),
  )
  return { answers, end: () => rest.resolve() }
}

const statusFrom = (h: Harness, address: string) =>
  h.request('GET', '/api/auth/status', { headers: from(address) })

test.each([
  { prefix: 56, clients: 4, own: (i: number) => `2001:db8:1:${i}::1`, other: '2001:db8:1:100::1' },
  { prefix: 48, clients: 16, own: (i: number) => `2001:db8:1:${i}00::1`, other: '2001:db8:2::1' },
])(
  'the addresses of an IPv6 /$prefix have as many requests at once as $clients clients, and others do not wait for them',
  async ({ clients, own, other }) => {
    await using h = await startBehindProxy({ env: { AUTH_RATE_LIMIT: 'off' } })
    const many = Array.from({ length: clients }, (_, i) =>
      startSignIns(h, own(i), 8, { 'content-length': '2' }),
    )
    const oneMore = statusFrom(h, own(clients))
    expect((await statusFrom(h, other)).status).toBe(200)
    h.clock.advance({ ms: 2001 })
    expect(await oneMore).toMatchObject(TOO_MANY)
    for (const { end } of many) end()
    await Promise.all(many.flatMap(({ answers }) => answers))
    expect((await statusFrom(h, own(clients))).status).toBe(200)
  },
)

test('sign-ins from an IPv6 /56 are limited as those of four clients', async () => {
  await using h = await startBehindProxy()
  const statuses: number[] = []
  for (let i = 0; i < 30; i++) {
    h.peer.address = `2001:db8:1:${i.toString(16)}::1`
    const { status } = await h.request('POST', '/api/auth/login', {
      body: { username: 'ada', password: 'x' },
    })
    statuses.push(status)
  }
  expect(statuses).toEqual([...Array(21).fill(401), ...Array(9).fill(429)])
})

test('who has no session takes half of the places at most, wherever they come from, and none from who has one', async () => {
  const reading = Promise.withResolvers<void>()
  let reads = 0
  await using h = await startBehindProxy({
    deps: {
      assets: {
        read: async (name) => {
          reads += 1
          await reading.promise
          return swaggerUiAssets.read(name)
        },
      },
    },
  })
  const ada = await h.signedIn()
  const asking = Array.from({ length: 100 }, (_, i) =>
    h.request('GET', '/api/docs/favicon-32x32.png', { headers: from(`203.0.113.${i}`) }),
  )
  const { body } = await ada.request('GET', '/api/auth/status')
  expect(body).toMatchObject({ authenticated: true })
  expect((await ada.request('GET', '/api/todos')).status).toBe(200)
  expect(reads).toBe(8)
  reading.resolve()
  expect((await Promise.all(asking)).map(({ status }) => status)).toEqual(asking.map(() => 200))
})

test('of large bodies without a session 32 are under way at once, and small ones are read beside them', async () => {
  await using h = await startBehindProxy({ env: { AUTH_RATE_LIMIT: 'off' } })
  const large = { 'content-length': '20000' }
  const many = Array.from({ length: 8 }, (_, i) => startSignIns(h, `203.0.113.${i}`, 8, i % 2 ? large : {}))
  const refused = many.slice(4).flatMap(({ answers }) => answers)
  for (const answer of await Promise.all(refused)) expect(answer).toMatchObject(TOO_MANY)
  expect((await signIn(h, '203.0.113.9')).status).toBe(401)
  const ada = await h.signedIn()
  const todo = { title: 'Long', description: 'x'.repeat(10_000), notes: 'x'.repeat(10_000) }
  expect((await ada.request('POST', '/api/todos', { body: todo })).status).toBe(201)
  for (const { end } of many) end()
  await Promise.all(many.flatMap(({ answers }) => answers))
  const [again] = startSignIns(h, '203.0.113.9', 1, {}).answers
  expect(await Promise.race([again, Bun.sleep(20).then(() => 'is read')])).toBe('is read')
})

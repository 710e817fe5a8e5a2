import { expect, test } from 'bun:test'
import { fakeHasher } from '../../support/fakes'
import { observed } from '../../support/statements'
import { createToken, programOf } from '../../support/tokens'
import { type Actor, type Harness, startHarness } from '../../support/harness'

const TOO_MANY = { status: 429, body: { detail: 'Too many requests at once' } }

/** A service whose passwords are hashed once the test says so. */
async function startHashing() {
  const hashing = Promise.withResolvers<void>()
  const h = await startHarness({
    deps: {
      hasher: {
        ...fakeHasher,
        verify: async (password, hash) => {
          await hashing.promise
          return fakeHasher.verify(password, hash)
        },
      },
    },
  })
  return { h, release: () => hashing.resolve() }
}

/** Eight requests of the user whose bodies end once the test says so. */
function startEight(user: Actor) {
  const rest = Promise.withResolvers<void>()
  const create = () =>
    user.request('POST', '/api/todos', {
      body: new ReadableStream({
        async pull(controller) {
          await rest.promise
          controller.enqueue(new TextEncoder().encode('{"title":"x"}'))
          controller.close()
        },
      }),
    })
  const eight = Array.from({ length: 8 }, create)
  const end = async () => {
    rest.resolve()
    expect((await Promise.all(eight)).map(({ status }) => status)).toEqual(eight.map(() => 201))
  }
  return end
}

/** Rows of text, by default more than fit on a page of a megabyte. */
const addLongTodos = (h: Harness, user: Actor, count = 200, character = 'x') =>
  h.db.$client.unsafe(
    `insert into todos (user_id, title, description, priority, rank, created_at, updated_at)
     select ${user.row.id}, 'long', repeat($1, 10000), 'none', n, now(), now() from generate_series(1, ${count}) as n`,
    [character],
  )

test('the ninth request of one user waits two seconds and is refused, and nobody else waits', async () => {
  await using h = await startHarness()
  const [ada, bob] = [await h.signedIn(), await h.signedIn()]
  const end = startEight(ada)
  const ninth = ada.request('GET', '/api/todos')
  expect((await bob.request('GET', '/api/todos')).status).toBe(200)
  h.clock.advance({ ms: 2001 })
  const refused = await ninth
  expect(refused).toMatchObject(TOO_MANY)
  expect(refused.headers.get('retry-after')).toBe('1')
  await end()
  expect((await ada.request('GET', '/api/todos')).status).toBe(200)
})

test('the sessions of one user stand in one line', async () => {
  await using h = await startHarness()
  const [ada, bob] = [await h.signedIn(), await h.signedIn()]
  const other = await h.session(ada.row.id)
  const end = startEight(ada)
  const ninth = h.request('GET', '/api/todos', { cookie: other.token })
  expect((await bob.request('GET', '/api/todos')).status).toBe(200)
  h.clock.advance({ ms: 2001 })
  expect(await ninth).toMatchObject(TOO_MANY)
  await end()
})

test('access tokens stand in the line of their user, and wrong ones in none of a user', async () => {
  await using h = await startHarness()
  const [ada, bob] = [await h.signedIn(), await h.signedIn()]
  const program = programOf(h, (await createToken(ada)).token)
  await program('GET', '/api/todos')
  const end = startEight(ada)
  const ninth = program('GET', '/api/todos')
  expect((await bob.request('GET', '/api/todos')).status).toBe(200)
  expect((await programOf(h, 'x')('GET', '/api/todos')).status).toBe(401)
  h.clock.advance({ ms: 2001 })
  expect(await ninth).toMatchObject(TOO_MANY)
  await end()
})

test('a cookie whose session has ended takes no room in the line of its user', async () => {
  await using h = await startHarness()
  const ada = await h.signedIn()
  const old = await h.session(ada.row.id, { revoked: true })
  const ask = () => h.request('GET', '/api/todos', { cookie: old.token })
  const ended = { status: 401, body: { detail: 'Session has been revoked or expired' } }
  expect(await ask()).toMatchObject(ended)
  const end = startEight(ada)
  expect(await ask()).toMatchObject(ended)
  await end()
})

test.each([
  { what: 'a megabyte', count: 200, character: 'x', bytes: 1_000_000 },
  { what: 'few characters that take six bytes each', count: 2, character: '\u0001', bytes: 120_000 },
])('an answer of $what that nobody reads counts until its reader is gone', async (long) => {
  await using h = await startHarness()
  const ada = await h.signedIn()
  await addLongTodos(h, ada, long.count, long.character)
  const ask = () =>
    h.app.fetch(
      new Request('http://localhost/api/todos?limit=200', { headers: { cookie: `session=${ada.token}` } }),
    )
  const unread = await Promise.all(Array.from({ length: 8 }, ask))
  expect(unread.map(({ status }) => status)).toEqual(unread.map(() => 200))
  const waiting = ask()
  expect(await Promise.race([waiting, Bun.sleep(50).then(() => 'waits')])).toBe('waits')
  await unread[0]?.body?.cancel()
  const answer = await waiting
  expect(answer.status).toBe(200)
  expect((await answer.text()).length).toBeGreaterThan(long.bytes)
  await Promise.all(unread.slice(1).map(({ body }) => body?.cancel()))
})

test('a stolen session that fills the line keeps its owner from nothing that ends it', async () => {
  await using h = await startHarness()
  const ada = await h.signedIn()
  const stolen = await h.session(ada.row.id)
  await addLongTodos(h, ada)
  const cookie = `session=${stolen.token}`
  const ask = () => h.app.fetch(new Request('http://localhost/api/todos?limit=200', { headers: { cookie } }))
  const unread = await Promise.all(Array.from({ length: 8 }, ask))
  expect((await ada.request('GET', '/api/auth/sessions')).body.sessions).toHaveLength(2)
  expect((await ada.request('DELETE', '/api/auth/sessions')).body).toMatchObject({ revoked: 1 })
  await Promise.all(unread.map(({ body }) => body?.cancel()))
  expect((await ask()).status).toBe(401)
})

test('who has no session stands in the line of its address, and health is asked past it', async () => {
  await using h = await startHarness({ env: { AUTH_RATE_LIMIT: 'off' } })
  const drip = Promise.withResolvers<void>()
  const dripping = () =>
    h.request('POST', '/api/auth/login', {
      body: new ReadableStream({
        async pull(controller) {
          await drip.promise
          controller.enqueue(new TextEncoder().encode('{}'))
          controller.close()
        },
      }),
    })
  const eight = Array.from({ length: 8 }, dripping)
  const ninth = h.request('GET', '/api/auth/status')
  expect((await h.request('GET', '/health/live')).status).toBe(200)
  h.peer.address = '203.0.113.8'
  expect((await h.request('GET', '/api/auth/status')).status).toBe(200)
  h.clock.advance({ ms: 2001 })
  expect(await ninth).toMatchObject(TOO_MANY)
  drip.resolve()
  expect((await Promise.all(eight)).map(({ status }) => status)).toEqual(eight.map(() => 422))
})

test('behind a proxy that is not trusted each client has a line of its own', async () => {
  const { h, release } = await startHashing()
  await using _ = h
  h.peer.address = '127.0.0.1'
  const signIn = (client: string) =>
    h.request('POST', '/api/auth/login', {
      body: { username: 'nobody', password: 'x' },
      headers: { 'x-forwarded-for': `203.0.113.99, ${client}` },
    })
  const eight = Array.from({ length: 8 }, () => signIn('198.51.100.1'))
  const other = await h.request('GET', '/api/auth/status', {
    headers: { 'x-forwarded-for': '198.51.100.2' },
  })
  expect(other.status).toBe(200)
  release()
  expect((await Promise.all(eight)).map(({ status }) => status)).toEqual(eight.map(() => 401))
})

test('behind a gateway that tells nobody apart, eight slow bodies keep no other from being answered', async () => {
  await using h = await startHarness()
  h.peer.address = '172.17.0.1'
  const rest = Promise.withResolvers<void>()
  const slow = () =>
    h.request('POST', '/api/auth/login', {
      body: new ReadableStream({
        async pull(controller) {
          await rest.promise
          controller.close()
        },
      }),
    })
  const eight = Array.from({ length: 8 }, slow)
  expect((await h.request('GET', '/api/auth/status')).status).toBe(200)
  rest.resolve()
  expect((await Promise.all(eight)).map(({ status }) => status)).toEqual(eight.map(() => 400))
})

test('all who ask at once whether the service is ready share one look at the database', async () => {
  await using h = await startHarness()
  using statements = observed(h.db)
  const answers = await Promise.all(Array.from({ length: 50 }, () => h.request('GET', '/health/ready')))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(statements).toHaveLength(1)
})

test('a session that ends while its body comes is refused, where the body takes long', async () => {
  await using h = await startHarness()
  const ada = await h.signedIn()
  const isRead = Promise.withResolvers<void>()
  const rest = Promise.withResolvers<void>()
  const creating = ada.request('POST', '/api/todos', {
    body: new ReadableStream({
      async pull(controller) {
        isRead.resolve()
        await rest.promise
        controller.enqueue(new TextEncoder().encode('{"title":"x"}'))
        controller.close()
      },
    }),
  })
  await isRead.promise
  await ada.request('POST', '/api/auth/lock')
  h.clock.advance({ seconds: 2 })
  rest.resolve()
  expect(await creating).toMatchObject({ status: 423, body: { detail: 'Session is locked' } })
})

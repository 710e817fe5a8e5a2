import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { createPasswordHasher } from '../../src/adapters/password-hasher'
import { type Actor, type Harness, PASSWORD, startHarness } from '../support/harness'
import { nginxPath, startNginx } from '../support/nginx'
import { needing } from '../support/needing'
import { type Service, startService, until } from '../support/service'
import { type OpenedStream, openStream } from '../support/streams'
import { createToken } from '../support/tokens'
import { sharedWith } from '../support/sharing'

setDefaultTimeout(60_000)

const ENV = { SECRET_KEYS: 'k1:tests-tests-tests-tests-tests-tests', AUTH_RATE_LIMIT: 'off' }

const stack = new AsyncDisposableStack()
let h: Harness
let one: Service
let other: Service
/** Of `PASSWORD`, by the hasher of the instances. */
let passwordHash: string
beforeAll(async () => {
  const hasher = createPasswordHasher({ engine: 'wasm', workers: 1 })
  passwordHash = await hasher.hash(PASSWORD)
  await hasher.close()
  h = stack.use(await startHarness())
  // The sessions that the harness makes must hold today.
  h.clock.advance({ ms: Date.now() - h.clock.now().getTime() })
  one = stack.use(await startService({ env: { ...ENV, DATABASE_URL: h.url } }))
  other = stack.use(await startService({ env: { ...ENV, DATABASE_URL: h.url } }))
})
afterAll(() => stack.disposeAsync())

const opened: OpenedStream[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((stream) => stream.leave()))
})

const cookieOf = ({ token }: Pick<Actor, 'token'>) => ({ cookie: `session=${token}` })

async function follow(
  actor: Pick<Actor, 'token'>,
  { at = other, since = undefined as string | undefined } = {},
) {
  const stream = await openStream(at.url, { headers: cookieOf(actor), ...(since !== undefined && { since }) })
  opened.push(stream)
  await until(() => stream.events.length > 0)
  return stream
}

async function send(actor: Pick<Actor, 'token'>, method: string, path: string, body?: object) {
  const response = await one.fetch(path, {
    method,
    headers: { ...cookieOf(actor), 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text ? JSON.parse(text) : undefined }
}

const newTodo = async (actor: Pick<Actor, 'token'>, title = 't'): Promise<number> =>
  (await send(actor, 'POST', '/api/todos', { title })).body.id

test('a stream is ready at once, and tells what is written on another instance', async () => {
  const ada = await h.signedIn()
  const stream = await follow(ada)
  expect(stream.events[0]).toMatchObject({ name: 'ready', data: {} })
  const id = await newTodo(ada, 'Bins')
  await until(() => stream.changed().includes(`put todo ${id}`))
  const [, { data }] = stream.events as [unknown, OpenedStream['events'][number]]
  expect(data).toMatchObject({
    changes: [{ type: 'todo', id, op: 'put', item: { title: 'Bins' } }],
    has_more: false,
  })
  await send(ada, 'DELETE', `/api/todos/${id}`)
  await until(() => stream.changed().includes(`delete todo ${id}`))
})

test('a stream goes on from the last event that arrived, and misses nothing', async () => {
  const ada = await h.signedIn()
  const first = await follow(ada)
  const before = await newTodo(ada)
  const event = await until(() => first.events.find(({ name }) => name === 'changes'))
  await first.leave()
  const missed = await newTodo(ada)
  const again = await openStream(other.url, {
    headers: { ...cookieOf(ada), 'last-event-id': event.id ?? '' },
    since: 'forged',
  })
  opened.push(again)
  await until(() => again.changed().includes(`put todo ${missed}`))
  expect(again.changed()).not.toContain(`put todo ${before}`)
})

test('a calendar that is shared while the stream is open is told, and what is written in it then', async () => {
  const { ada, bob, calendar, member } = await sharedWith(h, 'read')
  await send(ada, 'DELETE', `/api/calendars/${calendar.id}/members/${member.id}`)
  const stream = await follow(bob)
  await ada.share(calendar.id, bob)
  await bob.acceptAll()
  await until(() => stream.changed().includes(`put calendar ${calendar.id}`))
  const event = {
    title: 'Choir',
    calendar_id: calendar.id,
    start_at: '2027-03-10T09:00',
    end_at: '2027-03-10T10:00',
  }
  const { id } = (await send(ada, 'POST', '/api/events', event)).body
  await until(() => stream.changed().includes(`put event ${id}`))
  await send(ada, 'DELETE', `/api/calendars/${calendar.id}`)
  await until(() => stream.changed().includes(`delete calendar ${calendar.id}`))
})

test('what is written while a stream begins is told', async () => {
  for (let round = 0; round < 20; round++) {
    const ada = await h.signedIn()
    const { next } = (await send(ada, 'GET', '/api/changes?since=now')).body
    const writing = Bun.sleep(round * 2).then(() => newTodo(ada))
    const stream = await follow(ada, { since: round % 2 === 0 ? next : undefined })
    const early = await writing
    const late = await newTodo(ada)
    await until(() => stream.changed().includes(`put todo ${late}`))
    if (round % 2 === 0) expect(stream.changed()).toContain(`put todo ${early}`)
    await stream.leave()
  }
})

test("a stream tells nothing of others' records", async () => {
  const [ada, bob] = [await h.signedIn(), await h.signedIn()]
  const stream = await follow(bob)
  await newTodo(ada)
  const own = await newTodo(bob)
  await until(() => stream.changed().includes(`put todo ${own}`))
  expect(stream.changed()).toEqual([`put todo ${own}`])
})

const admin = () => h.signedIn({ role: 'admin' })

const ENDINGS: Readonly<Record<string, readonly [string, (ada: Actor) => Promise<unknown>]>> = {
  'that signs out': ['signed_out', (ada) => send(ada, 'POST', '/api/auth/logout')],
  'whose password changes': [
    'signed_out',
    (ada) =>
      send(ada, 'POST', '/api/auth/change-password', {
        old_password: PASSWORD,
        new_password: 'a whole new password',
      }),
  ],
  'whose account is deactivated': [
    'signed_out',
    async (ada) => send(await admin(), 'PUT', `/api/admin/users/${ada.row.id}/active`, { is_active: false }),
  ],
  'whose account is deleted': [
    'signed_out',
    async (ada) => send(await admin(), 'DELETE', `/api/admin/users/${ada.row.id}`),
  ],
  'that is locked': ['locked', (ada) => send(ada, 'POST', '/api/auth/lock')],
}

test.each(Object.entries(ENDINGS))('the stream of a session %s ends', async (_, [reason, end]) => {
  const ada = await h.signedIn({ passwordHash })
  const stream = await follow(ada)
  await end(ada)
  await stream.ended
  expect(stream.reason()).toBe(reason)
  expect(stream.changed().filter((change) => change.includes('todo'))).toEqual([])
})

test('the stream of an access token ends with the token, and tells only what the token may read', async () => {
  const ada = await h.signedIn()
  const { id, token } = await createToken(ada, ['overview:read', 'people:read'])
  const stream = await openStream(other.url, { headers: { authorization: `Bearer ${token}` } })
  opened.push(stream)
  await newTodo(ada)
  const person = (await send(ada, 'POST', '/api/people', { nickname: 'Grace' })).body.id
  await until(() => stream.changed().includes(`put person ${person}`))
  expect(stream.changed().filter((change) => change.includes('todo'))).toEqual([])
  await send(ada, 'DELETE', `/api/auth/tokens/${id}`)
  await stream.ended
  expect(stream.reason()).toBe('signed_out')
})

test('a stream with a cursor that does not count ends with a reset', async () => {
  const [ada, bob] = [await h.signedIn(), await h.signedIn()]
  const nextOf = async (actor: Actor, query: string) =>
    (await send(actor, 'GET', `/api/changes?since=now${query}`)).body.next
  for (const since of ['forged', await nextOf(bob, ''), await nextOf(ada, '&types=todo')]) {
    const stream = await follow(ada, { since })
    await stream.ended
    expect(stream.reason()).toBe('reset')
  }
})

test('of eleven streams of a user the oldest ends', async () => {
  const ada = await h.signedIn()
  const streams: OpenedStream[] = []
  for (let i = 0; i < 11; i++) streams.push(await follow(ada))
  await streams[0]?.ended
  expect(streams.map((stream) => stream.reason())).toEqual(['replaced', ...Array(10)])
  // They keep none of the user's other requests waiting.
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => other.fetch('/api/settings', { headers: cookieOf(ada) })),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
})

test('nothing that is written after a sign-out was answered arrives, while others write', async () => {
  for (let round = 0; round < 10; round++) {
    const ada = await h.signedIn()
    const writer = { token: (await h.session(ada.row.id)).token }
    const stream = await follow(ada)
    const over = new AbortController()
    const written: number[] = []
    const writing = (async () => {
      while (!over.signal.aborted) written.push(await newTodo(writer))
    })()
    await until(() => stream.changed().length > 3)
    await send(ada, 'POST', '/api/auth/logout')
    const later = written.length + 1
    await until(() => written.length > later + 5)
    await stream.ended
    over.abort()
    await writing
    const forbidden = new Set(written.slice(later).map((id) => `put todo ${id}`))
    expect(stream.changed().filter((change) => forbidden.has(change))).toEqual([])
    expect(stream.reason()).toBe('signed_out')
  }
})

test('an instance that stops ends its streams, tells why, and exits', async () => {
  const third = stack.use(await startService({ env: { ...ENV, DATABASE_URL: h.url } }))
  const readers = [await h.signedIn(), await h.signedIn()]
  const streams = await Promise.all(readers.map((reader) => follow(reader, { at: third })))
  expect(await third.stop()).toBe(0)
  await Promise.all(streams.map(({ ended }) => ended))
  expect(streams.map((stream) => stream.reason())).toEqual(['restarting', 'restarting'])
})

needing('nginx', nginxPath !== null).describe('through nginx', () => {
  test('changes arrive while the stream is open', async () => {
    await using proxy = await startNginx(other.port)
    const ada = await h.signedIn()
    const stream = await openStream(proxy.url, { headers: cookieOf(ada) })
    opened.push(stream)
    await until(() => stream.events.length > 0)
    const id = await newTodo(ada)
    await until(() => stream.changed().includes(`put todo ${id}`))
  })
})

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { users } from '../../src/db/schema'
import { sociable, sorted } from '../support/connecting'
import { freshDatabaseUrl } from '../support/database'
import { type Actor, type Harness, startHarness } from '../support/harness'
import { befriend } from '../support/inviting'
import { fromEverywhere, nginxPath, startNginx } from '../support/nginx'
import { needing } from '../support/needing'
import { race } from '../support/racing'
import { outline } from '../support/scenario/outline'
import { overFetch, play, type Transport } from '../support/scenario/play'
import { METRICS_TOKEN } from '../support/scenario/steps'
import { type Service, startService } from '../support/service'

setDefaultTimeout(60_000)

const INSTANCES = 3
const ROUNDS = 20

const ENV = {
  SECRET_KEYS: 'k1:tests-tests-tests-tests-tests-tests',
  TRUSTED_PROXIES: '127.0.0.1/32',
  AUTH_RATE_LIMIT: 'off',
  LOGIN_FAILURE_FLOOR_MS: '0',
  METRICS_TOKEN,
  TIME_ZONE: 'Europe/Berlin',
}

const now = () => new Date()
const stack = new AsyncDisposableStack()
let h: Harness
let instances: readonly Service[]
let throughProxy: Transport

/** What a single service answers to the scenario. */
async function answersOfOne() {
  await using database = await freshDatabaseUrl()
  await using service = await startService({ env: { ...ENV, DATABASE_URL: database.url } })
  return await play({ transport: overFetch(service.url), now })
}

/** A request to whichever instance nginx chooses. */
const ask = (actor: Pick<Actor, 'token'>, method: string, path: string, body?: unknown) =>
  throughProxy({
    method,
    path,
    headers: { cookie: `session=${actor.token}`, 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  })

/** The same, to the instance of that number. */
const askAt = (number: number, actor: Pick<Actor, 'token'>, method: string, path: string) =>
  (instances[number % INSTANCES] as Service).fetch(path, {
    method,
    headers: { cookie: `session=${actor.token}` },
  })

const many = <T>(count: number, make: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, i) => make(i)))

const times = (count: number, status: number) => Array<number>(count).fill(status)

needing('nginx', nginxPath !== null).describe('three instances on one database behind nginx', () => {
  beforeAll(async () => {
    h = stack.use(await startHarness())
    // The sessions that the harness makes must hold today.
    h.clock.advance({ ms: Date.now() - h.clock.now().getTime() })
    instances = await many(INSTANCES, () => startService({ env: { ...ENV, DATABASE_URL: h.url } }))
    for (const instance of instances) stack.use(instance)
    const proxy = stack.use(await startNginx(...instances.map(({ port }) => port)))
    throughProxy = fromEverywhere(proxy.url)
  })
  afterAll(() => stack.disposeAsync())

  test('answer the scenario as one does', async () => {
    const [found, expected] = await Promise.all([play({ transport: throughProxy, now }), answersOfOne()])
    expect(found.map(outline)).toEqual(expected.map(outline))
  })

  test('lock an account after exactly ten wrong passwords, however many come at once', async () => {
    const { row } = await h.signedIn()
    const attempt = () =>
      throughProxy({
        method: 'POST',
        path: '/api/auth/login',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: row.username, password: 'a wrong password' }),
      })
    const attempts = await race(Array<typeof attempt>(30).fill(attempt), 0)
    expect(sorted(attempts)).toEqual([...times(10, 401), ...times(20, 423)])
  })

  test('let no more than twenty be invited to an event', async () => {
    const ada = await h.signedIn()
    const guests = await many(25, () => h.signedIn())
    await befriend(h, ada, guests)
    const created = await ask(ada, 'POST', '/api/events', {
      title: 'Concert',
      start_at: '2031-03-29T18:00:00Z',
      end_at: '2031-03-29T20:00:00Z',
    })
    const { id } = JSON.parse(created.body)
    const invited = await race(
      guests.map(
        ({ row }) =>
          () =>
            ask(ada, 'POST', `/api/events/${id}/invitations`, { user_ids: [row.id] }),
      ),
      0,
    )
    expect(sorted(invited)).toEqual([...times(20, 201), ...times(5, 409)])
    const listed = JSON.parse((await ask(ada, 'GET', `/api/events/${id}/invitations`)).body)
    expect(listed.invitations).toHaveLength(20)
  })

  test('let nobody have more than twenty requests pending, nor receive more than fifty', async () => {
    const popular = await sociable(h)
    const request = (from: Actor, to: Actor) =>
      ask(from, 'POST', '/api/connections/requests', { network_name: to.row.networkName })
    const strangers = await many(55, () => sociable(h))
    const received = await race(
      strangers.map((stranger) => () => request(stranger, popular)),
      0,
    )
    expect(sorted(received)).toEqual([...times(50, 201), ...times(5, 409)])
    const eager = await sociable(h)
    const sent = await race(
      strangers.slice(0, 25).map((stranger) => () => request(eager, stranger)),
      0,
    )
    expect(sorted(sent)).toEqual([...times(20, 201), ...times(5, 409)])
  })

  test('keep an administrator when the last two demote each other', async () => {
    await h.db.update(users).set({ role: 'standard' })
    const ada = await h.signedIn({ role: 'admin' })
    const bob = await h.signedIn({ role: 'admin' })
    const demote = (by: Actor, whom: Actor) =>
      ask(by, 'PUT', `/api/admin/users/${whom.row.id}/role`, { role: 'standard' })
    for (let round = 0; round < ROUNDS; round++) {
      const answers = await race([() => demote(ada, bob), () => demote(bob, ada)], 0)
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      const left = await h.db.select().from(users).where(eq(users.role, 'admin'))
      expect(left).toHaveLength(1)
      for (const { row } of [ada, bob]) {
        await h.db.update(users).set({ role: 'admin' }).where(eq(users.id, row.id))
      }
    }
  })

  test('end a session everywhere at once, wherever it was used before', async () => {
    const ada = await h.signedIn()
    for (let round = 0; round < ROUNDS; round++) {
      const other = await h.session(ada.row.id)
      const before = await many(INSTANCES, (i) => askAt(i, other, 'GET', '/api/settings'))
      expect(sorted(before)).toEqual(times(INSTANCES, 200))
      expect((await askAt(round, ada, 'DELETE', '/api/auth/sessions')).status).toBe(200)
      const after = await many(INSTANCES, (i) => askAt(i, other, 'GET', '/api/settings'))
      expect(sorted(after)).toEqual(times(INSTANCES, 401))
    }
  })
})

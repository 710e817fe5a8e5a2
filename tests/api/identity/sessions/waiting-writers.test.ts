import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { createApp } from '../../../../src/app'
import { connect } from '../../../../src/db/client'
import { sessions, todos } from '../../../../src/db/schema'
import { type Actor, PASSWORD } from '../../../support/harness'
import { lockWaiters } from '../../../support/locks'
import { until } from '../../../support/service'
import { sharedWith } from '../../../support/sharing'
import { useHarness } from '../../../support/use-harness'
import { useSql } from '../../../support/use-sql'

const CONNECTIONS = 8
const ROUNDS = 30
/** Of the connections of the app under test. */
const NAME = 'waiting writers'
const ENDED = { detail: 'Session has been revoked or expired' }

const h = useHarness()
const holder = useSql(h)
const watcher = useSql(h)
let admin: Actor
let database: ReturnType<typeof connect>
let app: ReturnType<typeof createApp>
beforeAll(async () => {
  admin = await h.signedIn({ role: 'admin' })
})
beforeEach(() => {
  // A waiting writer keeps a connection: the end of the session needs another, however many the suite runs with.
  database = connect(h.url, { pool: CONNECTIONS, applicationName: NAME })
  app = createApp({ ...h.deps, db: database.db })
})
afterEach(() => database.close())

async function send(cookie: string, method: string, path: string, body?: object) {
  const json = { 'content-type': 'application/json' }
  const response = await app.fetch(
    new Request(`http://localhost${path}`, {
      method,
      headers: { cookie: `session=${cookie}`, ...(body && json) },
      ...(body && { body: JSON.stringify(body) }),
    }),
  )
  const text = await response.text()
  return { status: response.status, body: text ? JSON.parse(text) : undefined }
}
const write = (cookie: string) => send(cookie, 'POST', '/api/todos', { title: 'T' })
const logout = (cookie: string) => send(cookie, 'POST', '/api/auth/logout')

const isRevoked = async (id: string) =>
  (await h.db.select().from(sessions).where(eq(sessions.id, id)))[0]?.revoked ?? true

interface Ending {
  readonly how: string
  /** What ends the session of `ada`, who is signed in elsewhere too. */
  readonly end: (ada: Actor, elsewhere: string) => ReturnType<typeof send>
  /** Whether it waits for the row of the user, and so comes before a writer that waits behind it. */
  readonly waits: boolean
}

/** Something that an administrator, just signed in, does to the user. */
async function administer(ada: Actor, method: string, action: string, body?: object) {
  const { token } = await h.session(admin.row.id)
  return send(token, method, `/api/admin/users/${ada.row.id}${action}`, body)
}
const activate = (ada: Actor, is_active: boolean) => administer(ada, 'PUT', '/active', { is_active })
const ENDINGS: readonly Ending[] = [
  { how: 'signing out', end: (ada) => logout(ada.token), waits: false },
  {
    how: 'signing out all others',
    end: (_, elsewhere) => send(elsewhere, 'DELETE', '/api/auth/sessions'),
    waits: true,
  },
  {
    how: 'changing the password elsewhere',
    end: (_, elsewhere) =>
      send(elsewhere, 'POST', '/api/auth/change-password', {
        old_password: PASSWORD,
        new_password: 'a whole new password',
      }),
    waits: true,
  },
  { how: 'deactivation', end: (ada) => activate(ada, false), waits: true },
  { how: 'deletion', end: (ada) => administer(ada, 'DELETE', ''), waits: true },
]

test.each(ENDINGS)(
  'a session that $how ended while its writer waited for the row of the user is refused, and writes nothing',
  async ({ end, waits }) => {
    const ada = await h.signedIn()
    const { token: elsewhere } = await h.session(ada.row.id)
    const { ended, written } = await holder.begin(async (sql) => {
      await sql`select 1 from users where id = ${ada.row.id} for no key update`
      if (waits) {
        const first = end(ada, elsewhere)
        await lockWaiters(watcher)
        const second = write(ada.token)
        await lockWaiters(watcher, 2)
        return { ended: first, written: second }
      }
      const first = write(ada.token)
      await lockWaiters(watcher)
      const second = end(ada, elsewhere)
      await second
      return { ended: second, written: first }
    })
    expect((await ended).status).toBeWithin(200, 205)
    expect(await written).toEqual({ status: 401, body: ENDED })
    expect(await isRevoked(ada.sid)).toBe(true)
    expect(await h.db.$count(todos, eq(todos.userId, ada.row.id))).toBe(0)
  },
)

test('a session that ended while its writer waited for the last of several users is refused', async () => {
  const { bob, calendar } = await sharedWith(h, 'write')
  const event = { title: 'Choir', start_at: '2026-03-10T09:00', end_at: '2026-03-10T10:00' }
  const { written } = await holder.begin(async (sql) => {
    await sql`select 1 from users where id = ${bob.row.id} for no key update`
    const writing = send(bob.token, 'POST', '/api/events', { ...event, calendar_id: calendar.id })
    await lockWaiters(watcher)
    await logout(bob.token)
    return { written: writing }
  })
  expect(await written).toEqual({ status: 401, body: ENDED })
})

describe('while a write of the same session goes on', () => {
  /** What `act` answers while a todo of `ada` is being written, and that todo's status after it. */
  async function whileWriting<T>(ada: Actor, act: () => Promise<T>) {
    const { written, done } = await holder.begin(async (sql) => {
      await sql`lock table todos in share mode`
      const writing = write(ada.token)
      await lockWaiters(watcher)
      return { written: writing, done: await act() }
    })
    const { status } = await written
    return { status, done }
  }

  test('signing out revokes it at once', async () => {
    const ada = await h.signedIn()
    const { status, done } = await whileWriting(ada, async () => {
      const answered = await logout(ada.token)
      return [answered.status, await isRevoked(ada.sid)]
    })
    expect([status, done]).toEqual([201, [200, true]])
  })

  test('it slides at once', async () => {
    const ada = await h.signedIn()
    const own = eq(sessions.id, ada.sid)
    const { status, done } = await whileWriting(ada, async () => {
      await h.db
        .update(sessions)
        .set({ lastSeenAt: new Date(0) })
        .where(own)
      const answered = await send(ada.token, 'GET', '/api/settings')
      return [answered.status, (await h.db.select().from(sessions).where(own))[0]?.lastSeenAt]
    })
    expect([status, done]).toEqual([201, [200, h.clock.now()]])
  })
})

/** Deadlocks that the database has ended, also those after which a transaction ran again: its servers tell at the latest as they end. */
async function deadlocks(): Promise<number> {
  await database.close()
  const servers = () =>
    watcher`select 1 from pg_stat_activity where datname = current_database() and application_name = ${NAME}`
  await until(async () => (await servers()).length === 0)
  const [row] = await watcher`select deadlocks from pg_stat_database where datname = current_database()`
  return Number(row?.['deadlocks'])
}

test('writers, sliding sessions, sign-outs and revocations at once deadlock in no round, and each write is done or refused', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const ada = await h.signedIn()
    const others = [await h.session(ada.row.id), await h.session(ada.row.id), await h.session(ada.row.id)]
    const [second, third, fourth] = others.map(({ token }) => token)
    // All of them are due to slide.
    h.clock.advance({ minutes: 11 })
    const tokens = [ada.token, ...others.map(({ token }) => token)]
    const answers = await Promise.all([
      ...tokens.flatMap((token) => [write(token), send(token, 'GET', '/api/todos')]),
      logout(second ?? ''),
      send(third ?? '', 'DELETE', '/api/auth/sessions'),
      activate(ada, round % 2 === 0),
      ...tokens.map(write),
      logout(fourth ?? ''),
    ])
    for (const { status, body } of answers) {
      if (status === 401) expect([ENDED.detail, 'User not found or inactive']).toContain(body.detail)
      else expect(status).toBeWithin(200, 205)
    }
    const created = answers.filter(({ status }) => status === 201).length
    expect(await h.db.$count(todos, eq(todos.userId, ada.row.id))).toBe(created)
    const alive = and(eq(sessions.userId, ada.row.id), eq(sessions.revoked, false))
    if (round % 2 === 1) expect(await h.db.$count(sessions, alive)).toBe(0)
  }
  expect(await deadlocks()).toBe(0)
}, 60_000)

test('a sign-out while its account is being deleted waits for that, and neither deadlocks', async () => {
  const ada = await h.signedIn()
  const { token } = await h.session(ada.row.id)
  const answers = await holder.begin(async (sql) => {
    await sql`select 1 from sessions where id = ${ada.sid} for update`
    const deleting = administer(ada, 'DELETE', '')
    await lockWaiters(watcher)
    const ending = logout(token)
    await lockWaiters(watcher, 2)
    return [deleting, ending]
  })
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200])
  expect(await deadlocks()).toBe(0)
})

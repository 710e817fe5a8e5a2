import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type postgres from 'postgres'
import { administer, freshDatabaseUrl } from '../support/database'
import { type Actor, type Harness, startHarness } from '../support/harness'
import { hasPgBouncer, startPgBouncer } from '../support/pgbouncer'
import { befriend, person } from '../support/inviting'
import { type Service, startService } from '../support/service'

/** `bun run faults` runs more and longer rounds. */
const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 2)
const WRITES = ROUNDS > 2 ? 10_000 : 1500
const WRITERS = 8
const USERS = 4
const POLL_MS = 2

setDefaultTimeout(Math.max(600_000, ROUNDS * 180_000))

const ENV = { SECRET_KEYS: 'k1:tests-tests-tests-tests-tests-tests', AUTH_RATE_LIMIT: 'off' }

const stack = new AsyncDisposableStack()
let h: Harness
let instances: readonly Service[]
let people: readonly Actor[]
let owners: readonly Owner[]

beforeAll(async () => {
  h = stack.use(await startHarness())
  // The sessions that the harness makes must hold today.
  h.clock.advance({ ms: Date.now() - h.clock.now().getTime() })
  const direct = { ...ENV, DATABASE_URL: h.url }
  const pooler = hasPgBouncer && stack.use(await startPgBouncer(h.url, { maxPreparedStatements: 100 }))
  const pooled = pooler ? { ...ENV, DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: h.url } : direct
  instances = await Promise.all([direct, direct, pooled].map((env) => startService({ env })))
  for (const instance of instances) stack.use(instance)
  const friends = []
  for (let i = 0; i < USERS; i++) friends.push(await person(h))
  for (const friend of friends)
    await befriend(
      h,
      friend,
      friends.filter((one) => one !== friend),
    )
  people = friends
  const made: Owner[] = []
  for (const [i, owner] of people.entries()) {
    const { id } = (await owner.request('POST', '/api/calendars', { body: { name: 'Shared' } })).body
    const reader = people[(i + 1) % USERS] as Actor
    const shared = { user_id: reader.row.id, permission: 'read' }
    const member = (await owner.request('POST', `/api/calendars/${id}/members`, { body: shared })).body
    await reader.request('PUT', `/api/calendars/invites/${member.id}/accept`)
    const own = (await owner.request('POST', '/api/calendars', { body: { name: 'Own' } })).body
    made.push({ id: owner.row.id, calendars: [id, own.id] })
  }
  owners = made
})
afterAll(() => stack.disposeAsync())

const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)] as T

type Sql = postgres.TransactionSql

/**
 * What a writer does with one owner's things, in rows of its own. Invitations move the scopes of their guests as well. A
 * transaction keeps to one owner, as the service locks the owners of what it writes.
 */
const ACTS: ReadonlyArray<(tx: Sql, own: Rows) => Promise<unknown>> = [
  async (tx, { owner, reminders }) => {
    const [row] = await tx`
      insert into reminders (user_id, title, time_zone, created_at, updated_at)
      values (${owner.id}, ${crypto.randomUUID()}, 'UTC', now(), now()) returning id`
    reminders.push(row?.['id'])
  },
  (tx, { reminders }) =>
    tx`update reminders set title = ${crypto.randomUUID()}, version = version + 1 where id = ${pick(reminders) ?? 0}`,
  (tx, { reminders }) => tx`delete from reminders where id = ${pick(reminders) ?? 0}`,
  async (tx, { owner, events }) => {
    const [row] = await tx`
      insert into events (calendar_id, title, all_day, start_date, end_date, last_end_date, created_at, updated_at)
      values (${pick(owner.calendars)}, ${crypto.randomUUID()}, true, '2027-03-05', '2027-03-05', '2027-03-05', now(), now())
      returning id`
    events.push(row?.['id'])
  },
  (tx, { events }) =>
    tx`update events set title = ${crypto.randomUUID()}, version = version + 1 where id = ${pick(events) ?? 0}`,
  (tx, { owner, events }) => tx`
    update events set calendar_id = ${pick(owner.calendars)}, version = version + 1 where id = ${pick(events) ?? 0}`,
  (tx, { events }) => tx`delete from events where id = ${pick(events) ?? 0}`,
  (tx, { events }) => tx`
    insert into event_invitations (event_id, user_id, created_at, updated_at)
    select events.id, ${pick(people).row.id}, now(), now() from events where id = ${pick(events) ?? 0}
    on conflict do nothing`,
  (tx, { events }) => tx`delete from event_invitations where event_id = ${pick(events) ?? 0}`,
]

interface Owner {
  readonly id: number
  /** Two of theirs, of which another user may read the first. */
  readonly calendars: readonly number[]
}

interface Rows {
  readonly owner: Owner
  readonly reminders: number[]
  readonly events: number[]
}

class Undone extends Error {}

/** Transactions of a few writes with pauses, some of which are rolled back, as a whole or to a savepoint. */
async function write(sql: postgres.Sql, writes: number): Promise<void> {
  const mine = owners.map((owner): Rows => ({ owner, reminders: [], events: [] }))
  for (let done = 0; done < writes;) {
    const some = 1 + Math.floor(Math.random() * 4)
    const own = pick(mine)
    const act = async (tx: Sql) => {
      await pick(ACTS)(tx, own)
      if (Math.random() < 0.3) await tx`select pg_sleep(${Math.random() * 0.012})`
    }
    const transaction = sql.begin(async (tx) => {
      await tx`select from users where id = ${own.owner.id} for no key update`
      for (let i = 0; i < some; i++) {
        if (Math.random() < 0.2) await tx.savepoint((inner) => undone(act(inner))).catch(unlessUndone)
        else await act(tx)
      }
      if (Math.random() < 0.15) throw new Undone()
    })
    await transaction.catch(unlessUndone)
    done += some
  }
}

const undone = async (act: Promise<unknown>): Promise<never> => {
  await act
  throw new Undone()
}

const unlessUndone = (error: unknown) => {
  if (!(error instanceof Undone)) throw error
}

/** A client that applies pages of changes. */
class Copy {
  readonly items = new Map<string, { readonly parent: string | null; readonly text: string }>()
  #since: string | undefined
  readonly #reader: Actor

  constructor(reader: Actor) {
    this.#reader = reader
  }

  /** Reads one page from some instance. Returns whether there are more. */
  async poll(): Promise<boolean> {
    const limit = pick([1, 3, 20, 500])
    const query = this.#since === undefined ? '' : `&since=${encodeURIComponent(this.#since)}`
    const response = await pick(instances).fetch(`/api/changes?limit=${limit}${query}`, {
      headers: { cookie: `session=${this.#reader.token}` },
    })
    const page = await response.json()
    expect([response.status, page.detail]).toEqual([200, undefined])
    for (const { type, id, op, parent_id, item } of page.changes) {
      if (op === 'put') {
        const parent = type === 'event' && parent_id !== null ? `calendar ${parent_id}` : null
        this.items.set(`${type} ${id}`, { parent, text: JSON.stringify(item) })
      } else this.#remove(`${type} ${id}`)
    }
    this.#since = page.next
    return page.has_more
  }

  #remove(key: string): void {
    this.items.delete(key)
    for (const [child, { parent }] of this.items) if (parent === key) this.items.delete(child)
  }

  /** Ends a run of pages that has begun, which may end before the latest change, and reads another one. */
  async catchUp(): Promise<this> {
    for (let runs = 0; runs < 2; runs++) while (await this.poll());
    return this
  }

  sorted = () => [...this.items].toSorted(([a], [b]) => (a < b ? -1 : 1))
}

test(`${ROUNDS} times ${WRITES} writes by ${WRITERS} writers: whoever polls meanwhile ends with exactly what there is`, async () => {
  // A long transaction elsewhere in the cluster has a transaction id, and delays nobody.
  await using elsewhere = await freshDatabaseUrl()
  const long = administer(elsewhere.url)
  const transaction = await long.reserve()
  await transaction`begin`
  await transaction`insert into job_runs (job, last_run_at) values ('long', now())`
  const writers = Array.from({ length: WRITERS }, () => administer(h.url))
  const copies = people.map((reader) => new Copy(reader))
  for (let round = 0; round < ROUNDS; round++) {
    const over = new AbortController()
    const polling = copies.map(async (copy) => {
      while (!over.signal.aborted) {
        await copy.poll()
        await Bun.sleep(POLL_MS)
      }
    })
    try {
      await Promise.all(writers.map((sql) => write(sql, WRITES / WRITERS)))
    } finally {
      over.abort()
    }
    await Promise.all(polling)
    for (const [i, copy] of copies.entries()) {
      await copy.catchUp()
      const whole = await new Copy(people[i] as Actor).catchUp()
      expect(copy.sorted()).toEqual(whole.sorted())
      expect(copy.items.size).toBeGreaterThan(WRITES / 50)
    }
  }
  await transaction`rollback`
  transaction.release()
  await Promise.all([long, ...writers].map((sql) => sql.end({ timeout: 5 })))
  const rows = administer(h.url)
  const [left] =
    await rows`select (select count(*) from sync_pending) + (select count(*) from sync_marks) as count`
  await rows.end({ timeout: 5 })
  expect(Number(left?.['count'])).toBe(0)
})

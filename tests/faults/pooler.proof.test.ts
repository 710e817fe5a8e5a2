import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { MIGRATIONS } from '../../src/adapters/migrations-folder'
import { administer, freshDatabaseUrl } from '../support/database'
import { needing } from '../support/needing'
import { hasPgBouncer, startPgBouncer } from '../support/pgbouncer'
import { blockOf } from '../support/readme'
import { outline } from '../support/scenario/outline'
import { type Answer, overFetch, play, type Transport } from '../support/scenario/play'
import { METRICS_TOKEN } from '../support/scenario/steps'
import { type Service, startService, until } from '../support/service'

setDefaultTimeout(60_000)

const ENV = {
  SECRET_KEYS: 'k1:faults-faults-faults-faults-faults',
  LOGIN_FAILURE_FLOOR_MS: '0',
  TIME_ZONE: 'Europe/Berlin',
  METRICS_TOKEN,
}
const now = () => new Date()

/** Each request goes to the next of them. */
function inTurn(services: readonly Service[]): Transport {
  const transports = services.map(({ url }) => overFetch(url))
  let turn = 0
  return (sent) => (transports[turn++ % transports.length] as Transport)(sent)
}

const stack = new AsyncDisposableStack()
let direct: Promise<readonly Answer[]>

/** What a service without a pooler answers. */
async function answersOfOne() {
  await using database = await freshDatabaseUrl()
  await using service = await startService({ env: { ...ENV, DATABASE_URL: database.url } })
  return await play({ transport: overFetch(service.url), now })
}

interface Pooled {
  readonly prepare: boolean
  readonly maxPreparedStatements: number
}

/** Two services, started at once on an empty database behind one PgBouncer. */
async function startPooled({ prepare, maxPreparedStatements }: Pooled) {
  const database = stack.use(await freshDatabaseUrl({ migrated: false }))
  const admin = administer(database.url)
  stack.defer(() => admin.end({ timeout: 5 }))
  // Where the service counted on the zone of its connections, this one would show.
  await admin.unsafe(`alter database ${database.name} set timezone = 'Pacific/Auckland'`)
  const pooler = stack.use(await startPgBouncer(database.url, { maxPreparedStatements }))
  const env = {
    ...ENV,
    DATABASE_URL: pooler.url,
    DATABASE_DIRECT_URL: database.url,
    DATABASE_PREPARE: String(prepare),
  }
  const services = await Promise.all([startService({ env }), startService({ env })])
  for (const service of services) stack.use(service)
  return { services, admin, pooler }
}

/** The cookie of somebody new. */
async function signedUp(service: Service, username: string, path = '/api/auth/register'): Promise<string> {
  const answered = await service.post(path, {
    username,
    password: 'correct horse battery',
    email: `${username}@example.com`,
    date_of_birth: '1990-02-28',
  })
  expect(answered.status).toBe(200)
  return answered.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

needing('PgBouncer 1.21 or newer', hasPgBouncer).describe('a service and PgBouncer', () => {
  beforeAll(() => {
    direct = answersOfOne()
    direct.catch(() => {})
  })
  afterAll(() => stack.disposeAsync())

  describe.each([
    { prepare: true, maxPreparedStatements: 100 },
    { prepare: false, maxPreparedStatements: 0 },
  ])('behind a PgBouncer in transaction mode, with DATABASE_PREPARE=$prepare,', (pooled) => {
    let running: Awaited<ReturnType<typeof startPooled>>
    beforeAll(async () => void (running = await startPooled(pooled)))

    test('services that start at once migrate past it, each migration once, and leave no lock', async () => {
      const { admin } = running
      const known = readMigrationFiles({ migrationsFolder: MIGRATIONS }).map(({ hash }) => hash)
      const applied = await admin`select hash from drizzle.__drizzle_migrations order by created_at`
      expect(applied.map((row) => String(row['hash']))).toEqual(known)
      const locks = await admin`
          select 1 from pg_locks join pg_database on pg_database.oid = database
          where locktype = 'advisory' and datname = current_database()`
      expect([...locks]).toEqual([])
    })

    test('two of them answer the scenario in turns as one does without it', async () => {
      const found = await play({ transport: inTurn(running.services), now })
      expect(found.map(outline)).toEqual((await direct).map(outline))
    })

    test('two hundred at once each get their own answer, over three connections to the database', async () => {
      const { services } = running
      const cookies = await Promise.all(
        Array.from({ length: 20 }, (_, i) => signedUp(services[i % 2] as Service, `many${i}`)),
      )
      const rounds = Array.from({ length: 10 }, () => cookies).flat()
      const names = await Promise.all(
        rounds.map(async (cookie, i) => {
          const service = services[i % 2] as Service
          const answered = await service.fetch('/api/settings', { headers: { cookie } })
          return [answered.status, (await answered.json()).network_name]
        }),
      )
      expect(names).toEqual(rounds.map((_, i) => [200, `many${i % 20}`]))
    })

    test('waits for a lock end by the lock timeout, as every transaction brings its timeouts', async () => {
      const { services, admin } = running
      const [service] = services
      const cookie = await signedUp(service, 'locked')
      const refused = await admin.begin(async (tx) => {
        await tx`select 1 from users where username = 'locked' for update`
        return await service.fetch('/api/settings', {
          method: 'PUT',
          headers: { cookie, 'content-type': 'application/json' },
          body: '{"first_name": "Late"}',
        })
      })
      expect(refused.status).toBe(503)
      await until(() => service.stdout.includes('"database_code":"55P03"'))
    })
  })

  test('what was acknowledged is kept, also by a PgBouncer that forgets the prepared statements it is sent', async () => {
    const { services, admin } = await startPooled({ prepare: true, maxPreparedStatements: 0 })
    const cookie = await signedUp(services[0], 'ada', '/api/auth/setup')
    const titles: string[] = []
    const writeAll = async (writer: number) => {
      for (let i = 0; i < 20; i++) {
        const title = `${writer} ${i}`
        const service = services[i % 2] as Service
        if ((await service.post('/api/todos', { title }, { cookie })).status === 201) titles.push(title)
      }
    }
    await Promise.all([1, 2, 3, 4].map(writeAll))
    const found = await admin`select title from todos`
    expect(titles.length).toBeGreaterThan(0)
    expect(found.map((row) => String(row['title'])).toSorted()).toEqual(titles.toSorted())
  })

  test('the role of the deployment guide brings the timeouts of single statements through the pooler', async () => {
    await using database = await freshDatabaseUrl()
    const admin = administer(database.url)
    const role = `organiser_${database.name}`
    await admin.unsafe(`create role ${role} login password 'of-the-tests'`)
    try {
      const block = await blockOf('deployment', 'sql')
      await admin.unsafe(block.replaceAll('alter role organiser ', `alter role ${role} `))
      await using pooler = await startPgBouncer(database.url, {
        maxPreparedStatements: 100,
        roles: { [role]: 'of-the-tests' },
      })
      const url = new URL(pooler.url)
      Object.assign(url, { username: role, password: 'of-the-tests' })
      const sql = administer(url.href)
      const rows = await sql`
        select name, setting from pg_settings where name like '%\\_timeout' and source = 'user' order by name`
      await sql.end({ timeout: 5 })
      expect(rows.map(({ name, setting }) => `${name} ${setting}`)).toEqual([
        'idle_in_transaction_session_timeout 10000',
        'lock_timeout 2000',
        'statement_timeout 5000',
      ])
    } finally {
      await admin.unsafe(`drop role if exists ${role}`)
      await admin.end({ timeout: 5 })
    }
  })
})

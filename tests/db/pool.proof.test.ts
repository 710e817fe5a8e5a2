import { afterAll, beforeAll, expect, test } from 'bun:test'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { sql } from 'drizzle-orm'
import { connect } from '../../src/db/client'
import { prepared } from '../../src/db/prepared'
import { inTransaction } from '../../src/db/transaction'
import { administer, freshDatabaseUrl } from '../support/database'

let database: Awaited<ReturnType<typeof freshDatabaseUrl>>
let admin: ReturnType<typeof administer>
beforeAll(async () => {
  database = await freshDatabaseUrl()
  admin = administer(database.url)
  await admin`create table counted (id integer primary key, count integer not null)`
  await admin`insert into counted select id, 0 from generate_series(0, 7) id`
})
afterAll(async () => {
  await admin.end({ timeout: 5 })
  await database[Symbol.asyncDispose]()
})

/** A pool on the test's database, closed at the end of the test. */
function open(options: Parameters<typeof connect>[1]) {
  const { db, close } = connect(database.url, options)
  return { db, close, [Symbol.asyncDispose]: close }
}

const pidOf = prepared((db) =>
  db
    .select({ pid: sql<number>`pg_backend_pid()` })
    .from(sql`(select ${sql.placeholder('unused')}::text) as one`)
    .prepare('tests_pid'),
)

/** Waits for the row that the test has locked. */
const readLocked = prepared((db) =>
  db
    .select({ id: sql<number>`id` })
    .from(sql`(select id from counted where id = ${sql.placeholder('id')} for update) as locked`)
    .prepare('tests_read_locked'),
)

test('none of 20 000 statements fails while their connections retire twice a second', async () => {
  await using pool = open({ pool: 3, lifetimeMs: 500 })
  const { db } = pool
  const backends = new Set<number>()
  const failures: unknown[] = []
  let left = 20_000
  const works = [
    async () => backends.add((await pidOf(db).execute({ unused: '' }))[0]?.pid ?? 0),
    (worker: number) => db.execute(sql`update counted set count = count + 1 where id = ${worker}`),
    (worker: number) =>
      inTransaction(db, async (tx) => {
        await tx.execute(sql`update counted set count = count + 1 where id = ${worker}`)
        await tx.execute(sql`select pg_backend_pid()`)
      }),
  ]
  let written = 0
  const work = async (worker: number) => {
    while (left > 0) {
      const kind = left-- % works.length
      await works[kind]?.(worker).then(
        () => (written += kind === 0 ? 0 : 1),
        (error: unknown) => failures.push(error),
      )
    }
  }
  await Promise.all(Array.from({ length: 8 }, (_, worker) => work(worker)))
  expect(failures).toEqual([])
  const [{ total } = { total: 0 }] = await admin<{ total: number }[]>`
    select sum(count)::integer as total from counted`
  expect(total).toBe(written)
  expect(backends.size).toBeGreaterThan(6)
})

test('statements that start at the same moment run on connections of their own', async () => {
  await using pool = open({ pool: 4 })
  const started = Array.from({ length: 4 }, () => pidOf(pool.db).execute({ unused: '' }))
  const pids = (await Promise.all(started)).map(([row]) => row?.pid)
  expect(new Set(pids).size).toBe(4)
})

test('a statement that waits holds up none that starts at the same moment', async () => {
  await using pool = open({ pool: 3 })
  const holder = await admin.reserve()
  await holder`begin`
  await holder`select id from counted where id = 1 for update`
  let hasAnswered = false
  const waiting = readLocked(pool.db)
    .execute({ id: 1 })
    .finally(() => (hasAnswered = true))
  const other = await pidOf(pool.db).execute({ unused: '' })
  expect(other).toHaveLength(1)
  expect(hasAnswered).toBe(false)
  await holder`rollback`
  holder.release()
  expect(await waiting).toEqual([{ id: 1 }])
})

test('statements of one transaction that start together run one after the other, on its connection', async () => {
  await using pool = open({ pool: 4 })
  const pids = await inTransaction(pool.db, (tx) =>
    Promise.all(
      Array.from({ length: 4 }, () => tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)),
    ),
  )
  expect(new Set(pids.map(([row]) => row?.pid)).size).toBe(1)
})

test('a statement that outlives its transaction is refused and touches nothing', async () => {
  await using pool = open({ pool: 1 })
  const escaped = await inTransaction(pool.db, async (tx) => ({
    late: () => tx.execute(sql`update counted set count = -1`),
  }))
  expect(String(await escaped.late().catch((error: Error) => error.cause))).toContain('has ended')
  expect(await admin`select 1 from counted where count = -1`).toHaveLength(0)
})

test('a transaction whose failed statement is ignored reports that it was rolled back', async () => {
  await using pool = open({ pool: 1 })
  const ignoring = inTransaction(pool.db, async (tx) => {
    await tx.execute(sql`update counted set count = -2`)
    await tx.execute(sql`select 1 / 0`).catch(() => {})
  })
  await expect(ignoring).rejects.toThrow('the transaction was rolled back')
  expect(await admin`select 1 from counted where count = -2`).toHaveLength(0)
  expect(await pidOf(pool.db).execute({ unused: '' })).toHaveLength(1)
})

test('what a nested transaction wrote goes with it alone', async () => {
  await using pool = open({ pool: 1 })
  await inTransaction(pool.db, async (tx) => {
    await tx.execute(sql`update counted set count = -5 where id = 5`)
    const nested = tx.transaction(async (inner) => {
      await inner.execute(sql`update counted set count = -6 where id in (5, 6)`)
      await inner.transaction((inmost) => inmost.execute(sql`update counted set count = -7 where id = 7`))
      await inner.execute(sql`select 1 / 0`)
    })
    expect(await nested.catch(() => 'failed')).toBe('failed')
    await tx.transaction((inner) => inner.execute(sql`update counted set count = -6 where id = 6`))
  })
  const rows = await admin`select count from counted where id in (5, 6, 7) and count < 0 order by id`
  expect(rows.map(({ count }) => count)).toEqual([-5, -6])
})

test('a closed pool hands nothing out, and refuses those who wait', async () => {
  const pool = open({ pool: 1 })
  const holder = await admin.reserve()
  await holder`begin`
  await holder`select id from counted where id = 2 for update`
  const running = readLocked(pool.db).execute({ id: 2 })
  const waiting = pidOf(pool.db)
    .execute({ unused: '' })
    .catch((error: Error) => error.message)
  const closed = pool.close()
  expect(await waiting).toBe('the pool is closed')
  expect(
    await pidOf(pool.db)
      .execute({ unused: '' })
      .catch((error: Error) => error.message),
  ).toBe('the pool is closed')
  await holder`rollback`
  holder.release()
  expect(await running).toEqual([{ id: 2 }])
  await closed
  const left = await admin`
    select 1 from pg_stat_activity where datname = current_database() and application_name = 'organiser'`
  expect(left).toHaveLength(0)
})

test('a transaction that runs while the pool closes is committed', async () => {
  const pool = open({ pool: 1 })
  let closed: Promise<void> | undefined
  await inTransaction(pool.db, async (tx) => {
    await tx.execute(sql`update counted set count = -3 where id = 3`)
    closed = pool.close()
    await tx.execute(sql`update counted set count = count - 1 where id = 3`)
  })
  await closed
  const [row] = await admin`select count from counted where id = 3`
  expect(row).toEqual({ count: -4 })
})

const FAILS_AT_THE_THIRD = sql`select 1 / (3 - n) as one from generate_series(1, 5) n`

test('a statement that fails among its rows leaves none of them in the answer of the next', async () => {
  await using pool = open({ pool: 1 })
  const { db } = pool
  const next = () => db.execute(sql`select n from generate_series(1, 2) n`)
  const rows = [{ n: 1 }, { n: 2 }]
  expect([...(await next())]).toEqual(rows)

  expect(await db.execute(FAILS_AT_THE_THIRD).catch(() => 'failed')).toBe('failed')
  expect([...(await next())]).toEqual(rows)

  const transaction = inTransaction(db, (tx) => tx.execute(FAILS_AT_THE_THIRD))
  expect(await transaction.catch(() => 'failed')).toBe('failed')
  expect([...(await next())]).toEqual(rows)

  await inTransaction(db, async (tx) => {
    const nested = tx.transaction((inner) => inner.execute(FAILS_AT_THE_THIRD))
    expect(await nested.catch(() => 'failed')).toBe('failed')
    expect([...(await tx.execute(sql`select n from generate_series(1, 2) n`))]).toEqual(rows)
  })
})

test('a connection that the server ends is replaced, and what ran on it fails', async () => {
  await using pool = open({ pool: 1 })
  const [first] = await pidOf(pool.db).execute({ unused: '' })
  const ended = pool.db.execute(sql`select pg_terminate_backend(pg_backend_pid())`)
  expect(await ended.then(String, () => 'failed')).toBe('failed')
  const [second] = await pidOf(pool.db).execute({ unused: '' })
  expect(second?.pid).not.toBe(first?.pid)
})

test('statements are prepared where their name asks for it, in transactions too, and no others', async () => {
  await using pool = open({ pool: 1 })
  for (let i = 0; i < 3; i++) await pool.db.execute(sql`select ${i}::integer as unnamed`)
  await inTransaction(pool.db, (tx) => pidOf(tx).execute({ unused: '' }))
  const kept = await pool.db.execute<{ statement: string }>(
    sql`select statement from pg_prepared_statements where statement like 'select%'`,
  )
  expect(kept.map(({ statement }) => statement)).toEqual([
    'select pg_backend_pid() from (select $1::text) as one',
  ])
})

test('nothing is prepared where a pooler cannot keep it', async () => {
  await using pool = open({ pool: 1, prepare: false })
  await pidOf(pool.db).execute({ unused: '' })
  expect(await pool.db.execute(sql`select 1 from pg_prepared_statements`)).toHaveLength(0)
})

/** A pool fails a statement on a server that does so with whoever connects; the pool is closed then, and the server is not. */
async function failOn(serve: (socket: Socket) => void) {
  const server = createServer(serve).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { db, close } = connect(`postgres://x:y@127.0.0.1:${port}/x`, { pool: 1 })
  expect(String(await db.execute(sql`select 1`).catch((error: Error) => error.cause))).toContain(
    'the database gave no answer',
  )
  await close()
  return server
}

test('a server that hangs up on everybody fails a statement, and is left alone afterwards', async () => {
  let attempts = 0
  const server = await failOn((socket) => {
    attempts += 1
    socket.end()
  })
  // The driver may be about to try once more.
  await Bun.sleep(50)
  const before = attempts
  await Bun.sleep(200)
  expect(attempts).toBe(before)
  server.close()
})

test('a server that lets everybody in and then is silent fails a statement, and leaves no rejection that nobody handles', async () => {
  // AuthenticationOk and ReadyForQuery.
  const welcome = Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I')
  const server = await failOn((socket) => {
    socket.once('data', () => socket.write(welcome))
  })
  // The driver gives up what runs a moment later; what it rejects unhandled fails the test.
  await Bun.sleep(50)
  server.close()
})

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type SQL, sql } from 'drizzle-orm'
import { systemClock } from '../../src/adapters/clock'
import { connect } from '../../src/db/client'
import { administer, freshDatabaseUrl } from '../support/database'

let database: Awaited<ReturnType<typeof freshDatabaseUrl>>
beforeAll(async () => void (database = await freshDatabaseUrl()))
afterAll(() => database[Symbol.asyncDispose]())

/** A pool of these, closed afterwards. */
function open(options: Parameters<typeof connect>[1]) {
  const { db, close } = connect(database.url, options)
  const texts = async (like: string) => {
    const rows = await db.execute<{ statement: string }>(
      sql.raw(`select statement from pg_prepared_statements where statement like '${like}'`),
    )
    return rows.map(({ statement }) => statement)
  }
  return { db, texts, [Symbol.asyncDispose]: close }
}

/** A statement of its own for every number. */
const numbered = (number: number): SQL => sql`select ${1}::integer + ${sql.raw(String(number))} as sum`

test('a statement that comes again is prepared, in a transaction too, and one that came once is not', async () => {
  await using pool = open({ pool: 1 })
  await pool.db.execute(sql`select ${1}::integer as once`)
  for (let i = 0; i < 2; i++) await pool.db.execute(sql`select ${i}::integer as again`)
  await pool.db.transaction(async (tx) => {
    for (let i = 0; i < 2; i++) await tx.execute(sql`select ${i}::integer as inside`)
  })
  expect((await pool.texts('select $1::integer as%')).toSorted()).toEqual([
    'select $1::integer as again',
    'select $1::integer as inside',
  ])
})

test('nothing is prepared where a pooler cannot keep it', async () => {
  await using pool = open({ pool: 1, prepare: false })
  for (let i = 0; i < 3; i++) await pool.db.execute(sql`select ${i}::integer as again`)
  expect(await pool.texts('select $1::integer as%')).toEqual([])
})

test('a connection keeps five hundred statements, however many come again, and none that is longer than ten thousand characters', async () => {
  await using pool = open({ pool: 1 })
  const long = sql`select ${1}::integer as a, ${sql.raw(`'${'x'.repeat(10_000)}'`)} as b`
  for (let i = 0; i < 3; i++) await pool.db.execute(long)
  for (let number = 0; number < 600; number++) {
    for (let i = 0; i < 2; i++) {
      const [row] = await pool.db.execute<{ sum: number }>(numbered(number))
      expect(row?.sum).toBe(number + 1)
    }
  }
  const kept = await pool.texts('select $1::integer%')
  expect(kept).toHaveLength(500)
  expect(kept.filter((text) => text.includes('xxx'))).toEqual([])
})

test('statements that come at once share a connection, and none waits behind one that takes its time', async () => {
  await using pool = open({ pool: 4, applicationName: 'sharing', clock: systemClock })
  const pid = async () =>
    (await pool.db.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`))[0]?.pid
  await pid()
  expect(new Set(await Promise.all(Array.from({ length: 4 }, pid))).size).toBe(1)
  const sleep = sql`select pg_backend_pid() as pid, pg_sleep(3)`
  const sleeper = pool.db.execute<{ pid: number }>(sleep).then(([row]) => row?.pid)
  const admin = administer(database.url)
  const isAsleep = async () =>
    (
      await admin`select 1 from pg_stat_activity where application_name = 'sharing' and wait_event = 'PgSleep'`
    ).length > 0
  while (!(await isAsleep())) await Bun.sleep(5)
  await admin.end({ timeout: 5 })
  const meanwhile = await pid()
  expect(await sleeper).not.toBe(meanwhile)
})

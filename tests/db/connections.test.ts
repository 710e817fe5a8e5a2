import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type SQL, sql } from 'drizzle-orm'
import { connect } from '../../src/db/client'
import { prepared } from '../../src/db/prepared'
import { freshDatabaseUrl } from '../support/database'

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

test('prepared statements of a millisecond share a connection, those of the next and all others take an idle one', async () => {
  let now = 0
  await using pool = open({ pool: 4, clock: { monotonic: () => now } })
  const backend = prepared((db) =>
    db
      .select({ pid: sql<number>`pg_backend_pid()` })
      .from(
        sql`(select ${sql.placeholder('wait')}::float8 as seconds, pg_sleep(${sql.placeholder('again')}::float8)) as slept`,
      )
      .prepare('backend'),
  )
  const prepare = async (wait = 0) => (await backend(pool.db).execute({ wait, again: wait }))[0]?.pid
  const plain = async () =>
    (await pool.db.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`))[0]?.pid
  const slow = [prepare(0.2), prepare(), prepare()]
  now += 1
  const [later, other, last] = [prepare(), plain(), plain()]
  const [first, ...sharing] = await Promise.all(slow)
  expect(sharing).toEqual([first, first])
  const others = await Promise.all([later, other, last])
  expect(new Set([first, ...others]).size).toBe(4)
})

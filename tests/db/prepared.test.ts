import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../src/db/client'
import { prepared } from '../../src/db/prepared'
import { calendars, sessions, users } from '../../src/db/schema'
import { type Harness, startHarness } from '../support/harness'

let h: Harness
beforeAll(async () => void (h = await startHarness()))
afterAll(() => h[Symbol.asyncDispose]())

const columns = {
  id: users.id,
  lockedUntil: users.lockedUntil,
  createdAt: users.createdAt,
  dateOfBirth: users.dateOfBirth,
  isActive: users.isActive,
  upper: sql<string>`upper(${users.username})`,
}
const find = prepared((db) =>
  db
    .select(columns)
    .from(users)
    .where(eq(users.username, sql.placeholder('username')))
    .prepare('tests_find'),
)

test('a prepared statement answers what Drizzle itself answers, dates and nulls included', async () => {
  await h.user({ username: 'Ada', dateOfBirth: '1990-02-28' })
  await h.user({ username: 'Bob', lockedUntil: h.clock.now(), isActive: false })
  for (const username of ['Ada', 'Bob', 'nobody']) {
    const plain = await h.db.select(columns).from(users).where(eq(users.username, username))
    expect(await find(h.db).execute({ username })).toEqual(plain)
  }
})

test('a placeholder that is given nothing is an error, and no query', () => {
  expect(find(h.db).execute({})).rejects.toThrow('the prepared statement is given no username')
})

test('rows that hold tables are those of Drizzle, null where nothing is joined', async () => {
  const ada = await h.user({ username: 'Eve', dateOfBirth: '1990-02-28' })
  await h.user({ username: 'Fay' })
  await h.session(ada.id)
  const query = (db: Db) =>
    db
      .select({
        id: users.id,
        user: users,
        own: { name: calendars.name, color: calendars.color },
        session: sessions,
      })
      .from(users)
      .innerJoin(calendars, eq(calendars.userId, users.id))
      .leftJoin(sessions, eq(sessions.userId, users.id))
      .orderBy(calendars.id)
  const plain = await query(h.db)
  expect(new Set(plain.map(({ session }) => session === null))).toEqual(new Set([true, false]))
  const statement = prepared((db) => query(db).prepare('tests_tables'))
  expect(await statement(h.db).execute()).toEqual(plain)
})

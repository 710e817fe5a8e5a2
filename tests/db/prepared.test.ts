import { expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../src/db/client'
import { prepared } from '../../src/db/prepared'
import { calendars, sessions, users } from '../../src/db/schema'
import { observed } from '../support/statements'
import { useHarness } from '../support/use-harness'

const h = useHarness()

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

test('a placeholder that is given nothing is an error, and no query', async () => {
  using statements = observed(h.db)
  await expect(find(h.db).execute({})).rejects.toThrow('the prepared statement is given no username')
  expect(statements).toHaveLength(0)
})

/** As Drizzle would be if it kept these elsewhere. */
test.each([
  ['fields', 'Drizzle tells no fields of the statement'],
  ['joinsNotNullableMap', 'Drizzle tells nothing of the joins'],
])('a Drizzle that keeps no %s is an error, and no row without columns', (name, problem) => {
  const joined = h.db
    .select({ user: users, session: sessions })
    .from(users)
    .leftJoin(sessions, eq(sessions.userId, users.id))
    .prepare('tests_unknown')
  Reflect.deleteProperty(joined, name)
  expect(() => prepared(() => joined)(h.db)).toThrow(problem)
})

test('a statement of columns whose decoders Drizzle keeps elsewhere is an error', () => {
  const selected = h.db
    .select({ upper: sql<string>`upper(${users.username})` })
    .from(users)
    .prepare('tests_unknown')
  const [first]: Array<{ field: object }> = Reflect.get(selected, 'fields')
  if (first) Reflect.set(first.field, 'decoder', undefined)
  expect(() => prepared(() => selected)(h.db)).toThrow('Drizzle tells no decoder of the SQL')
})

test('a database whose client Drizzle keeps elsewhere is an error', async () => {
  await expect(
    find(Object.create(h.db, { _: { value: { session: {} } } })).execute({ username: 'x' }),
  ).rejects.toThrow('Drizzle keeps its client elsewhere')
})

test('rows that hold tables are those of Drizzle, null where nothing is joined', async () => {
  const ada = await h.user({ username: 'Eve', dateOfBirth: '1990-02-28' })
  await h.user({ username: 'Fay' })
  await h.session(ada.id)
  const query = (db: Db | Tx) =>
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

import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { Actor } from '../../../support/harness'
import { useHarness } from '../../../support/use-harness'

const h = useHarness({ per: 'test' })

/** Deletes new todos in one operation. Returns their ids. */
const deletedTodos = (user: Actor, titles: number) =>
  h.db.transaction(async (tx) => {
    await tx.execute(sql`select set_config('organiser.operation', gen_random_uuid()::text, true)`)
    await tx.execute(sql`insert into todos (user_id, title, priority, rank, created_at, updated_at)
      select ${user.row.id}::integer, 'Todo ' || n, 'none', n, now(), now() from generate_series(1, ${titles}::integer) as n`)
    const rows = await tx.execute<{ id: number }>(
      sql`delete from todos where user_id = ${user.row.id}::integer returning id`,
    )
    return rows.map(({ id }) => id)
  })

const entriesOf = async (user: Actor): Promise<number> => {
  const [row] = await h.db.execute<{ count: number }>(
    sql`select count(*)::integer as count from history where in_trash and owner_id = ${user.row.id}::integer`,
  )
  return row?.count ?? 0
}

test('an emptying that was cut off half-way goes on when it is repeated', async () => {
  const ada = await h.signedIn()
  const [kept] = await deletedTodos(ada, 1)
  await deletedTodos(ada, 5001)
  await h.db.execute(sql`create function cut_off() returns trigger language plpgsql as $$
    begin raise exception 'cut off'; end $$`)
  await h.db.execute(sql`create trigger cut_off before delete on history for each row
    when (old.row_key = ${sql.raw(`'${kept}'`)}) execute function cut_off()`)
  const headers = { 'idempotency-key': 'empty' }
  expect((await ada.request('DELETE', '/api/trash', { headers })).status).toBe(500)
  expect(await entriesOf(ada)).toBe(1)
  await h.db.execute(sql`drop trigger cut_off on history`)
  expect((await ada.request('DELETE', '/api/trash', { headers })).status).toBe(204)
  expect(await entriesOf(ada)).toBe(0)
  await deletedTodos(ada, 2)
  const { status, headers: answered } = await ada.request('DELETE', '/api/trash', { headers })
  expect([status, answered.get('idempotency-replayed'), await entriesOf(ada)]).toEqual([204, 'true', 2])
})

test('emptying takes everything of many operations, and nothing of others', async () => {
  const [ada, bob] = [await h.signedIn(), await h.signedIn()]
  for (const user of [ada, bob]) for (const count of [3, 600, 2]) await deletedTodos(user, count)
  expect((await ada.request('DELETE', '/api/trash')).status).toBe(204)
  expect([await entriesOf(ada), await entriesOf(bob)]).toEqual([0, 605])
})

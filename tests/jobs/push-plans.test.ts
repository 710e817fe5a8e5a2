import { beforeAll, expect, test } from 'bun:test'
import { observed, rowsReadBy } from '../support/statements'
import { usePushing } from '../support/use-pushing'
import { useSql } from '../support/use-sql'

const { h } = usePushing({ per: 'file' })
const sql = useSql(h)

/** Many users, all of whom are looked at another time, with messages that were sent. */
beforeAll(async () => {
  const now = h.clock.now().toISOString()
  await sql.unsafe(`insert into users (username, network_name, password_hash, role, created_at, updated_at)
    select 'b' || n, 'b' || n, 'x', 'standard', '${now}', '${now}' from generate_series(1, 3000) n`)
  await sql.unsafe('update sync_scopes set is_new_to_push = false')
  await sql.unsafe(
    `insert into push_wakes (user_id, wake_at) select id, timestamptz '${now}' + id * interval '1 minute' from users`,
  )
  await sql.unsafe(`insert into todos (user_id, title, priority, due_date, rank, created_at, updated_at)
    select id, 't', 'none', date '2026-03-04' + n, n, '${now}', '${now}' from users, generate_series(1, 10) n`)
  await sql.unsafe(`insert into push_deliveries (user_id, key, kind, item_id, occurrence, about, title, fire_at, status, due_at, expires_at, sent_at, created_at)
    select id, 'k' || n, 'todo', n, '', '', 't', '${now}', 'sent', '${now}', '${now}', '${now}', '${now}' from users, generate_series(1, 5) n`)
  await h.db.execute('analyze')
})

const planOf = async (statement: string) =>
  (await h.db.execute<{ 'QUERY PLAN': string }>(`explain ${statement}`))
    .map((row) => row['QUERY PLAN'])
    .join('\n')

test.each([
  [
    'the next users to plan for',
    `select user_id from push_wakes where wake_at <= timestamptz '2026-03-04T09:30Z' or wake_at > timestamptz '2026-06-04T09:30Z' order by wake_at limit 500`,
    'push_wakes_wake_at_idx',
  ],
  [
    'the messages to send',
    `select id from push_deliveries where status = 'pending' and (due_at <= timestamptz '2026-03-04T09:30Z' or due_at > timestamptz '2026-03-06T09:30Z')`,
    'push_deliveries_due_at_idx',
  ],
  [
    'the todos due in a few days',
    `select * from todos where user_id = any('{1,2,3}') and completed_at is null and due_date between '2026-03-03' and '2026-03-06'`,
    'todos_due_date_idx',
  ],
])('%s are found by an index, however much is stored', async (_, statement, index) => {
  const plan = await planOf(statement)
  expect(plan).toContain(index)
  expect(plan).not.toContain('Seq Scan')
})

test('a pass in which nothing is due reads no todos, events or settings', async () => {
  await h.tick()
  using statements = observed(h.db)
  await h.tick()
  expect(statements.length).toBeGreaterThan(3)
  for (const statement of statements)
    for (const table of ['todos', 'events', 'settings'])
      if (statement.text.includes(`"${table}"`)) expect(await rowsReadBy(sql, statement, table)).toBe(0)
})

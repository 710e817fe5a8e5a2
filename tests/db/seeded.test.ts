import { beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { checkSeeded } from '../bench/large.check'
import { type Seeded, seedLarge } from '../bench/large.seed'
import { viewJournal } from '../support/journal'
import { nodesOf, observed, planOf } from '../support/statements'
import { expectTrueTallies } from '../support/tallies'
import { useHarness } from '../support/use-harness'
import { useSql } from '../support/use-sql'

setDefaultTimeout(60_000)

const h = useHarness()
const sql = useSql(h)

const USERS = 20
const POWER = { events: 1000, todos: 2000 }

let seeded: Seeded
beforeAll(async () => void (seeded = await seedLarge(h.url, USERS, POWER)))

test('the journal of a seeded database names every item in each of its scopes, and the tallies count them', async () => {
  await checkSeeded(h.url)
  const { items } = await viewJournal(h.db)
  const notes = await sql`
    select concat_ws(' ', scope_kind, scope_id, type, item) as key from sync_changes where not gone`
  expect(new Set(notes.map(({ key }) => key))).toEqual(new Set(items.keys()))
  expect(await expectTrueTallies(sql)).toBeGreaterThan(USERS * 5)
})

test('the first users of a seeded database have far more than the others, and it has no history', async () => {
  const [power] = await sql`
    select count(*)::integer as todos, (
      select count(*)::integer from events join calendars on calendars.id = calendar_id where user_id = ${seeded.firstId}
    ) as events from todos where user_id = ${seeded.firstId}`
  expect(power).toEqual(POWER)
  expect(await sql`select 1 from history`).toHaveLength(0)
})

test('an export never walks through all todos or events to find those of one who has much', async () => {
  const power = await h.session(seeded.firstId)
  using statements = observed(h.db)
  expect((await h.request('GET', '/api/export', { cookie: power.token })).status).toBe(200)
  const read = statements.filter(({ text }) => /^(?:select|with).* "(?:todos|events)"/s.test(text))
  expect(read.length).toBeGreaterThan(10)
  const walked = new Set<string>()
  for (const statement of read)
    for (const { 'Index Name': index, 'Index Cond': condition } of nodesOf(await planOf(sql, statement)))
      if (/^(?:todos|events)_pkey$/.test(index ?? '') && condition?.includes('>'))
        walked.add(`${index} ${condition}`)
  expect([...walked]).toEqual([])
})

/** What a request says that would have made the row; names, times and numbers differ. */
const KINDS = {
  todos: {
    path: '/api/todos',
    type: 'todo',
    body: `select id, json_build_object(
        'title', title, 'description', description, 'category', category, 'priority', priority, 'due_date', due_date
      ) as body from todos
      where num_nonnulls(due_date, description, category) = 3 and completed_at is null limit 1`,
  },
  events: {
    path: '/api/events',
    type: 'event',
    body: `select events.id, json_build_object(
        'calendar_id', own.id, 'title', title, 'location', location, 'all_day', false, 'time_zone', time_zone,
        'recurrence_rule', recurrence_rule, 'start_at', to_char(start_wall, 'YYYY-MM-DD"T"HH24:MI'),
        'end_at', to_char(start_wall + interval '1 hour', 'YYYY-MM-DD"T"HH24:MI')
      ) as body from events, (select max(id) as id from calendars where is_default) as own
      where num_nonnulls(recurrence_rule, location, start_at) = 3 limit 1`,
  },
} as const

test.each(['todos', 'events'] as const)(
  'a request makes the same rows and notes as the seeded %s have',
  async (table) => {
    const { path, type, body } = KINDS[table]
    const ada = await h.signedIn()
    const [wanted] = await sql.unsafe(body)
    const made = await ada.request('POST', path, { body: wanted?.['body'] })
    expect(made.status).toBe(201)
    const found = async (id: number) => [
      ...(await sql.unsafe(`
      select to_jsonb(t) - '{id,user_id,list_id,calendar_id,rank,uid,search,created_at,updated_at}'::text[] as row, (
        select json_agg(json_build_array(scope_kind, gone) order by scope_kind) from sync_changes where type = '${type}' and item = t.id
      ) as notes from ${table} t where id = ${id}`)),
    ]
    expect(await found(made.body.id)).toEqual(await found(wanted?.['id']))
  },
)

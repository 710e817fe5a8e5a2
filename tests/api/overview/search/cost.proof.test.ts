import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { PgDialect } from 'drizzle-orm/pg-core'
import postgres from 'postgres'
import { statement } from '../../../../src/features/overview/search/queries'
import { KINDS } from '../../../../src/features/overview/search/rules'
import { administer } from '../../../support/database'
import { type Actor } from '../../../support/harness'
import { find } from '../../../support/searching'
import { nodesOf, type Plan, planOf } from '../../../support/statements'
import { useHarness } from '../../../support/use-harness'

setDefaultTimeout(180_000)

const ROWS = 100_000
const TABLES = ['events', 'todos', 'reminders', 'project_tasks', 'people']
/** Those with a hundred thousand rows; to read one of a tenth of that as a whole may cost less. */
const LARGE = ['events', 'todos', 'project_tasks']

const h = useHarness()
let client: ReturnType<typeof postgres>
/** Has a hundred thousand records, most of them with words in "a". */
let rich: Actor
/** Has a handful, in tables that the other has filled. */
let poor: Actor

/** So many todos, events and tasks, and fewer of the others; of each twenty, one has "needle" in its text, one todo in its title. */
async function fill(url: string, userId: number, rows: number) {
  const admin = administer(url)
  const title = `'Apple ' || i, case when i % 20 = 0 then 'about a needle' else 'about a haystack' end`
  const times = (count: number) => `now(), now() from generate_series(1, ${count}) as i`
  const projects = rows / 1000
  const calendar = `(select id from calendars where user_id = ${userId} and is_default)`
  const day = `'2026-03-05', '2026-03-05', '2026-03-05'`
  await admin.unsafe(`
    insert into todos (user_id, title, description, priority, rank, created_at, updated_at)
      select ${userId}, ${title}, 'none', i, ${times(rows)};
    insert into todos (user_id, title, priority, rank, created_at, updated_at)
      values (${userId}, 'Needle', 'none', 0, now(), now());
    insert into events (calendar_id, title, description, all_day, start_date, end_date, last_end_date, created_at, updated_at)
      select ${calendar}, ${title}, true, ${day}, ${times(rows)};
    insert into reminders (user_id, title, description, time_zone, created_at, updated_at)
      select ${userId}, ${title}, 'UTC', ${times(rows / 10)};
    insert into people (user_id, nickname, notes, created_at, updated_at)
      select ${userId}, ${title}, ${times(rows / 10)};
    insert into projects (user_id, name, description, rank, created_at, updated_at)
      select ${userId}, ${title}, i, ${times(projects)};
    insert into project_tasks (project_id, title, description, rank, created_at, updated_at)
      select (select id from projects where user_id = ${userId} and rank = i % ${projects} + 1), ${title}, i, ${times(rows)}`)
  await admin.unsafe('vacuum analyze')
  await admin.end({ timeout: 5 })
}

beforeAll(async () => {
  rich = await h.signedIn()
  poor = await h.signedIn()
  await fill(h.url, rich.row.id, ROWS)
  await fill(h.url, poor.row.id, 1000)
  // As the service connects.
  client = postgres(h.url, { max: 1, connection: { TimeZone: 'UTC', jit: 'off' } })
})
afterAll(() => client.end())

async function searchOf({ row }: Actor, text: string) {
  const calendars = await client<Array<{ id: number }>>`select id from calendars where user_id = ${row.id}`
  const calendarIds = calendars.map(({ id }) => id)
  return { text, kinds: KINDS, userId: row.id, calendarIds, ownIds: calendarIds }
}

/** What PostgreSQL does for a search once it has searched several times. */
async function plannedFor(actor: Actor, text: string): Promise<Plan> {
  const asked = new PgDialect({ casing: 'snake_case' }).sqlToQuery(
    statement(await searchOf(actor, text), 200),
  )
  return await planOf(client, { text: asked.sql, params: asked.params })
}

const nodesFor = async (actor: Actor, text: string) => nodesOf(await plannedFor(actor, text))

const rowsRead = (nodes: readonly Plan[]) =>
  nodes
    .filter((node) => TABLES.includes(node['Relation Name'] ?? ''))
    .reduce((sum, node) => sum + node['Actual Rows'] * node['Actual Loops'], 0)

describe('with a hundred thousand records, a search', () => {
  test.each(['needle', 'a', 'apple about', 'nothing'])(
    'for %s reads every table by its index',
    async (text) => {
      for (const actor of [rich, poor]) {
        const nodes = await nodesFor(actor, text)
        const scanned = nodes.filter((node) => node['Node Type'].includes('Seq Scan'))
        const whole = scanned.map((node) => node['Relation Name'] ?? '')
        expect(LARGE.filter((table) => whole.includes(table))).toEqual([])
        const used = new Set(nodes.map((node) => node['Index Name']))
        for (const table of TABLES) expect(used).toContain(`${table}_search_idx`)
      }
    },
  )

  test('costs somebody with few records nothing for what others have', async () => {
    expect(rowsRead(await nodesFor(poor, 'nothing'))).toBeLessThan(10)
    expect(rowsRead(await nodesFor(poor, 'a'))).toBeLessThan(30_000)
  })

  test('is expected to cost the same whatever its values are, so that it is planned once', async () => {
    const expected = async (mode: string, actor: Actor) => {
      await client.unsafe(`set plan_cache_mode = ${mode}`)
      return (await plannedFor(actor, 'nothing'))['Total Cost']
    }
    for (const actor of [poor, rich])
      expect(await expected('force_custom_plan', actor)).toBe(await expected('force_generic_plan', actor))
    await client.unsafe('reset plan_cache_mode')
  })

  test('finds what it should', async () => {
    for (const actor of [rich, poor]) {
      const [first, ...rest] = await find(actor, 'needle', { limit: '200' })
      expect(first).toMatchObject({ type: 'todo', title: 'Needle' })
      expect(rest.every(({ snippet }) => snippet === 'about a needle')).toBe(true)
      expect(await find(actor, 'a')).toHaveLength(50)
    }
  })
})

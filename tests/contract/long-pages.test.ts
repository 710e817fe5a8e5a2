import { afterAll, beforeAll, expect, test } from 'bun:test'
import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { createApp } from '../../src/app'
import * as schema from '../../src/db/schema'
import { type Actor } from '../support/harness'
import { useHarness } from '../support/use-harness'
import { useSql } from '../support/use-sql'

const MIB = 1_048_576
const ROWS = 80
/** Ten thousand characters of four bytes each, which PostgreSQL cannot compress. */
const LONG = Array.from({ length: 10_000 }, () =>
  String.fromCodePoint(0x10000 + Math.floor(Math.random() * 0x10000)),
).join('')
/** As long as a comment may be. */
const COMMENT = LONG.slice(0, 10_000)

const h = useHarness()
const sql = useSql(h)
let ada: Actor
let client: ReturnType<typeof postgres>
let app: ReturnType<typeof createApp>
let ids: { project: number; other: number; parent: number }

beforeAll(async () => {
  ada = await h.signedIn()
  client = postgres(h.url, { max: 1, connection: { TimeZone: 'UTC' } })
  app = createApp({ ...h.deps, db: drizzle(client, { schema, casing: 'snake_case' }) })
  ids = await fill()
}, 60_000)
afterAll(() => client.end())

/** As many long records for every list, in no order. */
async function fill() {
  const user = ada.row.id
  const numbers = sql`(select n from generate_series(1, ${ROWS}) as n order by md5(n::text)) as numbers`
  const at = sql`(timestamptz '2026-01-01T00:00:00Z' + n % 7 * interval '1 minute')`
  const day = sql`(date '2026-01-01' + n % 7)`
  await sql`
    insert into todos (user_id, title, description, priority, due_date, rank, created_at, updated_at)
    select ${user}, 'T', ${LONG}, (array['none', 'low', 'medium', 'high'])[n % 4 + 1], ${day}, n, ${at}, ${at} from ${numbers}`
  await sql`
    insert into reminders (user_id, title, description, remind_at, series_start, series_wall, time_zone, created_at, updated_at)
    select ${user}, 'R', ${LONG}, ${at}, ${at}, ${at} at time zone 'UTC', 'UTC', ${at}, ${at} from ${numbers}`
  await sql`
    insert into projects (user_id, name, description, rank, created_at, updated_at)
    select ${user}, 'P', ${LONG}, n, ${at}, ${at} from ${numbers}`
  await sql`
    insert into people (user_id, first_name, notes, birthday, created_at, updated_at)
    select ${user}, 'F' || n % 7, ${LONG}, ${day}::text, ${at}, ${at} from ${numbers}`
  await sql`
    insert into event_templates (user_id, name, title, description, created_at, updated_at)
    select ${user}, 'N' || n, 'T', ${LONG}, ${at}, ${at} from ${numbers}`
  const [project, other] = await sql<Array<{ id: number }>>`
    insert into projects (user_id, name, rank, is_tracked, created_at, updated_at)
    select ${user}, 'P', -n, n = 1, now(), now() from generate_series(1, 2) as n returning id`
  if (!project || !other) throw new Error('insert returned no row')
  await sql`
    insert into project_tasks (project_id, title, description, due_date, rank, created_at, updated_at)
    select ${project.id}, 'T', ${LONG}, ${day}, n, ${at}, ${at} from ${numbers}`
  const [parent] = await sql<Array<{ id: number }>>`
    insert into project_tasks (project_id, title, rank, created_at, updated_at)
    values (${other.id}, 'T', 0, now(), now()) returning id`
  if (!parent) throw new Error('insert returned no row')
  await sql`
    insert into project_tasks (project_id, parent_task_id, title, description, rank, created_at, updated_at)
    select ${other.id}, ${parent.id}, 'S', ${LONG}, n, ${at}, ${at} from ${numbers}`
  await sql`
    insert into task_comments (task_id, author_id, body, created_at, updated_at)
    select ${parent.id}, ${user}, ${COMMENT}, ${at}, ${at} from ${numbers}`
  await sql.unsafe('vacuum analyze')
  return { project: project.id, other: other.id, parent: parent.id }
}

const LISTS = [
  ...['position', 'due_date', 'priority', 'created_at'].map((sort) => `/api/todos?sort=${sort}`),
  '/api/reminders?',
  '/api/reminders/due?',
  '/api/projects?',
  '/api/projects/:project/tasks?',
  '/api/projects/:other/tasks?parent_task_id=:parent',
  '/api/projects/tracked-tasks?days=366',
  '/api/projects/:other/tasks/:parent/comments?',
  ...['name', 'birthday', 'created_at'].map((sort) => `/api/people?sort=${sort}`),
  '/api/event-templates?',
]

const pathOf = (list: string) =>
  list
    .replace(':project', String(ids.project))
    .replace(':other', String(ids.other))
    .replace(':parent', String(ids.parent))

async function pageOf(path: string) {
  const headers = { cookie: `session=${ada.token}` }
  const response = await app.fetch(new Request(`http://localhost${path}`, { headers }))
  const text = await response.text()
  expect([path, response.status]).toEqual([path, 200])
  const { next_cursor: next, ...body } = JSON.parse(text)
  const [entries = []] = Object.values<Array<{ id: number }>>(body)
  return { ids: entries.map(({ id }) => id), bytes: Buffer.byteLength(text), next }
}

async function pagesOf(path: string) {
  const pages = [await pageOf(path)]
  for (let last = pages[0]; last && last.next !== null; last = pages.at(-1)) {
    pages.push(await pageOf(`${path}&cursor=${last.next}`))
  }
  return pages
}

/** Pages of the database that were read for long texts while a page of a list was. */
async function costOf(path: string): Promise<number> {
  const before = await longTextsRead()
  await pageOf(path)
  return (await longTextsRead()) - before
}

async function longTextsRead(): Promise<number> {
  await client`select pg_stat_force_next_flush()`
  const [row] = await client`
    select sum(toast_blks_read + toast_blks_hit)::integer as pages from pg_statio_user_tables`
  return row?.['pages']
}

test.each(LISTS)(
  'a page of %s ends at about 1 MiB, and the pages show each record once and in order',
  async (list) => {
    const path = pathOf(list)
    const pages = await pagesOf(`${path}&limit=200`)
    for (const { bytes } of pages) expect(bytes).toBeLessThan(MIB + 10_000)
    for (const { bytes } of pages.slice(0, -1)) expect(bytes).toBeGreaterThan(0.9 * MIB)
    const short = await pagesOf(`${path}&limit=10`)
    for (const page of short.slice(0, -1)) expect(page.ids.length).toBe(10)
    const shown = pages.flatMap((page) => page.ids)
    expect(new Set(shown).size).toBeGreaterThanOrEqual(ROWS)
    expect(shown).toEqual(short.flatMap((page) => page.ids))
  },
)

test.each(LISTS)('a page of %s does not read the texts of records that do not fit on it', async (list) => {
  const path = pathOf(list)
  // 25 records of 40 000 bytes fit on a page, or 51 of half as many.
  const most = 2.5 * (await costOf(`${path}&limit=25`))
  expect(most).toBeGreaterThan(0)
  expect(await costOf(`${path}&limit=200`)).toBeLessThan(most)
})

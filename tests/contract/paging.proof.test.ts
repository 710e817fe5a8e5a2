import { afterAll, beforeAll, expect, test } from 'bun:test'
import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { createApp } from '../../src/app'
import * as schema from '../../src/db/schema'
import { type Actor } from '../support/harness'
import { until } from '../support/service'
import { pagesReadBy, spied, type Statement } from '../support/statements'
import { useHarness } from '../support/use-harness'
import { useSql } from '../support/use-sql'

const ROWS = 5000
/** Pages that a page may read beyond twice those of the first: levels of an index. */
const SLACK = 4

const h = useHarness()
const sql = useSql(h)
let ada: Actor
let client: ReturnType<typeof postgres>
let app: ReturnType<typeof createApp>
/** What the app has asked the database. */
const asked: Statement[] = []
let ids: { project: number; task: number; event: number; todo: number; list: number; book: number }

beforeAll(async () => {
  ada = await h.signedIn({ role: 'admin' })
  client = postgres(h.url, { max: 1, connection: { TimeZone: 'UTC' } })
  app = createApp({ ...h.deps, db: drizzle(spied(client, asked), { schema, casing: 'snake_case' }) })
  ids = await fill()
  await vacuum()
}, 60_000)
afterAll(() => client.end())

/** Until no transaction of before is left that rows might have to be kept for: then indexes alone will do. */
const vacuum = () =>
  until(
    async () => {
      await sql.unsafe('vacuum analyze')
      const unclean = await sql`select 1 from pg_class where relname = 'todos' and relallvisible < relpages`
      return unclean.length === 0
    },
    30_000,
    'every row of todos is visible to everybody',
  )

/** Numbers from 1 in no order, as rows of a table that has been in use are. */
const SHUFFLED = `(select n from generate_series(1, ${ROWS}) as n order by md5(n::text)) as numbers`
/** One of five thousand minutes. */
const minuteOf = (number: string) =>
  `timestamptz '2026-01-01T00:00:00Z' + abs(hashtext(${number}::text)) % 5000 * interval '1 minute'`
const DAY = `date '2026-01-01' + n % 60`

/** Five thousand rows for every list; one task and one comment elsewhere for each of what has them. */
async function fill() {
  const user = ada.row.id
  const id = async (statement: string): Promise<number> => (await sql.unsafe(statement))[0]?.['id']
  const now = `timestamptz '${h.clock.now().toISOString()}'`
  const project = await id(
    `insert into projects (user_id, name, rank, is_tracked, created_at, updated_at) values (${user}, 'P', 2500.5, true, ${now}, ${now}) returning id`,
  )
  const task = await id(
    `insert into project_tasks (project_id, title, rank, created_at, updated_at) values (${project}, 'T', 2500.5, ${now}, ${now}) returning id`,
  )
  const event = await id(
    `insert into events (calendar_id, title, all_day, start_date, end_date, last_end_date, created_at, updated_at)
     select id, 'E', true, '2026-03-01', '2026-03-01', '2026-03-01', ${now}, ${now} from calendars where user_id = ${user} and is_default returning id`,
  )
  const calendarOf = `(select min(id) from calendars where user_id = ${user})`
  const statements = [
    `insert into todos (user_id, title, priority, due_date, category, completed_at, rank, created_at, updated_at)
     select ${user}, 'Todo ' || n, (array['none', 'low', 'medium', 'high'])[n % 4 + 1], case when n % 5 > 0 then ${DAY} end,
       'c' || n % 2, case when n % 2 = 0 then ${now} end, n, ${minuteOf('n')}, ${now} from ${SHUFFLED}`,
    `insert into reminders (user_id, title, remind_at, series_start, series_wall, time_zone, is_dismissed, is_active, snoozed_until, created_at, updated_at)
     select ${user}, 'R', moment, moment, moment at time zone 'UTC', 'UTC', n % 4 = 0, n % 10 > 0,
       case when n % 4 = 1 then moment + interval '10 minutes' end, ${now}, ${now}
     from (select n, case when n % 50 > 0 then ${now} + (n - ${ROWS / 2}) * interval '1 minute' end as moment from ${SHUFFLED}) as numbers`,
    `insert into projects (user_id, name, rank, is_tracked, status, created_at, updated_at)
     select ${user}, 'P', n, false, (array['on_hold', 'completed'])[n % 2 + 1], ${now}, ${now} from ${SHUFFLED}`,
    `insert into project_tasks (project_id, title, due_date, rank, created_at, updated_at) select ${project}, 'T', ${DAY}, n, ${now}, ${now} from ${SHUFFLED}`,
    `insert into project_tasks (project_id, parent_task_id, title, rank, created_at, updated_at) select ${project}, ${task}, 'S', n, ${now}, ${now} from ${SHUFFLED}`,
    `insert into task_comments (task_id, author_id, body, created_at, updated_at) select ${task}, ${user}, 'C', ${minuteOf('n')}, ${now} from ${SHUFFLED}`,
    `insert into project_tasks (project_id, title, rank, created_at, updated_at) select id, 'T', 0, ${now}, ${now} from projects`,
    `insert into task_comments (task_id, author_id, body, created_at, updated_at) select id, ${user}, 'C', ${now}, ${now} from project_tasks`,
    `insert into people (user_id, first_name, last_name, birthday, category, is_favourite, created_at, updated_at)
     select ${user}, md5(n::text), 'L', case when n % 5 > 0 then (${DAY})::text end, 'c' || n % 2, n % 2 = 0, ${minuteOf('n')}, ${now} from ${SHUFFLED}`,
    `insert into notifications (user_id, type, title, message, data, is_read, created_at)
     select ${user}, (array['system', 'security'])[n % 2 + 1], 'N', 'M', '{}', n % 2 = 0, ${minuteOf('n')} from ${SHUFFLED}`,
    `insert into audit_log (action, actor_id, created_at) select (array['a', 'b'])[n % 2 + 1], ${user}, ${minuteOf('n')} from ${SHUFFLED}`,
    `insert into users (username, network_name, password_hash, role, created_at, updated_at)
     select 'other' || n, 'other' || n, 'x', 'standard', ${now}, ${now} from ${SHUFFLED}`,
    `insert into connections (user_id, other_user_id, created_at, updated_at) select ${user}, id, ${now}, ${now} from users where id <> ${user}`,
    `insert into connection_requests (sender_id, receiver_id, status, sender_network_name, receiver_network_name, created_at, updated_at)
     select case when id % 2 = 0 then ${user} else id end, case when id % 2 = 0 then id else ${user} end,
       (array['accepted', 'rejected'])[id % 3 % 2 + 1], 'a', 'b', ${minuteOf('id')}, ${now} from users where id <> ${user}`,
    `insert into event_invitations (event_id, user_id, response, created_at, updated_at) select ${event}, id, null, ${now}, ${now} from users where id <> ${user}`,
    `with other as (insert into events (calendar_id, title, all_day, start_date, end_date, last_end_date, created_at, updated_at)
       select ${calendarOf}, 'E' || n, true, '2026-03-01', '2026-03-01', '2026-03-01', ${now}, ${now} from ${SHUFFLED} returning id)
     insert into event_invitations (event_id, user_id, response, created_at, updated_at)
     select id, ${user}, 'Going', ${minuteOf('id')}, ${now} from other`,
  ]
  for (const statement of statements) await sql.unsafe(statement)
  // As five thousand changes would have left it, some of which made no version.
  const todo = await id(
    `insert into todos (user_id, title, priority, rank, version, created_at, updated_at) values (${user}, 'V', 'none', 2500.5, ${ROWS + 1}, ${now}, ${now}) returning id`,
  )
  await sql.unsafe(
    `insert into history (tab, row_key, before) select 'todos', '${todo}', to_jsonb(todos) || jsonb_build_object('version', n)
     from todos, generate_series(1, ${ROWS}) as n, generate_series(1, 1 + n % 2) as repeated where todos.id = ${todo} order by n`,
  )
  const list = await id(`select id from todo_lists where user_id = ${user}`)
  const book = await id(`select id from address_books where user_id = ${user}`)
  return { project, task, event, todo, list, book }
}

/** Pages of the database that the statements read. */
async function costOf(statements: readonly Statement[]) {
  let cost = 0
  for (const statement of statements) cost += await pagesReadBy(client, statement)
  return cost
}

/** A page, and what its app asked the database for it; the session is looked up for all of them alike. */
async function page(path: string) {
  asked.length = 0
  const response = await app.fetch(
    new Request(`http://localhost${path}`, { headers: { cookie: `session=${ada.token}` } }),
  )
  const body = await response.json()
  expect([path, response.status]).toEqual([path, 200])
  const reads = asked.filter(({ text }) => /^(select|with)/.test(text) && !text.includes('"sessions"'))
  expect(reads).not.toEqual([])
  return { next: body.next_cursor as string | null, reads }
}

/** The last page of the usual size, to which longer ones lead faster. */
async function lastPage(path: string) {
  let before = ''
  for (let next: string | null = ''; next !== null;) {
    before = next && `&cursor=${next}`
    next = (await page(`${path}&limit=200${before}`)).next
  }
  let last = await page(path + before)
  while (last.next !== null) last = await page(`${path}&cursor=${last.next}`)
  return last
}

const LISTS = [
  ...['position', 'due_date', 'priority', 'created_at'].flatMap((sort) =>
    ['', '&completed=false', '&priority=high', '&category=c1', '&q=todo', '&due_from=2026-02-01'].map(
      (filter) => `/api/todos?sort=${sort}${filter}`,
    ),
  ),
  ...['position', 'due_date'].map((sort) => `/api/todos?list_id=:list&sort=${sort}`),
  ...['all', 'upcoming', 'due', 'snoozed', 'dismissed'].map((state) => `/api/reminders?state=${state}`),
  '/api/reminders?from=2026-03-04&to=2026-03-05',
  '/api/reminders/due?',
  '/api/todos/:todo/history?',
  '/api/projects?',
  '/api/projects?status=on_hold',
  '/api/projects?is_tracked=false',
  '/api/projects/:project/tasks?',
  '/api/projects/:project/tasks?parent_task_id=:task',
  '/api/projects/tracked-tasks?days=366',
  '/api/projects/:project/tasks/:task/comments?',
  ...['name', 'birthday', 'created_at'].flatMap((sort) =>
    ['', '&book_id=:book', '&category=c1', '&is_favourite=true', '&q=l'].map(
      (filter) => `/api/people?sort=${sort}${filter}`,
    ),
  ),
  '/api/notifications?',
  '/api/notifications?unread=true',
  '/api/notifications?type=system',
  '/api/admin/users?',
  '/api/admin/users?role=standard',
  '/api/admin/audit-log?',
  '/api/admin/audit-log?action=a',
  '/api/connections?',
  '/api/connections/requests?',
  '/api/connections/requests?direction=incoming',
  '/api/connections/requests?direction=outgoing',
  '/api/connections/requests?status=rejected',
  '/api/events/:event/invitations?',
  '/api/event-invitations?',
  '/api/event-invitations?response=Going',
]

test.each(LISTS)(
  '%s reads for its last page at most twice what it reads for its first',
  async (list) => {
    const path = list
      .replace(':project', String(ids.project))
      .replace(':list', String(ids.list))
      .replace(':task', String(ids.task))
      .replace(':event', String(ids.event))
      .replace(':todo', String(ids.todo))
      .replace(':book', String(ids.book))
    const first = await page(path)
    expect(first.next).not.toBeNull()
    const last = await lastPage(path)
    expect(await costOf(last.reads)).toBeLessThanOrEqual(2 * (await costOf(first.reads)) + SLACK)
  },
  30_000,
)

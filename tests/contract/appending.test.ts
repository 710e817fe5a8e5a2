import { afterAll, beforeAll, expect, test } from 'bun:test'
import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { createApp } from '../../src/app'
import * as schema from '../../src/db/schema'
import { type Actor } from '../support/harness'
import { createProject, createTask } from '../support/projects'
import { pagesReadBy, spied, type Statement } from '../support/statements'
import { useHarness } from '../support/use-harness'
import { useSql } from '../support/use-sql'

const FEW = 50
const MANY = 5000
/** Pages that an append may read beyond those in a short list, as the words that are searched for have grown. */
const SLACK = 8

const h = useHarness()
const sql = useSql(h)
let client: ReturnType<typeof postgres>
let app: ReturnType<typeof createApp>
/** What the app has asked the database. */
const asked: Statement[] = []
let short: Lists
let long: Lists

/** A user, each of whose lists is as long as the others. */
interface Lists {
  readonly ada: Actor
  readonly project: number
  readonly parent: number
}

beforeAll(async () => {
  client = postgres(h.url, { max: 1, connection: { TimeZone: 'UTC' } })
  app = createApp({ ...h.deps, db: drizzle(spied(client, asked), { schema, casing: 'snake_case' }) })
  short = await furnished(FEW)
  long = await furnished(MANY)
  await sql.unsafe('vacuum analyze')
}, 60_000)
afterAll(() => client.end())

async function furnished(count: number): Promise<Lists> {
  const ada = await h.signedIn()
  const { id: project } = await createProject(ada)
  const { id: parent } = await createTask(ada, project)
  const places = sql`generate_series(2, ${count}::integer) as n`
  await sql`
    insert into todos (user_id, title, priority, rank, created_at, updated_at)
    select ${ada.row.id}, 'Todo', 'none', n, now(), now() from ${places}`
  await sql`
    insert into projects (user_id, name, rank, created_at, updated_at)
    select ${ada.row.id}, 'Project', n, now(), now() from ${places}`
  await sql`
    insert into project_tasks (project_id, title, rank, created_at, updated_at)
    select ${project}, 'Task', n, now(), now() from ${places}`
  await sql`
    insert into project_tasks (project_id, parent_task_id, title, rank, created_at, updated_at)
    select ${project}, ${parent}, 'Task', n, now(), now() from ${places}`
  return { ada, project, parent }
}

/** What an append asks of the database. */
async function statementsOf({ ada }: Lists, path: string, body: object) {
  asked.length = 0
  const headers = { cookie: `session=${ada.token}`, 'content-type': 'application/json' }
  const response = await app.fetch(
    new Request(`http://localhost${path}`, { method: 'POST', headers, body: JSON.stringify(body) }),
  )
  expect([path, response.status]).toEqual([path, 201])
  return [...asked]
}

const undone = new Error('undone')

/** Pages that the statements read, and rows that they and the triggers read, where they are run several times more. */
async function costOf(statements: readonly Statement[]) {
  const cost = { pages: 0, rows: 0 }
  await client
    .begin(async (tx) => {
      const before = await rowsRead(tx)
      for (const statement of statements) cost.pages += await pagesReadBy(tx, statement)
      cost.rows = (await rowsRead(tx)) - before
      throw undone
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error
    })
  return cost
}

/** Rows that this connection has read and not yet told everybody of, which it does not within a transaction. */
async function rowsRead(tx: postgres.TransactionSql): Promise<number> {
  const [read] =
    await tx`select sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) as rows from pg_stat_xact_user_tables`
  return Number(read?.['rows'])
}

type Append = readonly [kind: string, path: (lists: Lists) => string, body: (lists: Lists) => object]
const APPENDS: readonly Append[] = [
  ['todos', () => '/api/todos', () => ({ title: 'Todo' })],
  ['projects', () => '/api/projects', () => ({ name: 'Project' })],
  ['tasks', ({ project }) => `/api/projects/${project}/tasks`, () => ({ title: 'Task' })],
  [
    'subtasks',
    ({ project }) => `/api/projects/${project}/tasks`,
    ({ parent }) => ({ title: 'Task', parent_task_id: parent }),
  ],
]

test.each(APPENDS)('to append to 5 000 %s reads no more than to append to 50', async (_, path, body) => {
  const [few, many] = [
    await costOf(await statementsOf(short, path(short), body(short))),
    await costOf(await statementsOf(long, path(long), body(long))),
  ]
  expect(few.rows).toBeGreaterThan(0)
  expect(many.rows).toBeLessThan(few.rows + FEW)
  expect(many.pages).toBeLessThanOrEqual(few.pages + SLACK)
})

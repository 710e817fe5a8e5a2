import { afterAll, beforeAll, expect, test } from 'bun:test'
import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { createApp } from '../../../../src/app'
import * as schema from '../../../../src/db/schema'
import { type Actor } from '../../../support/harness'
import { spied, type Statement } from '../../../support/statements'
import { useHarness } from '../../../support/use-harness'

const TODOS = '/api/todos'
const h = useHarness()
let client: ReturnType<typeof postgres>
let app: ReturnType<typeof createApp>
/** What the app has asked the database. */
const asked: Statement[] = []
beforeAll(() => {
  client = postgres(h.url, { max: 1, connection: { TimeZone: 'UTC' } })
  app = createApp({ ...h.deps, db: drizzle(spied(client, asked), { schema, casing: 'snake_case' }) })
})
afterAll(() => client.end())

/** What a request asks of the database: of each statement the verb and the table that it is about, and whether it is in a transaction. */
async function statementsOf(ada: Actor, method: string, path: string, body?: object) {
  asked.length = 0
  const response = await app.fetch(
    new Request(`http://localhost${path}`, {
      method,
      headers: { cookie: `session=${ada.token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    }),
  )
  expect([path, response.ok]).toEqual([path, true])
  return asked.map(({ text, isInTransaction }) => {
    const [, table] = /(?:from|into|update) "(users|sessions|todos)"/.exec(text) ?? []
    return `${isInTransaction ? 'in a transaction: ' : ''}${/\w+/.exec(text)?.[0]} ${table}`
  })
}

const SESSION = 'select sessions'
const LOCK = 'in a transaction: with users'

async function withTodos(count: number) {
  const ada = await h.signedIn()
  const ids: number[] = []
  for (let i = 0; i < count; i++)
    ids.push((await ada.request('POST', TODOS, { body: { title: 'T' } })).body.id)
  return { ada, ids }
}

test.each(['', '?completed=false', '?sort=due_date', '?limit=7', '?q=t', '?category=none', '/:id'])(
  'GET /api/todos%s waits for the session and once more',
  async (query) => {
    const { ada, ids } = await withTodos(3)
    expect(await statementsOf(ada, 'GET', `${TODOS}${query.replace(':id', `${ids[0]}`)}`)).toEqual([
      SESSION,
      'with todos',
    ])
  },
)

test('a page that is empty waits no longer', async () => {
  const { ada } = await withTodos(0)
  expect(await statementsOf(ada, 'GET', TODOS)).toEqual([SESSION, 'with todos'])
})

test('creating a todo locks the user and inserts, and nothing else', async () => {
  const { ada } = await withTodos(3)
  const body = { title: 'T', due_date: '2026-11-21' }
  expect(await statementsOf(ada, 'POST', TODOS, body)).toEqual([
    SESSION,
    LOCK,
    'in a transaction: insert todos',
  ])
})

test('a change writes the todo that it is about, and the others only where one of them is to open again', async () => {
  const { ada, ids } = await withTodos(2)
  const [first, second] = ids
  const path = `${TODOS}/${first}`
  const updates = async (method: string, at: string, body?: object) =>
    (await statementsOf(ada, method, at, body)).filter((statement) => statement.endsWith('update todos'))
      .length
  expect(await updates('PUT', path, { title: 'U' })).toBe(1)
  expect(await updates('POST', `${path}/toggle`)).toBe(1)
  expect(await updates('PUT', `${TODOS}/reorder`, { todo_ids: ids.toReversed() })).toBe(1)
  await ada.request('PUT', `${TODOS}/${second}`, { body: { recurrence: 'daily', completed: true } })
  h.clock.advance({ days: 2 })
  expect(await updates('PUT', path, { title: 'V' })).toBe(2)
  expect(await updates('PUT', path, { title: 'W' })).toBe(1)
  expect(await updates('DELETE', path)).toBe(0)
})

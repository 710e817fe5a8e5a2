import { expect, setDefaultTimeout, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { pausesOf } from '../../support/pauses'
import { make } from '../../support/records'
import { useHarness } from '../../support/use-harness'

setDefaultTimeout(60_000)

const h = useHarness()

const LONG = 'Ü"\n'.repeat(3000)

test('a page of long texts is written while others are let in, and says what its short pages say', async () => {
  const ada = await h.signedIn()
  await h.db.execute(sql`
    insert into todos (user_id, title, description, priority, rank, created_at, updated_at)
    select ${ada.row.id}, 'Todo ' || n, ${LONG}, 'none', n, now(), now() from generate_series(1, 80) n`)
  const page = () => ada.request('GET', '/api/todos?limit=100')
  const { status, headers, body } = await page()
  expect([status, headers.get('content-type')]).toEqual([200, 'application/json'])
  expect(Object.keys(body)).toEqual(['todos', 'next_cursor'])
  expect([body.todos.length, body.next_cursor]).toEqual([80, null])
  const short = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const query: string = cursor === '' ? '' : `&cursor=${cursor}`
    const next = await ada.request('GET', `/api/todos?limit=20${query}`)
    short.push(...next.body.todos)
    cursor = next.body.next_cursor
  }
  expect(short).toEqual(body.todos)
  expect(await pausesOf(h, page)).toBeGreaterThan(80)
})

test('what stands within another part of a long answer is written so too', async () => {
  const ada = await h.signedIn()
  await h.db.execute(sql`
    insert into todos (user_id, title, description, priority, due_date, rank, created_at, updated_at)
    select ${ada.row.id}, 'Todo ' || n, ${LONG}, 'none', '2026-03-10', n, now(), now() from generate_series(1, 50) n`)
  const dashboard = () => ada.request('GET', '/api/dashboard?date=2026-03-11')
  const { body } = await dashboard()
  const { todos, unread_count } = body
  expect([todos.overdue.length, todos.today, unread_count]).toEqual([50, [], 0])
  expect(await pausesOf(h, dashboard)).toBeGreaterThan(50)
})

test('a long record carries its version like a short one', async () => {
  const ada = await h.signedIn()
  const project = await make(ada, '/api/projects', { name: 'P' })
  const task = await make(ada, `/api/projects/${project.id}/tasks`, { title: 'T' })
  await h.db.execute(sql`
    insert into project_tasks (project_id, parent_task_id, title, description, rank, created_at, updated_at)
    select ${project.id}, ${task.id}, 'Sub ' || n, ${LONG}, n, now(), now() from generate_series(1, 50) n`)
  const { headers, body } = await ada.request('GET', `/api/projects/${project.id}/tasks/${task.id}`)
  expect(body.subtasks).toHaveLength(50)
  expect([headers.get('etag'), headers.get('content-type')]).toEqual(['"1"', 'application/json'])
  expect(headers.get('cache-control')).toBe('no-store')
})

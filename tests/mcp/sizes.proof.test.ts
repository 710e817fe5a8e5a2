import { expect, setDefaultTimeout, test } from 'bun:test'
import { type AssistantClient, assistantOf } from '../support/assistants'
import { organiser } from '../support/events'
import { useHarness } from '../support/use-harness'

setDefaultTimeout(120_000)
const h = useHarness()

const MOST = 8192
const COUNT = 60

/** Everything that `find` tells, page by page. */
async function all(assistant: AssistantClient, asked: Record<string, unknown>) {
  const items: Array<Record<string, unknown>> = []
  let args = asked
  for (let page = 0; page < 200; page++) {
    const { body, bytes, isError } = await assistant.call('find', args)
    expect(isError).toBe(false)
    expect(bytes).toBeLessThanOrEqual(MOST)
    expect(body.items.length).toBeLessThanOrEqual(50)
    items.push(...body.items)
    if (body.next_cursor === null) return items
    args = { cursor: body.next_cursor }
  }
  throw new Error('there is no end')
}

const keys = (items: ReadonlyArray<Record<string, unknown>>) =>
  items.map(({ type, id }) => `${String(type)} ${String(id)}`).toSorted()

test('everything that is found is told once, in answers of at most 50 items and 8 kB', async () => {
  const actor = await organiser(h)
  const assistant = await assistantOf(h, actor)
  const range = Array.from({ length: COUNT }, (_, index) => index)
  const project = (await actor.request('POST', '/api/projects', { body: { name: 'House' } })).body
  const fill = async (path: string, bodyOf: (index: number) => Record<string, unknown>) => {
    const commands = range.map((index) => ({
      key: `${path} ${index}`,
      method: 'POST',
      path,
      body: bodyOf(index),
    }))
    const { body } = await actor.request('POST', '/api/batch', { body: { commands } })
    expect(new Set(body.results.map(({ status }: { status: number }) => status))).toEqual(new Set([201]))
  }
  const texts = (index: number) => ({
    title: `Long ${index} ${'😀"'.repeat(index % 40)}`,
    description: '"\\\n'.repeat(index * 9),
  })
  await fill('/api/todos', (index) => ({
    ...texts(index),
    due_date: index % 2 ? '2026-03-06' : null,
    completed: index % 3 > 0,
  }))
  await fill('/api/reminders', (index) => ({ ...texts(index), remind_at: '2026-03-06T12:00' }))
  await fill(`/api/projects/${project.id}/tasks`, (index) => ({ ...texts(index), due_date: '2026-03-07' }))
  await fill('/api/people', (index) => ({ first_name: `Long ${index}`, notes: '"\\'.repeat(1 + index * 9) }))
  await fill('/api/events', (index) => ({
    ...texts(index),
    all_day: true,
    start_date: '2026-03-06',
    end_date: '2026-03-06',
  }))

  const found = await all(assistant, {})
  const counts = Object.groupBy(found, ({ type }) => String(type))
  expect(Object.fromEntries(Object.entries(counts).map(([type, some]) => [type, some?.length]))).toEqual({
    event: COUNT,
    todo: COUNT,
    reminder: COUNT,
    task: COUNT,
    person: COUNT,
    project: 1,
    calendar: 2,
    todo_list: 1,
  })
  expect(new Set(keys(found)).size).toBe(found.length)

  const searched = await all(assistant, { query: 'long' })
  expect(new Set(keys(searched)).size).toBe(200)
  expect(keys(await all(assistant, { kinds: ['todo'], done: true }))).toHaveLength(
    range.filter((index) => index % 3).length,
  )
  expect(
    await all(assistant, { kinds: ['todo', 'task'], from: '2026-03-06', to: '2026-03-07' }),
  ).toHaveLength(COUNT / 2 + COUNT)
  expect(
    await all(assistant, { kinds: ['event'], query: 'long', from: '2026-03-06', to: '2026-03-06' }),
  ).toHaveLength(COUNT)
})

test('a day with more than fits goes on in find', async () => {
  const actor = await organiser(h)
  const assistant = await assistantOf(h, actor)
  for (let index = 0; index < 60; index++)
    await actor.request('POST', '/api/todos', { body: { title: `Todo ${index}`, due_date: '2026-03-04' } })
  const { body, bytes } = await assistant.call('overview')
  expect(bytes).toBeLessThanOrEqual(MOST)
  const rest = await all(assistant, { cursor: body.next_cursor })
  expect(body.items.length + rest.length).toBe(60)
})

test('a call with 50 long records is answered within 8 kB, with all ids and versions', async () => {
  const actor = await organiser(h)
  const assistant = await assistantOf(h, actor)
  const items = Array.from({ length: 50 }, (_, index) => ({
    type: 'todo',
    title: `${index} ${'😀'.repeat(150)}`,
  }))
  const { body, bytes } = await assistant.call('add', { items })
  expect(bytes).toBeLessThanOrEqual(MOST)
  expect(body.results).toHaveLength(50)
  expect(body.results[49]).toEqual({
    index: 49,
    status: 'done',
    type: 'todo',
    id: expect.any(Number),
    version: 1,
  })
  expect((await assistant.call('add', { items: [...items, ...items] })).text).toBe(
    'arguments.items: must have at most 50 entries',
  )
})

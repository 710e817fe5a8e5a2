import { beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { type AssistantClient, assistantOf } from '../support/assistants'
import { checksums } from '../support/checksum'
import { createEvent, organiser } from '../support/events'
import { useHarness } from '../support/use-harness'

setDefaultTimeout(60_000)
const h = useHarness()

type Owner = Awaited<ReturnType<typeof organiser>>
let [ada, mallory]: Owner[] = []
let theirs: AssistantClient
let records: Record<string, { readonly id: number; readonly version: number }>
let homes: Record<'calendar' | 'list' | 'book' | 'project' | 'task', number>
beforeAll(async () => {
  ada = await organiser(h)
  mallory = await organiser(h)
  theirs = await assistantOf(h, mallory, { says: 'yes' })
  const make = async (path: string, body: object) =>
    (await (ada as Owner).request('POST', path, { body })).body
  const [calendar, list, book, project] = [
    await make('/api/calendars', { name: 'Zqcalendar' }),
    await make('/api/todo-lists', { name: 'Zqlist' }),
    await make('/api/address-books', { name: 'Zqbook' }),
    await make('/api/projects', { name: 'Zqproject' }),
  ]
  const times = { start_at: '2026-03-05T19:00', end_at: '2026-03-05T20:00' }
  records = {
    event: await createEvent(ada, { ...times, title: 'Zqevent' }),
    todo: await make('/api/todos', { title: 'Zqtodo', due_date: '2026-03-05' }),
    reminder: await make('/api/reminders', { title: 'Zqreminder', remind_at: '2026-03-05T12:00' }),
    task: await make(`/api/projects/${project.id}/tasks`, { title: 'Zqtask', due_date: '2026-03-05' }),
    person: await make('/api/people', { first_name: 'Zqperson', birthday: '--03-05' }),
  }
  homes = {
    calendar: calendar.id,
    list: list.id,
    book: book.id,
    project: project.id,
    task: records['task']?.id ?? 0,
  }
})

const TIMES = { start_at: '2026-03-05T19:00', end_at: '2026-03-05T20:00' }

/** Every field of every kind that names another record, with one of somebody else's. */
const REFERENCES: ReadonlyArray<readonly [kind: string, fields: () => Record<string, unknown>]> = [
  ['event', () => ({ title: 'Mine', ...TIMES, calendar_id: homes.calendar })],
  ['todo', () => ({ title: 'Mine', list_id: homes.list })],
  ['task', () => ({ title: 'Mine', project_id: homes.project })],
  ['person', () => ({ first_name: 'Mine', book_id: homes.book })],
]

test.each(REFERENCES.map(([kind, fields]) => [kind, fields] as const))(
  'a new %s goes into nothing of somebody else, and an own one is not moved there',
  async (kind, fields) => {
    const before = await (await checksums(h.db))()
    const added = await theirs.call('add', { items: [{ type: kind, ...fields() }] })
    expect([added.isError, added.body.results?.[0].detail]).toEqual([
      true,
      expect.stringMatching(/ not found$/),
    ])
    expect(await (await checksums(h.db))()).toEqual(before)
    if (kind === 'task') return
    const { calendar_id: _, list_id: __, book_id: ___, ...own } = fields()
    const made = (await theirs.call('add', { items: [{ type: kind, ...own }] })).body.results[0]
    const [name, value] = Object.entries(fields()).find(([field]) => field.endsWith('_id')) ?? ['', 0]
    const moved = await theirs.call('change', {
      items: [{ type: kind, id: made.id, version: made.version, [name]: value }],
    })
    expect([moved.isError, moved.body.results?.[0].detail]).toEqual([
      true,
      expect.stringMatching(/ not found$/),
    ])
  },
)

test('a task of somebody else is no parent of an own one', async () => {
  const { body: project } = await (mallory as Owner).request('POST', '/api/projects', {
    body: { name: 'Own' },
  })
  const item = { type: 'task', project_id: project.id, title: 'Mine', parent_task_id: homes.task }
  const { isError, body } = await theirs.call('add', { items: [item] })
  expect([isError, body.results[0].detail]).toEqual([true, expect.stringMatching(/not found|must be/i)])
})

test('nothing of somebody else is told, found, changed, deleted or undone by its id', async () => {
  const hers = await assistantOf(h, ada as Owner)
  const { body: done } = await hers.call('add', { items: [{ type: 'todo', title: 'Zqdone' }] })
  const { body: found } = await hers.call('find', { query: 'zq' })
  expect(found.items.length).toBeGreaterThan(4)
  const before = await (await checksums(h.db))()
  const named = Object.entries(records).map(([type, { id, version }]) => ({ type, id, version }))
  const calls: ReadonlyArray<readonly [string, Record<string, unknown>]> = [
    ['overview', { from: '2026-03-01', to: '2026-03-31' }],
    ['find', { query: 'zq' }],
    [
      'find',
      {
        kinds: [
          'event',
          'todo',
          'reminder',
          'task',
          'birthday',
          'person',
          'project',
          'calendar',
          'todo_list',
        ],
      },
    ],
    ['delete', { items: named }],
    ['change', { items: named.slice(0, 1) }],
    ['undo', { operation_id: done.operation_id }],
    ['find_time', { from: '2026-03-05', to: '2026-03-06', minutes: 60, with: [(ada as Owner).row.id] }],
  ]
  for (const [tool, args] of calls) {
    const { body, text } = await theirs.call(tool, args)
    expect([tool, JSON.stringify(body) + text]).toEqual([tool, expect.not.stringMatching(/zq(?!")/i)])
  }
  expect(theirs.asked).toEqual([])
  expect(await (await checksums(h.db))()).toEqual(before)
})

test('a cursor of somebody else finds only what is one’s own', async () => {
  for (let count = 0; count < 60; count++)
    await (ada as Owner).request('POST', '/api/todos', { body: { title: `Zqmany ${count}` } })
  const hers = await assistantOf(h, ada as Owner)
  const { next_cursor } = (await hers.call('find', { kinds: ['todo'] })).body
  expect(next_cursor).toBeString()
  const { body, text } = await theirs.call('find', { cursor: next_cursor })
  expect(JSON.stringify(body.items) + text).not.toMatch(/zq/i)
})

test('a key of somebody else repeats nothing of theirs', async () => {
  const hers = await assistantOf(h, ada as Owner)
  const call = { items: [{ type: 'todo', title: 'Same' }], idempotency_key: 'shared' }
  const first = await hers.call('add', call)
  const second = await theirs.call('add', call)
  expect(second.body.results[0].id).not.toBe(first.body.results[0].id)
  expect(second.body.operation_id).not.toBe(first.body.operation_id)
})

import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { assistantOf, sendTo } from '../support/assistants'
import { createEvent, organiser } from '../support/events'
import { createToken } from '../support/tokens'
import { useHarness } from '../support/use-harness'

setDefaultTimeout(60_000)
const h = useHarness()

const MOST = 8192

describe('a cursor that was made up', () => {
  const cursorAt = (after: string, asked: Record<string, unknown>) =>
    Buffer.from(JSON.stringify([JSON.stringify({ asked, place: { source: 0, after, skip: 0 } })])).toString(
      'base64url',
    )

  test.each(['abc', '-50', '1e30', '1.5', 'Infinity', ''])(
    'with the place “%s” is refused',
    async (after) => {
      const assistant = await assistantOf(h, await organiser(h))
      const places = [{ query: 'milk' }, ...['event', 'task', 'project'].map((kind) => ({ kinds: [kind] }))]
      for (const asked of places) {
        const { isError, text } = await assistant.call('find', { cursor: cursorAt(after, asked) })
        expect([asked, isError, text]).toEqual([asked, true, 'cursor: is not valid'])
      }
    },
  )
})

test('an undo of more than 50 records tells of 50 and of how many more there are', async () => {
  const actor = await organiser(h)
  const list = (await actor.request('POST', '/api/todo-lists', { body: { name: 'Long' } })).body
  const commands = Array.from({ length: 90 }, (_, index) => ({
    key: String(index),
    method: 'POST',
    path: '/api/todos',
    body: { title: 'T', list_id: list.id },
  }))
  await actor.request('POST', '/api/batch', { body: { commands } })
  const { headers } = await actor.request('DELETE', `/api/todo-lists/${list.id}`)
  const assistant = await assistantOf(h, actor)
  const operation_id = headers.get('x-operation-id')
  const { body, text, bytes } = await assistant.call('undo', { operation_id })
  expect(text).toStartWith('91 done\n')
  expect(body.results).toHaveLength(50)
  expect(body.more).toBe(41)
  expect(bytes).toBeLessThanOrEqual(MOST)
})

test('a call with hundreds of unknown fields is refused within 8 kB', async () => {
  const assistant = await assistantOf(h, await organiser(h))
  const unknown = Object.fromEntries(
    Array.from({ length: 900 }, (_, index) => [`${index}${'\u0001'.repeat(60)}`, 1]),
  )
  for (const [tool, args] of [
    ['find', unknown],
    ['add', { items: [{ type: 'todo', title: 'T', ...unknown }] }],
  ] as const) {
    const { isError, bytes, text, body } = await assistant.call(tool, args)
    expect([isError, bytes <= MOST]).toEqual([true, true])
    expect(text).toContain('is not a known field')
    expect(body.errors.length).toBeGreaterThan(0)
  }
})

test('a token that does not read an area is told nothing of it by the repetition of an undo', async () => {
  const actor = await organiser(h)
  const full = await assistantOf(h, actor)
  const times = { start_at: '2026-03-05T19:00', end_at: '2026-03-05T20:00' }
  const event = await createEvent(actor, { ...times, title: 'Secret' })
  const item = { type: 'event', id: event.id, version: event.version, description: 'Secret' }
  const { operation_id } = (await full.call('change', { items: [item] })).body
  const again = { operation_id, idempotency_key: 'again' }
  expect((await full.call('undo', again)).isError).toBe(false)
  const narrow = await assistantOf(h, actor, { scopes: ['mcp', 'tasks:write'] })
  const { body, text } = await narrow.call('undo', again)
  expect(JSON.stringify([body, text])).not.toContain('Secret')
  expect((await full.call('undo', again)).body.results).toMatchObject([{ title: 'Secret' }])
})

test('birthdays are looked for within 400 days, as events are', async () => {
  const assistant = await assistantOf(h, await organiser(h))
  const within = (from: string, to: string) => assistant.call('find', { kinds: ['birthday'], from, to })
  expect((await within('2026-01-01', '2027-01-01')).isError).toBe(false)
  for (const [from, to] of [
    ['1980-01-01', '2090-01-01'],
    ['2026-05-01', '2026-01-01'],
  ] as const) {
    expect(await within(from, to)).toMatchObject({
      isError: true,
      text: 'to: must be after from, and at most 400 days after it',
    })
  }
})

test('calls in one body are refused, and so are those whose headers name another tool', async () => {
  const actor = await organiser(h)
  const { token } = await createToken(actor, ['mcp', 'tasks:write'])
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'add', arguments: { items: [{ type: 'todo', title: 'Batch' }] }, _meta: meta },
  }
  const send = async (body: unknown, headers: Record<string, string> = {}) =>
    (await sendTo(h, body, { authorization: `Bearer ${token}`, ...headers })).status
  expect(await send([call, call])).toBe(422)
  const modern = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' }
  expect(await send(call, { ...modern, 'mcp-name': 'find' })).toBe(400)
  expect((await actor.request('GET', '/api/todos?q=Batch')).body.todos).toEqual([])
  expect(await send(call, { ...modern, 'mcp-name': 'add' })).toBe(200)
})

test('a call without an id, to which no answer comes, does nothing', async () => {
  const actor = await organiser(h)
  const { token } = await createToken(actor)
  const params = { name: 'add', arguments: { items: [{ type: 'todo', title: 'Unanswered' }] } }
  const sent = await sendTo(
    h,
    { jsonrpc: '2.0', method: 'tools/call', params },
    { authorization: `Bearer ${token}` },
  )
  expect([sent.status, await sent.text()]).toEqual([202, ''])
  expect((await actor.request('GET', '/api/todos')).body.todos).toEqual([])
})

test('of members that come twice the last counts, for what is checked and for what is done', async () => {
  const actor = await organiser(h)
  const [milk, bread] = [
    (await actor.request('POST', '/api/todos', { body: { title: 'Milk' } })).body,
    (await actor.request('POST', '/api/todos', { body: { title: 'Bread' } })).body,
  ]
  const assistant = await assistantOf(h, actor)
  const items = [{ type: 'todo', id: milk.id, version: 1 }]
  const { confirm } = (await assistant.call('delete', { items })).body
  const twice = JSON.stringify({ items, confirm }).replace(
    '}',
    `},{"type":"todo","id":${bread.id},"version":1}],"items":[${JSON.stringify(items[0]).replace('}', `,"id":${bread.id}}`)}`,
  )
  const sent = await sendTo(
    h,
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"delete","arguments":${twice}}}`,
    { authorization: `Bearer ${assistant.token}` },
  )
  expect(await sent.text()).toContain('confirmation_invalid')
  const left = (await actor.request('GET', '/api/todos')).body.todos
  expect(left.map(({ title }: { title: string }) => title).toSorted()).toEqual(['Bread', 'Milk'])
})

test('twenty calls at once with one key happen once, and all are told of it', async () => {
  const actor = await organiser(h)
  const assistant = await assistantOf(h, actor)
  const items = [{ type: 'todo', title: 'Twenty' }]
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => assistant.call('add', { items, idempotency_key: 'twenty' })),
  )
  expect(answers.filter(({ isError }) => isError)).toEqual([])
  expect(new Set(answers.map(({ body }) => body.operation_id)).size).toBe(1)
  expect((await actor.request('GET', '/api/todos?q=Twenty')).body.todos).toHaveLength(1)
})

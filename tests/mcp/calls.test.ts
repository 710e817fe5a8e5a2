import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { operations } from '../../src/db/schema'
import { addSeconds } from '../../src/lib/time/time'
import { type AssistantClient, assistantOf } from '../support/assistants'
import { createEvent } from '../support/events'
import { useHarness } from '../support/use-harness'

setDefaultTimeout(60_000)
const h = useHarness()

let actor: Awaited<ReturnType<typeof h.signedIn>>
let assistant: AssistantClient
beforeAll(async () => {
  actor = await h.signedIn()
  assistant = await assistantOf(h, actor, { says: 'yes' })
})

const todosNamed = async (title: string): Promise<number> =>
  (await actor.request('GET', `/api/todos?q=${encodeURIComponent(title)}`)).body.todos.length

async function todo(title = 'Milk') {
  const { body } = await actor.request('POST', '/api/todos', { body: { title } })
  return { type: 'todo', id: body.id, version: body.version }
}

describe('a refusal', () => {
  test('says of a stale version what it is now', async () => {
    const item = await todo()
    await actor.request('PUT', `/api/todos/${item.id}`, { body: { title: 'Oat milk' } })
    const { isError, text, body } = await assistant.call('change', { items: [{ ...item, completed: true }] })
    expect({ isError, text, body }).toEqual({
      isError: true,
      text: '0 done, 1 refused\n0: This item has changed since you read it: now version 2',
      body: {
        time_zone: 'Europe/Berlin',
        results: [
          {
            index: 0,
            status: 'refused',
            detail: 'This item has changed since you read it',
            now: expect.objectContaining({ type: 'todo', id: item.id, version: 2, title: 'Oat milk' }),
          },
        ],
      },
    })
  })

  test.each([
    ['add', { items: [] }, 'arguments.items: must have at least 1 entries'],
    ['add', {}, 'arguments.items: is required'],
    ['add', { items: [{ type: 'todo' }] }, 'items.0.title: is required'],
    ['add', { items: [{ type: 'todo', title: 'x', colour: 'red' }] }, 'items.0.colour: is not a known field'],
    [
      'add',
      { items: [{ type: 'calendar', title: 'x' }] },
      'items.0.type: must be one of event, todo, reminder, task, person',
    ],
    ['add', { items: [7] }, 'items.0: must be an object'],
    ['change', { items: [{ type: 'todo', id: 1 }] }, 'items.0.version: is required'],
    ['delete', { items: [{ type: 'todo', id: 'x', version: 1 }] }, 'items.0.id: must be a whole number'],
    [
      'find',
      { kinds: ['spell'] },
      'arguments.kinds.0: must be one of event, todo, reminder, task, birthday, person, project, calendar, todo_list',
    ],
    ['find', { cursor: 'x' }, 'cursor: is not valid'],
    ['find', { from: 'tomorrow' }, 'arguments.from: must be a day as YYYY-MM-DD'],
    ['overview', { from: '2026-03-05', to: '2026-03-04' }, 'to: must be within 30 days after from'],
    ['undo', { operation_id: 'x' }, 'Operation not found'],
    [
      'answer_invitation',
      { id: 1, response: 'Perhaps' },
      'arguments.response: must be one of Going, Tentative, Declined',
    ],
  ])('of %s %j says what is wrong, and repeats no value', async (tool, args, detail) => {
    const { isError, text } = await assistant.call(tool, args)
    expect({ isError, text: text.split('\n').at(-1)?.replace(/^0: /, '') }).toEqual({
      isError: true,
      text: detail,
    })
  })

  test('of a forged cursor is no failure of the service', async () => {
    const forged = (value: unknown) =>
      Buffer.from(JSON.stringify([JSON.stringify(value)])).toString('base64url')
    const asked = { kinds: ['task'] }
    for (const value of [
      { asked, place: { source: 0, after: 'x', skip: 0 } },
      { asked, place: { source: 0, after: '9e99', skip: 0 } },
      { asked, place: { source: 0, skip: 0 } },
      'x',
    ]) {
      const { isError, text } = await assistant.call('find', { cursor: forged(value) })
      expect([isError, text]).toEqual([true, expect.stringMatching(/^cursor/)])
    }
    expect(h.log.entries.filter(({ level }) => level === 'error')).toEqual([])
  })

  test('is short, however much is wrong', async () => {
    const fields = Object.fromEntries(
      Array.from({ length: 900 }, (_, index) => [`${'x'.repeat(60)}${index}`, 1]),
    )
    const refused = await assistant.call('add', { items: [{ type: 'todo', title: 'x', ...fields }] })
    expect(refused.isError).toBe(true)
    expect(refused.bytes).toBeLessThan(8192)
    const title = '😀'.repeat(200)
    const made = await assistant.call('add', {
      items: Array.from({ length: 50 }, () => ({ type: 'todo', title })),
    })
    const items = made.body.results.map(({ type, id, version }: Record<string, unknown>) => ({
      type,
      id,
      version,
    }))
    const question = await (await assistantOf(h, actor)).call('delete', { items })
    expect(question.body.code).toBe('confirmation_required')
    expect(question.bytes).toBeLessThan(8192)
  })

  test('of one argument is one of the whole call: nothing was begun', async () => {
    const { isError } = await assistant.call('add', {
      items: [
        { type: 'todo', title: 'Half a call' },
        { type: 'todo', title: '' },
      ],
    })
    expect([isError, await todosNamed('Half a call')]).toEqual([true, 0])
  })
})

describe('a call with several items', () => {
  test('tells of each what happened, and undo takes back what was done', async () => {
    const [one, other] = [await todo('Batch one'), await todo('Batch two')]
    const { isError, body } = await assistant.call('change', {
      items: [
        { ...one, completed: true },
        { ...other, version: 9, completed: true },
        { type: 'todo', id: 999_999, version: 1, completed: true },
      ],
    })
    expect({ isError, results: body.results }).toMatchObject({
      isError: false,
      results: [
        { index: 0, status: 'done', id: one.id, version: 2, completed: true },
        { index: 1, status: 'refused', detail: 'This item has changed since you read it' },
        { index: 2, status: 'refused', detail: 'Todo not found' },
      ],
    })
    expect((await assistant.call('undo', { operation_id: body.operation_id })).isError).toBe(false)
    expect((await actor.request('GET', `/api/todos/${one.id}`)).body.completed).toBe(false)
  })

  test('may change one series twice by the version that it has read', async () => {
    const series = await createEvent(actor, {
      start_at: '2026-03-05T19:00',
      end_at: '2026-03-05T20:00',
      recurrence_rule: 'FREQ=DAILY',
    })
    const item = { type: 'event', id: series.id, version: series.version, scope: 'this' }
    const { body } = await assistant.call('change', {
      items: [
        { ...item, occurrence: '2026-03-06T19:00:00+01:00', title: 'Band' },
        { ...item, occurrence: '2026-03-07T19:00:00+01:00', title: 'Quartet' },
      ],
    })
    expect(body.results).toMatchObject([
      { status: 'done', title: 'Band' },
      { status: 'done', title: 'Quartet' },
    ])
    expect((await assistant.call('undo', { operation_id: body.operation_id })).isError).toBe(false)
  })

  test('deletes a series from its first occurrence on as a whole', async () => {
    const series = await createEvent(actor, {
      start_at: '2026-03-05T19:00',
      end_at: '2026-03-05T20:00',
      recurrence_rule: 'FREQ=DAILY',
    })
    const item = { type: 'event', id: series.id, version: series.version }
    const occurrence = '2026-03-05T19:00:00+01:00'
    const { body } = await assistant.call('delete', { items: [{ ...item, scope: 'following', occurrence }] })
    expect(body.results).toMatchObject([{ status: 'deleted', id: series.id }])
  })

  test('is logged with its tool', async () => {
    await assistant.call('find', { query: 'nothing' })
    expect(h.log.entries.at(-1)).toMatchObject({
      message: 'request',
      fields: { route: '/mcp find', status: 200, user_id: actor.row.id },
    })
  })

  test('is listed as one operation of the token', async () => {
    const { body } = await assistant.call('add', { items: [{ type: 'todo', title: 'Listed' }] })
    const listed = (await actor.request('GET', '/api/operations?limit=1')).body
    expect(listed.operations).toMatchObject([
      {
        id: body.operation_id,
        operation: 'assistantAdd',
        title: 'Listed',
        undoable: true,
        credential: { type: 'token', name: 'Script' },
      },
    ])
  })
})

describe('a call that is repeated with its key', () => {
  const adding = (title: string, idempotency_key: string) =>
    assistant.call('add', {
      items: [
        { type: 'todo', title },
        { type: 'todo', title },
      ],
      idempotency_key,
    })

  test('adds nothing again, and is answered with the records as they are now', async () => {
    const first = await adding('Once', 'once')
    const [{ id, version }] = first.body.results
    await actor.request('PUT', `/api/todos/${id}`, { body: { title: 'Once only' } })
    const second = await adding('Once', 'once')
    expect(second.body).toMatchObject({
      operation_id: first.body.operation_id,
      replayed: true,
      results: [
        { status: 'done', id, version: version + 1, title: 'Once only' },
        { status: 'done', title: 'Once' },
      ],
    })
    expect(await todosNamed('Once')).toBe(2)
  })

  test('deletes nothing again, and needs no second word of the user', async () => {
    const item = await todo()
    const silent = await assistantOf(h, actor)
    const args = { items: [item], idempotency_key: 'gone' }
    const { confirm } = (await silent.call('delete', args)).body
    const first = await silent.call('delete', { ...args, confirm })
    const second = await silent.call('delete', args)
    expect(second.body).toEqual({ ...first.body, replayed: true })
  })

  test('says of what was deleted since that it was', async () => {
    const first = await adding('Deleted', 'deleted')
    await actor.request('DELETE', `/api/todos/${first.body.results[0].id}`)
    expect((await adding('Deleted', 'deleted')).body.results).toMatchObject([
      { status: 'refused', detail: 'Deleted since' },
      { status: 'done' },
    ])
  })

  test('but other arguments, or by another tool, is refused', async () => {
    await adding('Mine', 'mine')
    const other = { isError: true, body: { code: 'idempotency_mismatch' } }
    expect(await adding('Yours', 'mine')).toMatchObject(other)
    const item = await todo()
    expect(
      await assistant.call('change', { items: [{ ...item, completed: true }], idempotency_key: 'mine' }),
    ).toMatchObject(other)
  })

  test('was not done when everything was refused, so it may succeed later', async () => {
    const missing = { type: 'task', project_id: 999_999, title: 'Paint' }
    const call = () => assistant.call('add', { items: [missing], idempotency_key: 'later' })
    expect((await call()).body.results).toMatchObject([{ detail: 'Project not found' }])
    expect((await call()).body.results).toMatchObject([{ detail: 'Project not found' }])
  })

  test('and was broken off, is told so, and nothing is done again', async () => {
    const first = await adding('Broken', 'broken')
    const { operation_id: id } = first.body
    // As a kill between the items and the end of the call leaves it.
    const begun = addSeconds(h.clock.now(), -61)
    await h.db
      .update(operations)
      .set({ isOpen: true, answer: null, createdAt: begun })
      .where(eq(operations.id, id))
    const told = {
      isError: true,
      body: {
        detail: 'An earlier call with this idempotency_key was broken off: look what it did, or undo it',
        operation_id: id,
      },
    }
    expect(await adding('Broken', 'broken')).toMatchObject(told)
    expect(await adding('Broken', 'broken')).toMatchObject(told)
    expect(await todosNamed('Broken')).toBe(2)
    expect((await assistant.call('undo', { operation_id: id })).isError).toBe(false)
    expect(await todosNamed('Broken')).toBe(0)
  })

  test('at the same time happens once', async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => adding('Raced', 'raced')))
    const done = answers.filter(({ isError }) => !isError)
    expect(done.length).toBeGreaterThan(0)
    expect(new Set(done.map(({ body }) => body.operation_id)).size).toBe(1)
    expect(await todosNamed('Raced')).toBe(2)
  })
})

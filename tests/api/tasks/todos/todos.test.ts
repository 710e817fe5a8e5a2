import { beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { settings, todos } from '../../../../src/db/schema'
import { type Actor } from '../../../support/harness'
import { createTodo } from '../../../support/records'
import { useHarness } from '../../../support/use-harness'

const TODOS = '/api/todos'
const h = useHarness()
let ada: Actor
beforeAll(async () => {
  ada = await h.signedIn()
})

const rowOf = async (id: number) => (await h.db.select().from(todos).where(eq(todos.id, id)))[0]

const FULL = {
  title: 'Water the plants',
  description: 'All of them.\nTwice.',
  priority: 'high',
  due_date: '2026-03-05',
  due_time: '18:30',
  category: 'Home',
  recurrence: 'weekly',
}

describe('POST /api/todos', () => {
  test('creates a todo with every field and answers it under its ETag', async () => {
    const eve = await h.signedIn()
    const { status, body, headers } = await eve.request('POST', TODOS, { body: FULL })
    expect([status, headers.get('etag')]).toEqual([201, '"1"'])
    expect(body).toEqual({
      ...FULL,
      id: expect.any(Number),
      list_id: expect.any(Number),
      completed: false,
      completed_at: null,
      recurrence_unsupported: false,
      reset_at: null,
      next_due_date: null,
      position: 1,
      rank: '1',
      version: 1,
      created_at: '2026-03-04T10:30:00+01:00',
      updated_at: '2026-03-04T10:30:00+01:00',
    })
    expect((await eve.request('GET', `${TODOS}/${body.id}`)).body).toEqual(body)
  })

  test('needs a title only; what it sets itself and what nobody knows is ignored', async () => {
    const body = await createTodo(ada, {
      title: '  A\u0301 todo ',
      id: 7,
      user_id: 1,
      version: 9,
      completed_at: '2020-01-01T00:00:00Z',
      reset_at: '2020-01-01T00:00:00Z',
      next_due_date: '2020-01-01',
      constructor: 'x',
    })
    expect(body).toMatchObject({
      title: 'Á todo',
      description: null,
      priority: 'none',
      due_date: null,
      due_time: null,
      category: null,
      completed: false,
      completed_at: null,
      recurrence: null,
      recurrence_unsupported: false,
      reset_at: null,
      next_due_date: null,
      version: 1,
    })
    expect((await rowOf(body.id))?.userId).toBe(ada.row.id)
  })

  test('creates a completed one', async () => {
    expect(await createTodo(ada, { title: 'Done', completed: true, recurrence: 'daily' })).toMatchObject({
      completed: true,
      completed_at: '2026-03-04T10:30:00+01:00',
      reset_at: '2026-03-05T00:00:00+01:00',
      next_due_date: '2026-03-05',
    })
  })

  test('takes texts up to their limits, in code points', async () => {
    const longest = { title: '𝒯'.repeat(200), description: '𝒯'.repeat(10_000), category: '𝒯'.repeat(50) }
    expect(await createTodo(ada, longest)).toMatchObject(longest)
    const shortest = { title: 'T', description: '', category: '' }
    expect(await createTodo(ada, shortest)).toMatchObject(shortest)
  })

  test.each([
    { field: 'title', value: undefined, problem: 'is required' },
    { field: 'title', value: ' ', problem: 'must not be empty' },
    { field: 'title', value: 'T'.repeat(201), problem: 'must be at most 200 characters' },
    { field: 'title', value: 'a\0b', problem: 'must not contain U+0000 or lone surrogates' },
    { field: 'title', value: null, problem: 'must be a string' },
    { field: 'description', value: 'T'.repeat(10_001), problem: 'must be at most 10000 characters' },
    { field: 'description', value: '\ud800', problem: 'must not contain U+0000 or lone surrogates' },
    { field: 'priority', value: 'urgent', problem: 'must be one of none, low, medium, high' },
    { field: 'priority', value: null, problem: 'must be one of none, low, medium, high' },
    { field: 'due_date', value: '2026-02-30', problem: 'must be a day as YYYY-MM-DD' },
    { field: 'due_date', value: '2201-01-01', problem: 'must be a day as YYYY-MM-DD' },
    { field: 'due_time', value: '24:00', problem: 'must be a time of day as HH:MM' },
    { field: 'category', value: 'T'.repeat(51), problem: 'must be at most 50 characters' },
    { field: 'completed', value: 1, problem: 'must be true or false' },
    { field: 'recurrence', value: 'yearly', problem: 'must be one of daily, weekly, monthly' },
    { field: 'position', value: 0, problem: 'must be at least 1' },
    { field: 'position', value: '1', problem: 'must be a whole number' },
    { field: 'position', value: 2 ** 31, problem: 'must be at most 2147483647' },
    { field: 'position', value: null, problem: 'must be a whole number' },
  ])('refuses $field as $value', async ({ field, value, problem }) => {
    const { status, body } = await ada.request('POST', TODOS, {
      body: { title: 'T', due_date: '2026-03-05', [field]: value },
    })
    expect([status, body.detail]).toEqual([422, `${field}: ${problem}`])
    expect(body.errors).toEqual([{ field: `body.${field}`, message: problem }])
  })

  test('refuses a time without a day', async () => {
    const { status, body } = await ada.request('POST', TODOS, { body: { title: 'T', due_time: '10:00' } })
    expect([status, body.detail]).toEqual([422, 'due_time: must be given together with due_date'])
  })
})

describe('PUT /api/todos/{id}', () => {
  test('changes what is given and leaves the rest, and null clears', async () => {
    const { id, ...created } = await createTodo(ada, FULL)
    h.clock.advance({ minutes: 1 })
    const changed = await ada.request('PUT', `${TODOS}/${id}`, {
      body: { title: 'Water', description: null },
    })
    expect([changed.status, changed.headers.get('etag')]).toEqual([200, '"2"'])
    expect(changed.body).toEqual({
      ...created,
      id,
      title: 'Water',
      description: null,
      version: 2,
      updated_at: expect.not.stringMatching(created.updated_at),
    })
    const cleared = { category: null, due_time: null, recurrence: null, due_date: null }
    expect((await ada.request('PUT', `${TODOS}/${id}`, { body: cleared })).body).toMatchObject(cleared)
    expect((await ada.request('GET', `${TODOS}/${id}`)).body).toMatchObject({
      title: 'Water',
      ...cleared,
      version: 3,
    })
  })

  test('takes a todo back as it was read', async () => {
    const created = await createTodo(ada, FULL)
    const { body } = await ada.request('PUT', `${TODOS}/${created.id}`, { body: created })
    expect(body).toEqual({ ...created, version: 2, updated_at: expect.any(String) })
  })

  test('clears the time with the day, and sets no time without one', async () => {
    const { id } = await createTodo(ada, FULL)
    const put = (body: object) => ada.request('PUT', `${TODOS}/${id}`, { body })
    expect((await put({ due_date: null, due_time: '10:00' })).status).toBe(422)
    expect((await put({ due_date: null })).body).toMatchObject({ due_date: null, due_time: null })
    const refused = await put({ due_time: '10:00', title: 'Other' })
    expect([refused.status, refused.body.detail]).toEqual([
      422,
      'due_time: must be given together with due_date',
    ])
    expect((await put({ due_date: '2026-04-01', due_time: '10:00' })).body).toMatchObject({
      title: FULL.title,
      due_time: '10:00',
    })
  })

  test('Of changes of one version of a todo at once one is made, and the others are 412', async () => {
    for (let round = 0; round < 20; round++) {
      const { id } = await createTodo(ada)
      const sent = Array.from({ length: 5 }, (_, i) =>
        ada.request('PUT', `${TODOS}/${id}`, { body: { title: `T${i}` }, headers: { 'if-match': '"1"' } }),
      )
      const answers = await Promise.all(sent)
      expect(answers.filter(({ status }) => status === 412).length).toBe(4)
      const winner = answers.findIndex(({ status }) => status === 200)
      expect(answers.find(({ status }) => status === 412)?.body).toEqual({
        detail: 'This item has changed since you read it',
      })
      expect((await ada.request('GET', `${TODOS}/${id}`)).body).toMatchObject({
        title: `T${winner}`,
        version: 2,
      })
    }
  }, 30_000)
})

test('a stale version stops every change and deletion', async () => {
  const { id } = await createTodo(ada)
  await ada.request('PUT', `${TODOS}/${id}`, { body: { title: 'U' } })
  const headers = { 'if-match': '"1"' }
  const before = await rowOf(id)
  const answers = [
    await ada.request('PUT', `${TODOS}/${id}`, { body: { title: 'V' }, headers }),
    await ada.request('POST', `${TODOS}/${id}/toggle`, { headers }),
    await ada.request('DELETE', `${TODOS}/${id}`, { headers }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([412, 412, 412])
  expect(await rowOf(id)).toEqual(before)
  expect((await ada.request('DELETE', `${TODOS}/${id}`, { headers: { 'if-match': '"2"' } })).status).toBe(204)
  expect(await rowOf(id)).toBeUndefined()
})

test('somebody else’s todo is as absent as one that is none, byte for byte, and stays as it is', async () => {
  const eve = await h.signedIn()
  const { id } = await createTodo(ada, FULL)
  const before = await rowOf(id)
  for (const named of [id, 2147483647, 2147483648, 0, -1, 'x', '%00', '1.0', '01']) {
    const answers = [
      await eve.request('GET', `${TODOS}/${named}`),
      await eve.request('PUT', `${TODOS}/${named}`, { body: { title: 'Mine' } }),
      await eve.request('PUT', `${TODOS}/${named}`, {
        body: { title: 'Mine' },
        headers: { 'if-match': '"9"' },
      }),
      await eve.request('POST', `${TODOS}/${named}/toggle`),
      await eve.request('DELETE', `${TODOS}/${named}`),
      await eve.request('DELETE', `${TODOS}/${named}`, { headers: { 'if-match': '"1"' } }),
    ]
    for (const { status, body } of answers) {
      expect([named, status, body]).toEqual([named, 404, { detail: 'Todo not found' }])
    }
  }
  expect(await rowOf(id)).toEqual(before)
  expect((await eve.request('GET', TODOS)).body).toEqual({ todos: [], next_cursor: null })
})

test('a user without settings cannot have weeks counted', async () => {
  const eve = await h.signedIn()
  const { id } = await createTodo(eve)
  await h.db.delete(settings).where(eq(settings.userId, eve.row.id))
  const { status, body } = await eve.request('POST', `${TODOS}/${id}/toggle`)
  expect([status, body]).toEqual([500, { detail: 'Settings not found for user' }])
})

test('todos go with their user', async () => {
  const eve = await h.signedIn()
  const { id } = await createTodo(eve)
  const password = 'correct horse battery'
  expect((await eve.request('DELETE', '/api/auth/account', { body: { password } })).status).toBe(204)
  expect(await rowOf(id)).toBeUndefined()
})

import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { todos } from '../../../../src/db/schema'
import { type Actor } from '../../../support/harness'
import { createTodo } from '../../../support/records'
import { IN_DEFAULT_LIST } from '../../../support/todo-lists'
import { useHarness } from '../../../support/use-harness'

const TODOS = '/api/todos'
const h = useHarness()

type Listed = { id: number; title: string; position: number; version: number }
const listed = async (actor: Actor): Promise<Listed[]> =>
  (await actor.request('GET', `${TODOS}?limit=200`)).body.todos
const titles = async (actor: Actor) => (await listed(actor)).map(({ title }) => title).join('')

/** A user with a todo for each letter, and the todos' ids. */
async function withTodos(letters: string) {
  const ada = await h.signedIn()
  const ids: number[] = []
  for (const title of letters) ids.push((await createTodo(ada, { title })).id)
  return { ada, ids }
}

/** Positions are 1, 2, 3 … and ranks are all different. */
async function expectStrictOrder(actor: Actor, count: number) {
  const positions = (await listed(actor)).map(({ position }) => position)
  expect(positions).toEqual(Array.from({ length: count }, (_, i) => i + 1))
  const rows = await h.db.select().from(todos).where(eq(todos.userId, actor.row.id))
  expect(new Set(rows.map(({ rank }) => rank)).size).toBe(count)
}

describe('a position', () => {
  test('is the last one for a new todo, or the one that it asks for', async () => {
    const { ada } = await withTodos('abc')
    const created = []
    for (const [title, position] of [
      ['x', 1],
      ['y', 3],
      ['z', 99],
    ]) {
      created.push((await ada.request('POST', TODOS, { body: { title, position } })).body.position)
    }
    expect(created).toEqual([1, 3, 6])
    expect(await titles(ada)).toBe('xaybcz')
    await expectStrictOrder(ada, 6)
  })

  test.each([
    { from: 0, to: 1, order: 'abcde' },
    { from: 0, to: 2, order: 'bacde' },
    { from: 0, to: 3, order: 'bcade' },
    { from: 0, to: 5, order: 'bcdea' },
    { from: 0, to: 99, order: 'bcdea' },
    { from: 4, to: 1, order: 'eabcd' },
    { from: 4, to: 4, order: 'abced' },
    { from: 2, to: 2, order: 'acbde' },
    { from: 2, to: 4, order: 'abdce' },
  ])('moves todo $from to place $to', async ({ from, to, order }) => {
    const { ada, ids } = await withTodos('abcde')
    const { body } = await ada.request('PUT', `${TODOS}/${ids[from]}`, { body: { position: to } })
    expect(body).toMatchObject({ position: Math.min(to, 5), version: 2 })
    expect(await titles(ada)).toBe(order)
    await expectStrictOrder(ada, 5)
    // Nobody else has changed.
    expect((await listed(ada)).filter(({ version }) => version > 1).map(({ id }) => id)).toEqual([
      ids[from] ?? 0,
    ])
  })

  test('closes up where a todo is deleted', async () => {
    const { ada, ids } = await withTodos('abcd')
    await ada.request('DELETE', `${TODOS}/${ids[1]}`)
    expect(await titles(ada)).toBe('acd')
    await expectStrictOrder(ada, 3)
  })

  test('that a todo has already moves nothing', async () => {
    const { ada, ids } = await withTodos('abc')
    const rank = async () =>
      (
        await h.db
          .select()
          .from(todos)
          .where(eq(todos.id, ids[1] ?? 0))
      )[0]?.rank
    const before = await rank()
    await ada.request('PUT', `${TODOS}/${ids[1]}`, { body: { position: 2, title: 'B' } })
    expect(await rank()).toBe(before ?? '')
    expect(await titles(ada)).toBe('aBc')
  })

  test('is one of the user’s own list', async () => {
    const { ada } = await withTodos('ab')
    const { ada: eve } = await withTodos('x')
    expect((await eve.request('POST', TODOS, { body: { title: 'y', position: 2 } })).body.position).toBe(2)
    expect([await titles(ada), await titles(eve)]).toEqual(['ab', 'xy'])
  })
})

describe('PUT /api/todos/reorder', () => {
  test('puts all todos into the new order, completed ones too, and leaves the versions of those that others move past', async () => {
    const { ada, ids } = await withTodos('abcd')
    await ada.request('POST', `${TODOS}/${ids[2]}/toggle`)
    const todo_ids = [3, 1, 2, 0].map((i) => ids[i])
    const { status, body } = await ada.request('PUT', `${TODOS}/reorder`, { body: { todo_ids } })
    expect(status).toBe(200)
    expect(body.todos.map(({ id }: Listed) => id)).toEqual(todo_ids)
    expect(body.todos.map(({ position, version }: Listed) => [position, version])).toEqual([
      [1, 2],
      [2, 1],
      [3, 2],
      [4, 2],
    ])
    expect(await titles(ada)).toBe('dbca')
    expect((await ada.request('GET', `${TODOS}/${ids[3]}`)).body).toEqual(body.todos[0])
  })

  test('refuses a list that is not exactly the todos, and changes nothing', async () => {
    const { ada, ids } = await withTodos('abc')
    const { ids: foreign } = await withTodos('x')
    const [a, b, c] = ids
    const lists = [
      [],
      [a],
      [a, b],
      [a, b, b],
      [a, b, c, c],
      [a, b, foreign[0]],
      [a, b, c, foreign[0]],
      [a, b, 2 ** 40],
      [a, b, -1],
      [0],
    ]
    for (const todo_ids of lists) {
      const { status, body } = await ada.request('PUT', `${TODOS}/reorder`, { body: { todo_ids } })
      expect([todo_ids, status, body]).toEqual([
        todo_ids,
        409,
        { detail: 'The list of todos is out of date' },
      ])
    }
    expect(await titles(ada)).toBe('abc')
  })

  test('An order of no todos changes nothing, and what is no list of ids is 422', async () => {
    const ada = await h.signedIn()
    const put = (body: object) => ada.request('PUT', `${TODOS}/reorder`, { body })
    expect((await put({ todo_ids: [] })).body).toEqual({ todos: [] })
    for (const todo_ids of [undefined, null, 'x', ['1'], [1.5], [null], [[1]], {}]) {
      expect((await put({ todo_ids })).status).toBe(422)
    }
  })

  test('An order of two thousand todos is written in one statement', async () => {
    const ada = await h.signedIn()
    const now = h.clock.now()
    const made = await h.db
      .insert(todos)
      .values(
        Array.from({ length: 2000 }, (_, i) => ({
          userId: ada.row.id,
          listId: IN_DEFAULT_LIST,
          title: `${i}`,
          priority: 'none' as const,
          rank: `${i}`,
          createdAt: now,
          updatedAt: now,
        })),
      )
      .returning({ id: todos.id })
    const todo_ids = made.map(({ id }) => id).toReversed()
    const { body } = await ada.request('PUT', `${TODOS}/reorder`, { body: { todo_ids } })
    expect(body.todos.map(({ id }: Listed) => id)).toEqual(todo_ids)
  })
})

describe('at once', () => {
  test('twenty moves leave one strict order, in each of twenty rounds', async () => {
    const { ada, ids } = await withTodos('abcdefghij')
    for (let round = 0; round < 20; round++) {
      const moves = Array.from({ length: 20 }, (_, i) =>
        ada.request('PUT', `${TODOS}/${ids[i % 10]}`, { body: { position: ((i * 7 + round) % 10) + 1 } }),
      )
      expect((await Promise.all(moves)).every(({ status }) => status === 200)).toBe(true)
      await expectStrictOrder(ada, 10)
    }
  }, 30_000)

  test('inserts, deletes, moves and new orders leave one strict order', async () => {
    const { ada, ids } = await withTodos('abcdefghij')
    let count = 10
    for (let round = 0; round < 10; round++) {
      const [victim, ...rest] = ids.splice(0)
      const answers = await Promise.all([
        ada.request('DELETE', `${TODOS}/${victim}`),
        ...rest.map((id, i) => ada.request('PUT', `${TODOS}/${id}`, { body: { position: i + 1 } })),
        ada.request('POST', TODOS, { body: { title: 'n', position: 3 } }),
        ada.request('POST', TODOS, { body: { title: 'n', position: 3 } }),
        ada.request('PUT', `${TODOS}/reorder`, { body: { todo_ids: rest } }),
      ])
      expect(answers.filter(({ status }) => ![200, 201, 204, 409].includes(status))).toEqual([])
      await expectStrictOrder(ada, ++count)
      ids.push(...(await listed(ada)).map(({ id }) => id))
    }
  }, 30_000)

  test('Of new orders at once one holds', async () => {
    const { ada, ids } = await withTodos('abcd')
    for (let round = 0; round < 20; round++) {
      const orders = Array.from({ length: 4 }, (_, i) => [...ids.slice(i), ...ids.slice(0, i)])
      await Promise.all(
        orders.map((todo_ids) => ada.request('PUT', `${TODOS}/reorder`, { body: { todo_ids } })),
      )
      const held = (await listed(ada)).map(({ id }) => id)
      expect(orders).toContainEqual(held)
    }
  }, 30_000)
})

test('a thousand inserts at one spot never fail', async () => {
  const { ada } = await withTodos('ab')
  for (let i = 0; i < 1000; i++) {
    const { status, body } = await ada.request('POST', TODOS, { body: { title: `${i}`, position: 2 } })
    expect([i, status, body.position]).toEqual([i, 201, 2])
  }
  const shown = await listed(ada)
  expect([shown[0]?.title, shown[1]?.title, shown[2]?.title, shown[199]?.title]).toEqual([
    'a',
    '999',
    '998',
    '801',
  ])
  const rows = await h.db.select().from(todos).where(eq(todos.userId, ada.row.id))
  expect(Math.max(...rows.map(({ rank }) => rank.length))).toBeLessThanOrEqual(100)
}, 60_000)

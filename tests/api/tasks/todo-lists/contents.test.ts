import { describe, expect, test } from 'bun:test'
import { sql as select } from 'drizzle-orm'
import { lockWaiters } from '../../../support/locks'
import { raceOf } from '../../../support/racing'
import { createTodo } from '../../../support/records'
import { createList, defaultOf, placesOf, TODO_LISTS } from '../../../support/todo-lists'
import { useHarness } from '../../../support/use-harness'
import { useSql } from '../../../support/use-sql'

const h = useHarness()
const sql = useSql(h)
const NO_LIST = { detail: 'Todo list not found' }

describe('a todo is in one list', () => {
  test('in the default one unless a list is named, and in another after it is moved', async () => {
    const ada = await h.signedIn()
    const [home, shops] = [await defaultOf(ada), await createList(ada)]
    const todo = await createTodo(ada, { title: 'Sweep' })
    await createTodo(ada, { title: 'Milk', list_id: shops.id })
    expect(todo.list_id).toBe(home.id)
    const path = `/api/todos/${todo.id}`
    const moved = await ada.request('PUT', path, { body: { list_id: shops.id } })
    expect(moved.body).toEqual({ ...todo, list_id: shops.id, version: 2 })
    expect((await ada.request('GET', path)).body).toEqual(moved.body)
    expect((await ada.request('PUT', path, { body: { title: 'Mop' } })).body.list_id).toBe(shops.id)
    expect((await ada.request('POST', `${path}/toggle`)).body.list_id).toBe(shops.id)
    const other = await createList(ada, { is_default: true })
    expect((await createTodo(ada)).list_id).toBe(other.id)
  })

  test('of the user: another list answers as an unknown one does, and nothing is written', async () => {
    const [ada, other] = [await h.signedIn(), await h.signedIn()]
    const foreign = await createList(other)
    const todo = await createTodo(ada)
    for (const list_id of [foreign.id, 999_999, 0, -1, 2 ** 40]) {
      const made = await ada.request('POST', '/api/todos', { body: { title: 'T', list_id } })
      expect([made.status, made.body]).toEqual([404, NO_LIST])
      const moved = await ada.request('PUT', `/api/todos/${todo.id}`, { body: { title: 'X', list_id } })
      expect([moved.status, moved.body]).toEqual([404, NO_LIST])
    }
    for (const list_id of [null, '1', 1.5, {}]) {
      expect((await ada.request('POST', '/api/todos', { body: { title: 'T', list_id } })).status).toBe(422)
    }
    expect(await placesOf(ada)).toEqual([['T', todo.list_id]])
  })
})

describe('GET /api/todos?list_id', () => {
  test('answers the todos of the list alone, in every order and by pages, with their places among all', async () => {
    const ada = await h.signedIn()
    const shops = await createList(ada)
    for (const place of [1, 2, 3, 4, 5, 6]) {
      await createTodo(ada, { title: `T ${place}`, ...(place % 2 === 0 && { list_id: shops.id }) })
    }
    const read = async (query: string) =>
      (await ada.request('GET', `/api/todos?list_id=${shops.id}${query}`)).body
    for (const sort of ['position', 'due_date', 'priority', 'created_at']) {
      const first = await read(`&sort=${sort}&limit=2`)
      const second = await read(`&sort=${sort}&limit=2&cursor=${first.next_cursor}`)
      expect([...first.todos, ...second.todos].map(({ title, position }) => [title, position])).toEqual([
        ['T 2', 2],
        ['T 4', 4],
        ['T 6', 6],
      ])
    }
    expect((await read('&q=4&completed=false')).todos).toHaveLength(1)
  })

  test('of a list that the user does not have is not found', async () => {
    const [ada, other] = [await h.signedIn(), await h.signedIn()]
    const foreign = await createList(other)
    const answered = await ada.request('GET', `/api/todos?list_id=${foreign.id}`)
    expect([answered.status, answered.body]).toEqual([404, NO_LIST])
    for (const bad of ['0', 'x', '', '2147483648']) {
      expect((await ada.request('GET', `/api/todos?list_id=${bad}`)).status).toBe(422)
    }
  })
})

test('a list is deleted with its todos, and no others, which clients are told as one change', async () => {
  const ada = await h.signedIn()
  const [home, shops] = [await defaultOf(ada), await createList(ada)]
  for (const title of ['a', 'b', 'c'])
    await createTodo(ada, { title, ...(title === 'b' && { list_id: shops.id }) })
  const all = (await ada.request('GET', '/api/changes?types=todo')).body.changes
  expect(all.map(({ parent_id }: { parent_id: number }) => parent_id)).toEqual([home.id, shops.id, home.id])
  const { next } = (await ada.request('GET', '/api/changes?since=now')).body
  expect((await ada.request('DELETE', `${TODO_LISTS}/${shops.id}`)).status).toBe(204)
  expect(await placesOf(ada)).toEqual([
    ['a', home.id],
    ['c', home.id],
  ])
  const { changes } = (await ada.request('GET', `/api/changes?since=${next}`)).body
  expect(changes.map(({ type, op }: { type: string; op: string }) => `${op} ${type}`)).toEqual([
    'delete todo_list',
  ])
})

test.each([1, 2, 3, 4])(
  'a todo that is created while its list is deleted goes with it, or is refused (%#)',
  async () => {
    const ada = await h.signedIn()
    const shops = await createList(ada)
    const body = { title: 'Late', list_id: shops.id }
    const answers = await raceOf(6, (i) =>
      i === 3
        ? ada.request('DELETE', `${TODO_LISTS}/${shops.id}`)
        : ada.request('POST', '/api/todos', { body }),
    )
    expect(answers[3]?.status).toBe(204)
    expect(answers.filter(({ status }) => ![201, 204, 404].includes(status))).toEqual([])
    expect(await placesOf(ada)).toEqual([])
  },
)

test('a list is deleted with the todo whose creation has waited in front of it', async () => {
  const ada = await h.signedIn()
  const shops = await createList(ada)
  const answers = await h.db.transaction(async (tx) => {
    await tx.execute(select`select from users where id = ${ada.row.id} for update`)
    const created = ada.request('POST', '/api/todos', { body: { title: 'T', list_id: shops.id } })
    await lockWaiters(sql, 1)
    const deleted = ada.request('DELETE', `${TODO_LISTS}/${shops.id}`)
    // What comes while nobody waits behind the first may get the lock before it.
    await lockWaiters(sql, 2)
    return [created, deleted] as const
  })
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([201, 204])
  expect(await placesOf(ada)).toEqual([])
})

import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { Actor } from '../../../support/harness'
import { createTodo } from '../../../support/records'
import { createList, defaultOf, listsOf, placesOf, TODO_LISTS } from '../../../support/todo-lists'
import { brief, did, undo, undone } from '../../../support/undoing'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const trashOf = async (actor: Actor) =>
  (await actor.request('GET', '/api/trash')).body.items as Array<{
    id: number
    type: string
    contains: number
  }>
const restored = (actor: Actor, id: number | undefined) => did(actor, `POST /api/trash/${id}/restore`)
const deleteList = (actor: Actor, { id }: { readonly id: number }) => did(actor, `DELETE ${TODO_LISTS}/${id}`)

async function withTodos(names: readonly string[]) {
  const ada = await h.signedIn()
  const [home, shops] = [await defaultOf(ada), await createList(ada, { name: 'Shops' })]
  const todos: Array<{ id: number }> = []
  for (const title of names) todos.push(await createTodo(ada, { title, list_id: shops.id }))
  return { ada, home, shops, todos }
}

describe('a deleted list', () => {
  test('is one entry of the trash, from which it comes back with its todos under the same ids', async () => {
    const { ada, shops, todos } = await withTodos(['a', 'b'])
    await deleteList(ada, shops)
    const [entry, ...others] = await trashOf(ada)
    expect([entry, others]).toMatchObject([{ type: 'todo_list', title: 'Shops', contains: 2 }, []])
    const { body } = await restored(ada, entry?.id)
    expect(body).toMatchObject({ type: 'todo_list', id: shops.id, item: { name: 'Shops', position: 2 } })
    expect(await placesOf(ada)).toEqual([
      ['a', shops.id],
      ['b', shops.id],
    ])
    const { todos: now } = (await ada.request('GET', `/api/todos?list_id=${shops.id}`)).body
    expect(now.map(({ id }: { id: number }) => id)).toEqual(todos.map(({ id }) => id))
  })

  test('of five thousand todos is deleted at once, and comes back by undoing', async () => {
    const { ada, shops } = await withTodos([])
    await h.db.execute(sql`insert into todos (user_id, list_id, title, priority, rank, created_at, updated_at)
      select ${ada.row.id}::integer, ${shops.id}::integer, 'Todo ' || n, 'none', n, now(), now() from generate_series(1, 5000) as n`)
    const countOf = async () =>
      (
        await h.db.execute<{ count: number; sum: string }>(sql`
          select count(*)::integer as count, coalesce(sum(id), 0)::text as sum from todos where list_id = ${shops.id}::integer`)
      )[0]
    const before = await countOf()
    const { operation } = await deleteList(ada, shops)
    expect(await countOf()).toEqual({ count: 0, sum: '0' })
    expect((await trashOf(ada)).map(({ type, contains }) => [type, contains])).toEqual([['todo_list', 5000]])
    await undone(ada, operation)
    expect(await countOf()).toEqual(before)
  }, 120_000)

  test('comes back under another name when its own is taken', async () => {
    const { ada, shops } = await withTodos(['a'])
    const { operation } = await deleteList(ada, shops)
    await createList(ada, { name: 'Shops', position: 1 })
    await undone(ada, operation)
    expect((await listsOf(ada)).map(({ name }) => name)).toEqual(['Shops', 'Todos', 'Shops (2)'])
    expect(await placesOf(ada)).toEqual([['a', shops.id]])
  })

  test('takes along for good what was in it, when it leaves the trash', async () => {
    const { ada, shops } = await withTodos(['a', 'b'])
    await deleteList(ada, shops)
    const [entry] = await trashOf(ada)
    expect((await ada.request('DELETE', `/api/trash/${entry?.id}`)).status).toBe(204)
    const [left] = await h.db.execute<{ count: number }>(
      sql`select count(*)::integer as count from history where before ->> 'list_id' = ${String(shops.id)}`,
    )
    expect([await trashOf(ada), left]).toEqual([[], { count: 0 }])
  })
})

describe('a todo whose list is in the trash', () => {
  test('waits for that, and comes back into it', async () => {
    const { ada, shops, todos } = await withTodos(['a', 'b'])
    const deletion = await did(ada, `DELETE /api/todos/${todos[0]?.id}`)
    await deleteList(ada, shops)
    const [list, todo] = await trashOf(ada)
    expect(todo).toMatchObject({ type: 'todo', parent_id: shops.id })
    const refusals = [
      await ada.request('POST', `/api/trash/${todo?.id}/restore`),
      await undo(ada, deletion.operation),
    ]
    expect(refusals.map(brief)).toEqual(Array(2).fill('409 Restore the list first'))
    await restored(ada, list?.id)
    const { body } = await restored(ada, todo?.id)
    expect(body.item).toMatchObject({ id: todos[0]?.id, title: 'a', list_id: shops.id })
    expect(await placesOf(ada)).toEqual([
      ['a', shops.id],
      ['b', shops.id],
    ])
  })
})

describe('a todo whose list is gone for good', () => {
  test('comes back into the default list when its move is undone', async () => {
    const { ada, home, shops, todos } = await withTodos(['a', 'b'])
    const move = await did(ada, `PUT /api/todos/${todos[0]?.id}`, { list_id: home.id })
    const other = await createList(ada, { name: 'Other', is_default: true })
    await deleteList(ada, shops)
    const [list] = await trashOf(ada)
    expect((await ada.request('DELETE', `/api/trash/${list?.id}`)).status).toBe(204)
    const undoing = await undone(ada, move.operation)
    expect(await placesOf(ada)).toEqual([['a', other.id]])
    await undone(ada, undoing)
    expect(await placesOf(ada)).toEqual([['a', home.id]])
  })
})

test('the move of a todo is undone and done again', async () => {
  const { ada, home, shops, todos } = await withTodos(['a'])
  const { operation } = await did(ada, `PUT /api/todos/${todos[0]?.id}`, { list_id: home.id })
  const undoing = await undone(ada, operation)
  expect(await placesOf(ada)).toEqual([['a', shops.id]])
  await undone(ada, undoing)
  expect(await placesOf(ada)).toEqual([['a', home.id]])
})

test('a new list is not undone once there is a todo in it', async () => {
  const ada = await h.signedIn()
  const { operation, body } = await did(ada, `POST ${TODO_LISTS}`, { name: 'Shops' })
  await createTodo(ada, { title: 'Milk', list_id: body.id })
  const refusal = await undo(ada, operation)
  expect([brief(refusal), refusal.body.items]).toEqual([
    '409 Changed since',
    [{ type: 'todo', id: expect.any(Number), title: 'Milk' }],
  ])
  expect(await placesOf(ada)).toEqual([['Milk', body.id]])
})

test('a restored list that was the default one before leaves the present one', async () => {
  const ada = await h.signedIn()
  const home = await defaultOf(ada)
  const shops = await createList(ada, { is_default: true })
  const { operation } = await deleteList(ada, home)
  await undone(ada, operation)
  expect((await defaultOf(ada)).id).toBe(shops.id)
  expect(await listsOf(ada)).toHaveLength(2)
})

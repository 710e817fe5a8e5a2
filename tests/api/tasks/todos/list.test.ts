import { beforeAll, describe, expect, test } from 'bun:test'
import { todos } from '../../../../src/db/schema'
import { addMinutes } from '../../../../src/lib/time/time'
import { type Actor } from '../../../support/harness'
import { createTodo } from '../../../support/records'
import { IN_DEFAULT_LIST } from '../../../support/todo-lists'
import { useHarness } from '../../../support/use-harness'

const TODOS = '/api/todos'
const SORTS = ['position', 'due_date', 'priority', 'created_at'] as const
const h = useHarness()

const titles = async (actor: Actor, query: string) =>
  (await actor.request('GET', `${TODOS}?${query}`)).body.todos.map(({ title }: { title: string }) => title)

/** The ids that the pages of a list hold; `between` runs after each. */
async function pages(actor: Actor, query: string, between = async (_ids: number[]) => {}) {
  const ids: number[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page = cursor && `&cursor=${cursor}`
    const { status, body } = await actor.request('GET', `${TODOS}?${query}${page}`)
    expect(status).toBe(200)
    ids.push(...body.todos.map(({ id }: { id: number }) => id))
    cursor = body.next_cursor
    if (cursor !== null) await between(ids)
  }
  return ids
}

describe('the filters', () => {
  let ada: Actor
  beforeAll(async () => {
    ada = await h.signedIn()
    await createTodo(ada, {
      title: 'Buy 100% MILK',
      priority: 'high',
      due_date: '2026-03-05',
      category: 'Shop',
    })
    await createTodo(ada, { title: 'Call Ádám', description: 'about the_milk', due_date: '2026-03-06' })
    await createTodo(ada, {
      title: 'Clean',
      description: 'Áll windows',
      priority: 'low',
      due_date: '2026-03-07',
    })
    await createTodo(ada, { title: 'Dream', category: 'shop', completed: true })
    const eve = await h.signedIn()
    await createTodo(eve, {
      title: 'Foreign milk',
      priority: 'high',
      due_date: '2026-03-05',
      category: 'Shop',
    })
  })

  test.each([
    { query: '', found: ['Buy 100% MILK', 'Call Ádám', 'Clean', 'Dream'] },
    { query: 'completed=true', found: ['Dream'] },
    { query: 'completed=false', found: ['Buy 100% MILK', 'Call Ádám', 'Clean'] },
    { query: 'priority=high', found: ['Buy 100% MILK'] },
    { query: 'priority=none', found: ['Call Ádám', 'Dream'] },
    { query: 'category=Shop', found: ['Buy 100% MILK'] },
    { query: 'due_from=2026-03-06', found: ['Call Ádám', 'Clean'] },
    { query: 'due_to=2026-03-06', found: ['Buy 100% MILK', 'Call Ádám'] },
    { query: 'due_from=2026-03-06&due_to=2026-03-06', found: ['Call Ádám'] },
    { query: 'due_from=2026-03-07&due_to=2026-03-06', found: [] },
    { query: 'q=milk', found: ['Buy 100% MILK', 'Call Ádám'] },
    { query: 'q=%25', found: ['Buy 100% MILK'] },
    { query: 'q=_', found: ['Call Ádám'] },
    { query: 'q=%5C', found: [] },
    { query: 'q=áL', found: ['Clean'] },
    { query: 'q=MILKabout', found: [] },
    { query: `q=${encodeURIComponent("'; drop table todos; --")}`, found: [] },
    {
      query: 'q=milk&priority=high&completed=false&category=Shop&due_to=2026-03-05',
      found: ['Buy 100% MILK'],
    },
  ])('$query finds $found', async ({ query, found }) => {
    expect(await titles(ada, query)).toEqual(found)
  })

  test.each([
    { query: 'sort=name', detail: 'sort: must be one of position, due_date, priority, created_at' },
    { query: 'completed=maybe', detail: 'completed: must be true or false' },
    { query: 'priority=urgent', detail: 'priority: must be one of none, low, medium, high' },
    { query: 'due_from=tomorrow', detail: 'due_from: must be a day as YYYY-MM-DD' },
    { query: 'limit=0', detail: 'limit: must be a whole number from 1 to 200' },
    { query: 'limit=201', detail: 'limit: must be a whole number from 1 to 200' },
    { query: 'q=%00', detail: 'q: must not contain U+0000 or lone surrogates' },
    { query: 'cursor=x', detail: 'cursor: is not valid' },
  ])('$query is refused', async ({ query, detail }) => {
    const { status, body } = await ada.request('GET', `${TODOS}?${query}`)
    expect([status, body.detail]).toEqual([422, detail])
  })
})

describe('the order', () => {
  test('has days before none and the most pressing first, ties by age', async () => {
    const ada = await h.signedIn()
    for (const [title, due_date, priority] of [
      ['a', null, 'low'],
      ['b', '2026-03-06', 'none'],
      ['c', '2026-03-05', 'medium'],
      ['d', null, 'high'],
      ['e', '2026-03-05', 'low'],
    ]) {
      await createTodo(ada, { title, due_date, priority, position: 1 })
    }
    for (const [sort, order] of [
      ['position', 'edcba'],
      ['due_date', 'cebad'],
      ['priority', 'dcaeb'],
      ['created_at', 'abcde'],
    ]) {
      expect([sort, (await titles(ada, `sort=${sort}`)).join('')]).toEqual([sort, order])
      expect((await pages(ada, `sort=${sort}&limit=1`)).length).toBe(5)
    }
    expect((await titles(ada, '')).join('')).toBe('edcba')
  })

  test('A cursor is refused in any other list than its own', async () => {
    const ada = await h.signedIn()
    for (const title of ['a', 'b']) await createTodo(ada, { title, due_date: '2026-03-05' })
    for (const sort of SORTS) {
      const { next_cursor } = (await ada.request('GET', `${TODOS}?limit=1&sort=${sort}`)).body
      for (const other of SORTS) {
        const { status } = await ada.request('GET', `${TODOS}?sort=${other}&cursor=${next_cursor}`)
        expect([sort, other, status]).toEqual([sort, other, sort === other ? 200 : 422])
      }
    }
    for (const key of [
      ['position', 'NaN', 1],
      ['position', '1e9', 1],
      ['due_date', 'x', 1],
      ['priority', '9', 1],
      ['created_at', 'now', 1],
      ['position', '1', 0],
      ['position', '1', 1, 1],
      [],
      null,
    ]) {
      const cursor = Buffer.from(JSON.stringify(key)).toString('base64url')
      for (const sort of SORTS) {
        expect((await ada.request('GET', `${TODOS}?sort=${sort}&cursor=${cursor}`)).status).toBe(422)
      }
    }
  })
})

test.each(SORTS)(
  'by %s, what is inserted and deleted between pages repeats and skips nothing',
  async (sort) => {
    const ada = await h.signedIn()
    const days = [null, '2026-03-05', '2026-03-06']
    const priorities = ['none', 'low', 'medium', 'high']
    const made: number[] = []
    for (let i = 0; i < 12; i++) {
      made.push(
        (await createTodo(ada, { title: `${i}`, due_date: days[i % 3], priority: priorities[i % 4] })).id,
      )
    }
    const order = await pages(ada, `sort=${sort}&limit=200`)
    const gone: number[] = []
    const seen = await pages(ada, `sort=${sort}&limit=3`, async (ids) => {
      // The last one of the page, and the first one.
      for (const id of [ids.at(-1), ids.find((known) => !gone.includes(known))]) {
        if (id === undefined || gone.includes(id)) continue
        gone.push(id)
        expect((await ada.request('DELETE', `${TODOS}/${id}`)).status).toBe(204)
      }
      await createTodo(ada, { title: 'new', due_date: '1999-01-01', priority: 'high', position: 1 })
    })
    expect(gone.length).toBeGreaterThan(4)
    expect(seen.filter((id) => made.includes(id))).toEqual(order)
    expect(new Set(seen).size).toBe(seen.length)
  },
)

test('five thousand todos page whole in every order, and under a filter', async () => {
  const ada = await h.signedIn()
  const now = h.clock.now()
  const rows = Array.from({ length: 5000 }, (_, i) => ({
    userId: ada.row.id,
    listId: IN_DEFAULT_LIST,
    title: `Todo ${i}`,
    priority: (['none', 'low', 'medium', 'high'] as const)[i % 4] ?? 'none',
    dueDate: i % 3 === 0 ? null : `2026-03-${String((i % 28) + 1).padStart(2, '0')}`,
    rank: String(5000 - i),
    createdAt: addMinutes(now, i % 100),
    updatedAt: now,
  }))
  for (let from = 0; from < rows.length; from += 1000) {
    await h.db.insert(todos).values(rows.slice(from, from + 1000))
  }
  for (const sort of SORTS) {
    const ids = await pages(ada, `sort=${sort}&limit=200`)
    expect([sort, ids.length, new Set(ids).size]).toEqual([sort, 5000, 5000])
  }
  expect((await pages(ada, 'priority=high&limit=200')).length).toBe(1250)
  const { body } = await ada.request('GET', `${TODOS}?limit=3`)
  expect(
    body.todos.map(({ title, position }: { title: string; position: number }) => [title, position]),
  ).toEqual([
    ['Todo 4999', 1],
    ['Todo 4998', 2],
    ['Todo 4997', 3],
  ])
}, 30_000)

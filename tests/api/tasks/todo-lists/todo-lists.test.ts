import { describe, expect, test } from 'bun:test'
import { users } from '../../../../src/db/schema'
import { type Actor } from '../../../support/harness'
import { raceOf, statusesOf } from '../../../support/racing'
import { createList, defaultOf, listsOf, TODO_LISTS } from '../../../support/todo-lists'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const send = async (actor: Actor, method: string, path: string, body?: unknown) => {
  const answered = await actor.request(method, `${TODO_LISTS}${path}`, body === undefined ? {} : { body })
  return { status: answered.status, body: answered.body }
}
const refused = (status: number, detail: string) => ({ status, body: { detail } })
const NO_LIST = refused(404, 'Todo list not found')
const names = async (actor: Actor, query = '') => (await listsOf(actor, query)).map(({ name }) => name)

describe('GET /api/todo-lists', () => {
  test('answers the default list that every user has from the start, and nobody else’s', async () => {
    const [ada, other] = [await h.signedIn(), await h.signedIn()]
    await createList(other)
    expect((await send(ada, 'GET', '')).body).toEqual({
      todo_lists: [
        {
          id: expect.any(Number),
          name: 'Todos',
          color: '#3b82f6',
          is_default: true,
          position: 1,
          rank: '1',
          version: 1,
          created_at: '2026-03-04T10:30:00+01:00',
          updated_at: '2026-03-04T10:30:00+01:00',
        },
      ],
      next_cursor: null,
    })
  })

  test('answers them by position, in pages that together are the whole', async () => {
    const ada = await h.signedIn()
    for (const name of ['Zebra', 'Attic']) await createList(ada, { name })
    await createList(ada, { name: 'Middle', position: 2 })
    expect(await names(ada)).toEqual(['Todos', 'Middle', 'Zebra', 'Attic'])
    const first = (await send(ada, 'GET', '?limit=3')).body
    const second = (await send(ada, 'GET', `?limit=3&cursor=${first.next_cursor}`)).body
    const all = [...first.todo_lists, ...second.todo_lists]
    expect(all.map(({ position }) => position)).toEqual([1, 2, 3, 4])
    expect(all).toEqual(await listsOf(ada))
    expect([first.todo_lists.length, second.next_cursor]).toEqual([3, null])
    expect((await send(ada, 'GET', '?cursor=broken')).status).toBe(422)
  })
})

describe('POST /api/todo-lists', () => {
  test('creates one from its name: blue, not the default, the last one', async () => {
    const ada = await h.signedIn()
    const answered = await ada.request('POST', TODO_LISTS, {
      body: { name: '  Cafe\u0301  ', id: 1, user_id: 1, version: 9 },
    })
    expect([answered.status, answered.headers.get('etag')]).toEqual([201, '"1"'])
    expect(answered.body).toMatchObject({
      name: 'Caf\u00e9',
      color: '#3b82f6',
      is_default: false,
      position: 2,
      version: 1,
    })
    expect((await send(ada, 'GET', `/${answered.body.id}`)).body).toEqual(answered.body)
  })

  test('takes every field; a new default takes the place of the old one', async () => {
    const ada = await h.signedIn()
    const fields = { name: 'Shops', color: '#A0b1C2', is_default: true, position: 1 }
    expect(await createList(ada, fields)).toMatchObject(fields)
    expect((await listsOf(ada)).map(({ name, is_default, version }) => [name, is_default, version])).toEqual([
      ['Shops', true, 1],
      ['Todos', false, 2],
    ])
  })

  test('refuses a name that the user has already, as often as it is tried at once, and takes it from others', async () => {
    const [ada, other] = [await h.signedIn(), await h.signedIn()]
    const taken = refused(409, 'A todo list with this name exists')
    expect(await send(ada, 'POST', '', { name: ' Todos ' })).toEqual(taken)
    const answers = await raceOf(8, () => send(ada, 'POST', '', { name: 'Shops' }))
    expect(statusesOf(answers)).toEqual([201, ...Array(7).fill(409)])
    expect((await send(other, 'POST', '', { name: 'Shops' })).status).toBe(201)
    expect(await names(ada)).toEqual(['Todos', 'Shops'])
  })

  test('leaves one default list and whole positions after many creations at once', async () => {
    const ada = await h.signedIn()
    const body = (i: number) => ({ name: `N ${i}`, position: 1, is_default: i % 2 === 0 })
    expect(statusesOf(await raceOf(8, (i) => send(ada, 'POST', '', body(i))))).toEqual(Array(8).fill(201))
    const lists = await listsOf(ada)
    expect(lists.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect((await defaultOf(ada)).name).toStartWith('N ')
  })

  test('refuses what is no name, colour, flag or position', async () => {
    const ada = await h.signedIn()
    const bad = [
      {},
      { name: '' },
      { name: 'a'.repeat(101) },
      { name: 7 },
      { name: 'A', color: 'red' },
      { name: 'A', color: null },
      { name: 'A', is_default: 'yes' },
      { name: 'A', position: 0 },
    ]
    for (const body of bad) expect((await send(ada, 'POST', '', body)).status).toBe(422)
    expect(await names(ada)).toEqual(['Todos'])
  })
})

describe('PUT /api/todo-lists/{id}', () => {
  test('changes what is given and moves the list, and only what changed has a new version', async () => {
    const ada = await h.signedIn()
    const { id } = await createList(ada, { name: 'Shops' })
    const changed = await ada.request('PUT', `${TODO_LISTS}/${id}`, {
      body: { name: 'Market', color: '#000000', position: 1 },
    })
    expect([changed.status, changed.headers.get('etag')]).toEqual([200, '"2"'])
    expect(changed.body).toMatchObject({ name: 'Market', color: '#000000', position: 1, version: 2 })
    expect((await listsOf(ada)).map(({ name, version }) => [name, version])).toEqual([
      ['Market', 2],
      ['Todos', 1],
    ])
  })

  test('makes a list the default one, which cannot be unset', async () => {
    const ada = await h.signedIn()
    const { id } = await createList(ada)
    expect((await send(ada, 'PUT', `/${id}`, { is_default: false })).body.is_default).toBe(false)
    expect((await send(ada, 'PUT', `/${id}`, { is_default: true })).body.is_default).toBe(true)
    expect((await defaultOf(ada)).id).toBe(id)
    expect(await send(ada, 'PUT', `/${id}`, { is_default: false, name: 'X' })).toEqual(
      refused(409, 'The default list cannot be unset'),
    )
    expect((await send(ada, 'PUT', `/${id}`, { is_default: true, name: 'X' })).status).toBe(200)
  })

  test('refuses a taken name, a stale version and a list of somebody else', async () => {
    const [ada, other] = [await h.signedIn(), await h.signedIn()]
    const { id } = await createList(ada, { name: 'Shops' })
    expect(await send(ada, 'PUT', `/${id}`, { name: 'Todos' })).toEqual(
      refused(409, 'A todo list with this name exists'),
    )
    const stale = { headers: { 'if-match': '"7"' } }
    const path = `${TODO_LISTS}/${id}`
    expect((await ada.request('PUT', path, { body: { name: 'Y' }, ...stale })).status).toBe(412)
    expect((await ada.request('DELETE', path, stale)).status).toBe(412)
    for (const unknown of [id, 0, 2 ** 31, 'x']) {
      expect(await send(other, 'PUT', `/${unknown}`, { name: 'Y' })).toEqual(NO_LIST)
      expect(await send(other, 'DELETE', `/${unknown}`)).toEqual(NO_LIST)
      expect(await send(other, 'GET', `/${unknown}`)).toEqual(NO_LIST)
    }
    expect(await names(ada)).toEqual(['Todos', 'Shops'])
  })
})

describe('DELETE /api/todo-lists/{id}', () => {
  test('refuses the default list, and takes the one that was it before', async () => {
    const ada = await h.signedIn()
    const first = await defaultOf(ada)
    const { id } = await createList(ada)
    expect(await send(ada, 'DELETE', `/${first.id}`)).toEqual(
      refused(409, 'The default list cannot be deleted'),
    )
    await send(ada, 'PUT', `/${id}`, { is_default: true })
    expect((await send(ada, 'DELETE', `/${first.id}`)).status).toBe(204)
    expect(await listsOf(ada)).toMatchObject([{ id, is_default: true, position: 1 }])
  })
})

test('a user who comes into the database by whatever way has a default list', async () => {
  const now = h.clock.now()
  const made = await h.db
    .insert(users)
    .values(
      ['eve', 'fay'].map((username) => ({
        username,
        networkName: username,
        passwordHash: '',
        role: 'standard' as const,
        createdAt: now,
        updatedAt: now,
      })),
    )
    .returning()
  for (const { id } of made) {
    const { token } = await h.session(id)
    const { body } = await h.request('GET', TODO_LISTS, { cookie: token })
    expect(body.todo_lists).toMatchObject([{ name: 'Todos', is_default: true }])
  }
})

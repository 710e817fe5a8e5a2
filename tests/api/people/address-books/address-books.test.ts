import { describe, expect, test } from 'bun:test'
import { BOOKS, booksOf, defaultBook, newBook, nicknames, newPerson } from '../../../support/books'
import { raceOf, statusesOf } from '../../../support/racing'
import { pretendCount } from '../../../support/tallies'
import { useHarness } from '../../../support/use-harness'
import { useSql } from '../../../support/use-sql'

const ROUNDS = 20

const h = useHarness()
const sql = useSql(h)

const CONTACTS = { name: 'Contacts', color: '#3b82f6', is_default: true, position: 1, version: 1 }

describe('a new user', () => {
  test.each([
    [
      'who registers',
      async () => {
        const body = { username: 'newcomer', password: 'correct horse battery' }
        const { headers } = await h.request('POST', '/api/auth/setup', { body })
        return { cookie: headers.getSetCookie()[0]?.split(';')[0]?.split('=')[1] ?? '' }
      },
    ],
    ['of an administrator', async () => ({ cookie: (await h.signedIn()).token })],
  ])('%s has one address book, Contacts, which is the default', async (_, make) => {
    const { cookie } = await make()
    const { status, body } = await h.request('GET', BOOKS, { cookie })
    expect({ status, books: body.address_books, next: body.next_cursor }).toMatchObject({
      status: 200,
      books: [CONTACTS],
      next: null,
    })
  })
})

test('an address book is created with a name, colour and place, read, changed and moved', async () => {
  const ada = await h.signedIn()
  const work = await ada.request('POST', BOOKS, { body: { name: ' Work ', color: '#A0b1C2' } })
  expect(work.status).toBe(201)
  expect(work.headers.get('etag')).toBe('"1"')
  expect(work.body).toMatchObject({
    name: 'Work',
    color: '#A0b1C2',
    is_default: false,
    position: 2,
    version: 1,
  })
  const choir = (await ada.request('POST', BOOKS, { body: { name: 'Choir', position: 1 } })).body
  expect(choir).toMatchObject({ color: '#3b82f6', position: 1 })
  expect((await booksOf(ada)).map(({ name }) => name)).toEqual(['Choir', 'Contacts', 'Work'])
  const moved = await ada.request('PUT', `${BOOKS}/${choir.id}`, { body: { position: 99, color: '#000000' } })
  expect(moved.body).toMatchObject({ name: 'Choir', color: '#000000', position: 3, version: 2 })
  expect((await ada.request('GET', `${BOOKS}/${choir.id}`)).body).toEqual(moved.body)
  const pages: string[] = []
  for (let cursor = ''; ;) {
    const { body } = await ada.request('GET', `${BOOKS}?limit=2${cursor}`)
    pages.push(...body.address_books.map(({ name }: { name: string }) => name))
    if (body.next_cursor === null) break
    cursor = `&cursor=${body.next_cursor}`
  }
  expect(pages).toEqual(['Contacts', 'Work', 'Choir'])
})

test('the default address book may be renamed and moved, but not deleted', async () => {
  const ada = await h.signedIn()
  const [id] = [await defaultBook(ada), await newBook(ada)]
  const renamed = await ada.request('PUT', `${BOOKS}/${id}`, { body: { name: 'Friends', position: 2 } })
  expect(renamed.body).toMatchObject({ name: 'Friends', is_default: true, position: 2 })
  const refused = await ada.request('DELETE', `${BOOKS}/${id}`)
  expect([refused.status, refused.body.detail]).toEqual([409, 'The default address book cannot be deleted'])
  expect(await booksOf(ada)).toHaveLength(2)
})

describe('what is refused changes nothing', () => {
  test.each([
    ['a name that the user has already', { name: 'Contacts' }, 409, 'An address book with this name exists'],
    ['no name', { name: ' ' }, 422, ''],
    ['a name of more than 100 characters', { name: 'x'.repeat(101) }, 422, ''],
    ['a colour that is none', { name: 'W', color: 'red' }, 422, ''],
    ['a position before the first', { name: 'W', position: 0 }, 422, ''],
  ])('%s', async (_, body, status, detail) => {
    const ada = await h.signedIn()
    const id = await newBook(ada, 'Other')
    const before = await booksOf(ada)
    const created = await ada.request('POST', BOOKS, { body })
    const changed = await ada.request('PUT', `${BOOKS}/${id}`, { body })
    expect([created.status, changed.status]).toEqual([status, status])
    if (detail) expect([created.body.detail, changed.body.detail]).toEqual([detail, detail])
    expect(await booksOf(ada)).toEqual(before)
  })

  test("somebody else's address book is as one that does not exist", async () => {
    const [ada, bob] = [await h.signedIn(), await h.signedIn()]
    const id = await newBook(bob)
    const answers = [
      await ada.request('GET', `${BOOKS}/${id}`),
      await ada.request('PUT', `${BOOKS}/${id}`, { body: { name: 'Mine' } }),
      await ada.request('DELETE', `${BOOKS}/${id}`),
      await ada.request('POST', '/api/people', { body: { nickname: 'Eve', book_id: id } }),
      await ada.request('GET', `/api/people?book_id=${id}`),
      await ada.request('GET', `/api/people/export?book_id=${id}`),
    ]
    const refusals = answers.map(({ status, body }) => `${status} ${body.detail}`)
    expect(new Set(refusals)).toEqual(new Set(['404 Address book not found']))
    expect(await nicknames(ada)).toEqual([])
  })

  test('a change or deletion of another version than the expected one', async () => {
    const ada = await h.signedIn()
    const id = await newBook(ada)
    await ada.request('PUT', `${BOOKS}/${id}`, { body: { name: 'New' } })
    const headers = { 'if-match': '"1"' }
    const changed = await ada.request('PUT', `${BOOKS}/${id}`, { body: { name: 'Old' }, headers })
    const deleted = await ada.request('DELETE', `${BOOKS}/${id}`, { headers })
    expect([changed.status, deleted.status]).toEqual([412, 412])
    expect((await booksOf(ada)).map(({ name }) => name)).toEqual(['Contacts', 'New'])
  })

  test('the two hundred and first', async () => {
    const ada = await h.signedIn()
    await pretendCount(sql, ada, 'address_books', 200)
    const { status, body } = await ada.request('POST', BOOKS, { body: { name: 'One more' } })
    expect([status, body.detail]).toEqual([409, 'You have too many address books'])
  })
})

test('of several creations of one name at once exactly one succeeds', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const ada = await h.signedIn()
    const answers = await raceOf(4, () => ada.request('POST', BOOKS, { body: { name: 'Work' } }))
    expect(statusesOf(answers)).toEqual([201, 409, 409, 409])
    expect((await booksOf(ada)).map(({ name }) => name)).toEqual(['Contacts', 'Work'])
  }
})

test('several creations at once get different places', async () => {
  const ada = await h.signedIn()
  await raceOf(6, (i) => ada.request('POST', BOOKS, { body: { name: `Book ${i}`, position: 1 } }))
  expect((await booksOf(ada)).map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6, 7])
})

test('a person created while their address book is deleted goes with it, or is refused', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const ada = await h.signedIn()
    const id = await newBook(ada)
    const [created, deleted] = await raceOf(2, (i) =>
      i === round % 2
        ? ada.request('POST', '/api/people', { body: { nickname: 'Eve', book_id: id } })
        : ada.request('DELETE', `${BOOKS}/${id}`),
    ).then((answers) => (round % 2 === 0 ? answers : answers.toReversed()))
    expect(deleted?.status).toBe(204)
    expect([201, 404]).toContain(created?.status ?? 0)
    expect(await nicknames(ada)).toEqual([])
  }
})

test('an access token needs the scope of people', async () => {
  const ada = await h.signedIn()
  const tokenFor = async (scope: string) => {
    const body = { name: scope, scopes: [scope] }
    const { token } = (await ada.request('POST', '/api/auth/tokens', { body })).body
    return (method: string, sent = {}) =>
      h.request(method, BOOKS, { headers: { authorization: `Bearer ${token}` }, ...sent })
  }
  const [read, write, tasks] = [
    await tokenFor('people:read'),
    await tokenFor('people:write'),
    await tokenFor('tasks:write'),
  ]
  const body = { name: 'Work' }
  const statuses = [
    await read('GET'),
    await read('POST', { body }),
    await tasks('GET'),
    await write('POST', { body }),
  ]
  expect(statuses.map(({ status }) => status)).toEqual([200, 403, 403, 201])
})

test('deleting the account deletes its address books, also those of an administrator’s making', async () => {
  const [ada, bob] = [await h.signedIn(), await h.signedIn()]
  const id = await newBook(ada)
  await newPerson(ada, 'Grace', id)
  await newPerson(bob, 'Grace')
  const { status } = await ada.request('DELETE', '/api/auth/account', {
    body: { password: 'correct horse battery' },
  })
  expect(status).toBe(204)
  const left = await sql`
    select (select count(*)::integer from address_books where user_id = ${ada.row.id}) as books,
      (select count(*)::integer from people where user_id = ${ada.row.id}) as people,
      (select count(*)::integer from tallies where owner_id = ${ada.row.id} and kind = 'address_books') as tallies,
      (select count(*)::integer from history where owner_id = ${ada.row.id}) as history`
  expect([...left]).toEqual([{ books: 0, people: 0, tallies: 0, history: 0 }])
  expect(await nicknames(bob)).toEqual(['Grace'])
})

import { describe, expect, test } from 'bun:test'
import { people } from '../../../../src/db/schema'
import { BOOKS, booksOf, defaultBook, newBook, newPerson, nicknames } from '../../../support/books'
import { Follower } from '../../../support/changes'
import { connect, sociable } from '../../../support/connecting'
import type { Actor } from '../../../support/harness'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const bookOf = async (actor: Actor, id: number): Promise<unknown> =>
  (await actor.request('GET', `/api/people/${id}`)).body.book_id

test('a new person goes into the default address book, or into the one that is named', async () => {
  const ada = await h.signedIn()
  const [contacts, work] = [await defaultBook(ada), await newBook(ada)]
  const [grace, alan] = [await newPerson(ada, 'Grace'), await newPerson(ada, 'Alan', work)]
  expect([await bookOf(ada, grace), await bookOf(ada, alan)]).toEqual([contacts, work])
  expect(await nicknames(ada)).toEqual(['Alan', 'Grace'])
  expect(await nicknames(ada, contacts)).toEqual(['Grace'])
  expect(await nicknames(ada, work)).toEqual(['Alan'])
})

test('a person moves to another address book, and nothing else of them changes', async () => {
  const ada = await h.signedIn()
  const work = await newBook(ada)
  const id = await newPerson(ada, 'Grace')
  const before = (await ada.request('GET', `/api/people/${id}`)).body
  const { status, body } = await ada.request('PUT', `/api/people/${id}`, { body: { book_id: work } })
  expect(status).toBe(200)
  expect(body).toEqual({ ...before, book_id: work, version: 2, updated_at: body.updated_at })
})

test('a person cannot move to an address book of somebody else', async () => {
  const [ada, bob] = [await h.signedIn(), await h.signedIn()]
  const [id, foreign] = [await newPerson(ada, 'Grace'), await newBook(bob)]
  for (const book_id of [foreign, 2_000_000_000]) {
    const { status, body } = await ada.request('PUT', `/api/people/${id}`, {
      body: { book_id, nickname: 'G' },
    })
    expect([status, body.detail]).toEqual([404, 'Address book not found'])
  }
  const { nickname, book_id } = (await ada.request('GET', `/api/people/${id}`)).body
  expect([nickname, book_id]).toEqual(['Grace', await defaultBook(ada)])
})

test('the database refuses a person in an address book of another user', async () => {
  const [ada, bob] = [await h.signedIn(), await h.signedIn()]
  const now = h.clock.now()
  const row = {
    userId: ada.row.id,
    bookId: await defaultBook(bob),
    nickname: 'G',
    createdAt: now,
    updatedAt: now,
  }
  const written = h.db.insert(people).values(row)
  expect(
    await written.then(
      () => 'written',
      () => 'refused',
    ),
  ).toBe('refused')
})

test('the people of a new connection are in the default address books', async () => {
  const [ada, bob] = [await sociable(h), await sociable(h)]
  await newBook(ada)
  await connect(ada, bob)
  for (const one of [ada, bob]) expect(await nicknames(one, await defaultBook(one))).toHaveLength(1)
})

const card = (...names: string[]) =>
  names
    .map(
      (name) =>
        `BEGIN:VCARD\r\nVERSION:4.0\r\nUID:${name}\r\nFN:${name}\r\nNICKNAME:${name}\r\nEND:VCARD\r\n`,
    )
    .join('')

describe('vCards', () => {
  const take = async (ada: Actor, body: string, query = '') => {
    const headers = { 'content-type': 'text/vcard' }
    return ada.request('POST', `/api/people/import${query}`, { body, headers })
  }

  test('an import adds new people to the address book that it names, and leaves known ones where they are', async () => {
    const ada = await h.signedIn()
    const [contacts, work] = [await defaultBook(ada), await newBook(ada)]
    expect((await take(ada, card('Alan'))).body.created).toBe(1)
    const changed = card('Alan', 'Grace').replace('FN:Alan', 'FN:Alan T')
    const { body } = await take(ada, changed, `?book_id=${work}`)
    expect(body).toMatchObject({ created: 1, updated: 1 })
    expect(await nicknames(ada, contacts)).toEqual(['Alan'])
    expect(await nicknames(ada, work)).toEqual(['Grace'])
  })

  test('an import into an address book that is not there imports nobody, and says so also of a dry run', async () => {
    const ada = await h.signedIn()
    const [foreign] = [await newBook(await h.signedIn())]
    for (const query of [`?book_id=${foreign}`, `?book_id=${foreign}&dry_run=true`]) {
      const { status, body } = await take(ada, card('Alan'), query)
      expect([status, body.detail]).toEqual([404, 'Address book not found'])
    }
    expect(await nicknames(ada)).toEqual([])
  })

  test('an export names everybody, or the people in one address book, and importing it again changes nothing', async () => {
    const ada = await h.signedIn()
    const work = await newBook(ada)
    await newPerson(ada, 'Grace')
    await newPerson(ada, 'Alan', work)
    const [all, some] = [
      (await ada.request('GET', '/api/people/export')).body,
      (await ada.request('GET', `/api/people/export?book_id=${work}`)).body,
    ]
    expect([all.match(/BEGIN:VCARD/g)?.length, some.match(/BEGIN:VCARD/g)?.length]).toEqual([2, 1])
    expect(some).toContain('Alan')
    expect((await take(ada, all)).body).toMatchObject({ created: 0, updated: 0, unchanged: 2 })
    expect(await nicknames(ada, work)).toEqual(['Alan'])
  })
})

describe('a client that follows the changes', () => {
  test('knows all address books and where each person is', async () => {
    const ada = await h.signedIn()
    const follower = new Follower(ada)
    await follower.catchUp()
    const contacts = await defaultBook(ada)
    expect(follower.items.get(`address_book ${contacts}`)?.item).toMatchObject({ name: 'Contacts' })
    const work = await newBook(ada)
    const id = await newPerson(ada, 'Grace', work)
    await ada.request('PUT', `${BOOKS}/${work}`, { body: { color: '#000000' } })
    await follower.catchUp()
    expect(follower.items.get(`address_book ${work}`)?.item).toMatchObject({ color: '#000000' })
    expect(follower.items.get(`person ${id}`)).toMatchObject({ parent_id: work, item: { book_id: work } })
    await ada.request('PUT', `/api/people/${id}`, { body: { book_id: contacts } })
    await follower.catchUp()
    expect(follower.items.get(`person ${id}`)).toMatchObject({
      parent_id: contacts,
      item: { book_id: contacts },
    })
  })

  test('hears of everybody who goes with an address book, also if it follows people alone', async () => {
    const [ada, bob] = [await sociable(h), await sociable(h)]
    const work = await newBook(ada)
    const { own: connection } = await connect(ada, bob)
    const [linked] = (await ada.request('GET', '/api/people')).body.people
    await ada.request('PUT', `/api/people/${linked.id}`, { body: { book_id: work } })
    const grace = await newPerson(ada, 'Grace', work)
    const [all, some] = [new Follower(ada), new Follower(ada, 'person')]
    await all.catchUp()
    await some.catchUp()
    await ada.request('DELETE', `${BOOKS}/${work}`)
    await all.catchUp()
    await some.catchUp()
    const known = [`person ${grace}`, `person ${linked.id}`, `address_book ${work}`]
    expect(known.filter((name) => all.items.has(name) || some.items.has(name))).toEqual([])
    expect(all.items.get(`connection ${connection}`)?.item).toMatchObject({ person_id: null })
  })
})

test('the account’s export has the address books', async () => {
  const ada = await h.signedIn()
  await newBook(ada)
  const { address_books: books } = (await ada.request('GET', '/api/export')).body
  expect(books.map(({ id }: { id: number }) => id)).toEqual((await booksOf(ada)).map(({ id }) => id))
})

test('a batch refers to an address book that it has just made', async () => {
  const ada = await h.signedIn()
  const commands = [
    { key: 'b', method: 'POST', path: BOOKS, body: { name: 'Work' }, as: 'work' },
    { key: 'p', method: 'POST', path: '/api/people', body: { nickname: 'Grace', book_id: '{ref:work}' } },
  ]
  const { results } = (await ada.request('POST', '/api/batch', { body: { commands } })).body
  expect(results.map(({ status }: { status: number }) => status)).toEqual([201, 201])
  expect(results[1].body.book_id).toBe(results[0].body.id)
})

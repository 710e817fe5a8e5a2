import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { people } from '../../../../src/db/schema'
import { BOOKS, booksOf, defaultBook, newBook, newPerson, nicknames } from '../../../support/books'
import { connect, connectionsOf, sociable } from '../../../support/connecting'
import type { Actor } from '../../../support/harness'
import { brief, did, undo, undone } from '../../../support/undoing'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

interface Entry {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly parent_id: number | null
  readonly contains: number
}

const trashOf = async ({ request }: Actor, query = ''): Promise<Entry[]> =>
  (await request('GET', `/api/trash${query}`)).body.items

const restore = async (actor: Actor, query = '') => {
  const [entry] = await trashOf(actor, query)
  return did(actor, `POST /api/trash/${entry?.id}/restore`)
}

const idsOf = async ({ request }: Actor) =>
  (await request('GET', '/api/people')).body.people.map(({ id }: { id: number }) => id)

/** Somebody with an address book that two people are in, and a third elsewhere. */
async function stocked() {
  const ada = await h.signedIn()
  const work = await newBook(ada)
  const [grace, alan] = [await newPerson(ada, 'Grace', work), await newPerson(ada, 'Alan', work)]
  await newPerson(ada, 'Zoe')
  return { ada, work, grace, alan }
}

test('an address book goes to the trash with its people, as one entry', async () => {
  const { ada, work } = await stocked()
  const { status } = await ada.request('DELETE', `${BOOKS}/${work}`)
  expect(status).toBe(204)
  expect(await nicknames(ada)).toEqual(['Zoe'])
  expect(await trashOf(ada)).toMatchObject([
    { type: 'address_book', title: 'Work', parent_id: null, contains: 2 },
  ])
  expect(await trashOf(ada, '?type=person')).toEqual([])
})

test.each([
  ['undoing its deletion', (ada: Actor, operation: string) => undone(ada, operation)],
  ['the trash', (ada: Actor) => restore(ada)],
])(
  'an address book comes back by %s with its people under their ids, also on a repeated deletion',
  async (_, bring) => {
    const { ada, work } = await stocked()
    const [books, ids] = [await booksOf(ada), await idsOf(ada)]
    for (let round = 0; round < 2; round++) {
      const { operation } = await did(ada, `DELETE ${BOOKS}/${work}`)
      await bring(ada, operation)
      expect((await booksOf(ada)).map(({ id, name, position }) => ({ id, name, position }))).toEqual(
        books.map(({ id, name, position }) => ({ id, name, position })),
      )
      expect(await idsOf(ada)).toEqual(ids)
      expect(await nicknames(ada, work)).toEqual(['Alan', 'Grace'])
      expect(await trashOf(ada)).toEqual([])
    }
  },
)

test('an address book whose name and place are taken meanwhile comes back beside the other', async () => {
  const { ada, work } = await stocked()
  await ada.request('DELETE', `${BOOKS}/${work}`)
  const other = await newBook(ada)
  const { body } = await restore(ada)
  expect(body).toMatchObject({ type: 'address_book', id: work, item: { id: work, name: 'Work (2)' } })
  expect((await booksOf(ada)).map(({ id }) => id)).toEqual([await defaultBook(ada), other, work])
  expect(await nicknames(ada, work)).toEqual(['Alan', 'Grace'])
})

describe('a person whose address book is gone', () => {
  test('comes back from the trash, and by undoing their deletion, only after it', async () => {
    const { ada, work, grace, alan } = await stocked()
    await ada.request('DELETE', `/api/people/${grace}`)
    expect(await trashOf(ada)).toMatchObject([{ type: 'person', parent_id: work, contains: 0 }])
    const { operation } = await did(ada, `DELETE /api/people/${alan}`)
    await ada.request('DELETE', `${BOOKS}/${work}`)
    const [entry] = await trashOf(ada, '?type=person')
    const refusals = [
      await ada.request('POST', `/api/trash/${entry?.id}/restore`),
      await undo(ada, operation),
    ]
    expect(refusals.map(brief)).toEqual(Array(2).fill('409 Restore the address book first'))
    expect(await nicknames(ada)).toEqual(['Zoe'])
    await restore(ada, '?type=address_book')
    await restore(ada, '?type=person')
    await restore(ada, '?type=person')
    expect(await nicknames(ada, work)).toEqual(['Alan', 'Grace'])
  })

  test('comes into the default one by undoing their move, once it is gone for good', async () => {
    const { ada, work, grace } = await stocked()
    const club = await newBook(ada, 'Club')
    const { operation } = await did(ada, `PUT /api/people/${grace}`, { book_id: club })
    await ada.request('DELETE', `${BOOKS}/${work}`)
    const [book] = await trashOf(ada)
    await did(ada, `DELETE /api/trash/${book?.id}`)
    await undone(ada, operation)
    expect(await nicknames(ada, await defaultBook(ada))).toEqual(['Grace', 'Zoe'])
  })

  test('is not moved back there by undoing the move, until the address book is back', async () => {
    const { ada, work, grace } = await stocked()
    const contacts = await defaultBook(ada)
    const { operation } = await did(ada, `PUT /api/people/${grace}`, { book_id: contacts })
    await ada.request('DELETE', `${BOOKS}/${work}`)
    expect(brief(await undo(ada, operation))).toBe('409 Restore the address book first')
    expect(await nicknames(ada, contacts)).toEqual(['Grace', 'Zoe'])
    await restore(ada)
    await undone(ada, operation)
    expect(await nicknames(ada, work)).toEqual(['Alan', 'Grace'])
  })
})

test('a creation is not undone while people are in the address book, and says who', async () => {
  const ada = await h.signedIn()
  const { operation, body } = await did(ada, `POST ${BOOKS}`, { name: 'Work' })
  const grace = await newPerson(ada, 'Grace', body.id)
  const refused = await undo(ada, operation)
  expect(brief(refused)).toBe('409 Changed since')
  expect(refused.body.items).toEqual([{ type: 'person', id: grace, title: 'Grace' }])
  expect(await nicknames(ada, body.id)).toEqual(['Grace'])
})

test('a change is not undone over a later one', async () => {
  const { ada, work } = await stocked()
  const { operation } = await did(ada, `PUT ${BOOKS}/${work}`, { name: 'Office' })
  await did(ada, `PUT ${BOOKS}/${work}`, { color: '#000000' })
  expect(brief(await undo(ada, operation))).toBe('409 Changed since')
})

test('the list of operations names what happened to address books', async () => {
  const { ada, work } = await stocked()
  await did(ada, `DELETE ${BOOKS}/${work}`)
  const [last] = (await ada.request('GET', '/api/operations')).body.operations
  expect(last).toMatchObject({ operation: 'deleteAddressBook', title: 'Work', undoable: true })
  expect(last.items).toEqual([{ type: 'address_book', id: work }])
})

test('deleting for good takes the people along, and every image of them', async () => {
  const { ada, work, grace, alan } = await stocked()
  const operations = [
    await did(ada, `PUT /api/people/${grace}`, { notes: 'Canary' }),
    await did(ada, `DELETE ${BOOKS}/${work}`),
  ]
  const [entry] = await trashOf(ada)
  await did(ada, `DELETE /api/trash/${entry?.id}`)
  const left = await h.db
    .execute(sql`select from history where (tab = 'address_books' and row_key = ${String(work)})
    or (tab = 'people' and row_key in (${String(grace)}, ${String(alan)}))`)
  expect(left).toHaveLength(0)
  for (const { operation } of operations)
    expect(brief(await undo(ada, operation))).toBe('410 Too old to undo')
})

test('connections with people in a deleted address book stay, and are linked again when it comes back', async () => {
  const [ada, bob] = [await sociable(h), await sociable(h)]
  await connect(ada, bob)
  const work = await newBook(ada)
  const [id] = await idsOf(ada)
  await did(ada, `PUT /api/people/${id}`, { book_id: work })
  await did(ada, `DELETE ${BOOKS}/${work}`)
  expect(await connectionsOf(ada)).toMatchObject([{ user_id: bob.row.id, person_id: null }])
  await restore(ada)
  expect(await connectionsOf(ada)).toMatchObject([{ user_id: bob.row.id, person_id: id }])
})

test('an address book of five thousand people is deleted and comes back', async () => {
  const ada = await h.signedIn()
  const bookId = await newBook(ada)
  const stamps = { createdAt: h.clock.now(), updatedAt: h.clock.now() }
  const rows = Array.from({ length: 5000 }, (_, at) => ({
    userId: ada.row.id,
    bookId,
    nickname: `Person ${at}`,
    vcardUid: `uid-${at}`,
    ...stamps,
  }))
  for (let from = 0; from < rows.length; from += 1000)
    await h.db.insert(people).values(rows.slice(from, from + 1000))
  const { operation } = await did(ada, `DELETE ${BOOKS}/${bookId}`)
  expect(await nicknames(ada)).toEqual([])
  expect(await trashOf(ada)).toMatchObject([{ contains: 5000 }])
  await undone(ada, operation)
  const count = await h.db.$count(people, sql`book_id = ${bookId}`)
  expect(count).toBe(5000)
})

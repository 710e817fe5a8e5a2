import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { looseCards } from '../../../../src/db/schema'
import { BOOKS, defaultBook, newBook, newPerson } from '../../../support/books'
import type { Actor } from '../../../support/harness'
import { brief, did, undo, undone } from '../../../support/undoing'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const group = (uid: string, name = uid) =>
  ['BEGIN:VCARD', 'VERSION:4.0', 'KIND:group', `UID:${uid}`, `FN:${name}`, 'END:VCARD', ''].join('\r\n')

const take = async ({ request }: Actor, body: string, bookId?: number) => {
  const query = bookId === undefined ? '' : `?book_id=${bookId}`
  const answered = await request('POST', `/api/people/import${query}`, {
    body,
    headers: { 'content-type': 'text/vcard' },
  })
  expect(answered.status).toBe(200)
  return answered.body
}

const exported = async ({ request }: Actor, bookId?: number): Promise<string> =>
  (await request('GET', `/api/people/export${bookId === undefined ? '' : `?book_id=${bookId}`}`)).body

/** Somebody with a group in an address book of their own, and one in the default address book. */
async function stocked() {
  const ada = await h.signedIn()
  const [contacts, work] = [await defaultBook(ada), await newBook(ada)]
  await take(ada, group('home'))
  await take(ada, group('team'), work)
  return { ada, contacts, work }
}

test('an import adds new groups to the address book that it names, and leaves known ones where they are', async () => {
  const { ada, contacts, work } = await stocked()
  expect(await take(ada, group('home', 'Changed') + group('new'), work)).toMatchObject({
    created: 1,
    updated: 1,
  })
  expect(await exported(ada, contacts)).toBe(group('home', 'Changed'))
  expect(await exported(ada, work)).toBe(group('team') + group('new'))
})

test('an export of one address book has its groups only, one of everything has all', async () => {
  const { ada, contacts, work } = await stocked()
  expect(await exported(ada, contacts)).toBe(group('home'))
  expect(await exported(ada, work)).toBe(group('team'))
  expect(await exported(ada)).toBe(group('home') + group('team'))
  const { contact_groups: groups } = (await ada.request('GET', '/api/export')).body
  expect(groups).toMatchObject([
    { uid: 'home', book_id: contacts },
    { uid: 'team', book_id: work },
  ])
})

describe('the groups of a deleted address book', () => {
  test('go with it and come back with it, those of others stay', async () => {
    const { ada, work } = await stocked()
    for (let round = 0; round < 2; round++) {
      const { operation } = await did(ada, `DELETE ${BOOKS}/${work}`)
      expect(await exported(ada)).toBe(group('home'))
      if (round === 0) await undone(ada, operation)
      else {
        const [entry] = (await ada.request('GET', '/api/trash')).body.items
        await did(ada, `POST /api/trash/${entry.id}/restore`)
      }
      expect(await exported(ada, work)).toBe(group('team'))
    }
  })

  test('are gone for good with it, and so is every image of them', async () => {
    const { ada, work } = await stocked()
    await did(ada, `DELETE ${BOOKS}/${work}`)
    const [entry] = (await ada.request('GET', '/api/trash')).body.items
    await did(ada, `DELETE /api/trash/${entry.id}`)
    const left = await h.db.execute(
      sql`select from history where tab = 'loose_cards' and (before ->> 'book_id')::integer = ${work}`,
    )
    expect(left).toHaveLength(0)
  })
})

test('a creation is not undone while groups are in the address book', async () => {
  const ada = await h.signedIn()
  const { operation, body } = await did(ada, `POST ${BOOKS}`, { name: 'Work' })
  await take(ada, group('team'), body.id)
  const refused = await undo(ada, operation)
  expect(brief(refused)).toBe('409 Changed since')
  expect(refused.body.items).toEqual([{ type: 'address_book', id: body.id, title: 'Work' }])
  expect(await exported(ada, body.id)).toBe(group('team'))
})

test('a group whose address book is in the trash comes back by undoing its deletion only after it', async () => {
  const { ada, work } = await stocked()
  const { operation } = await did(
    ada,
    `POST /api/people/import?book_id=${work}`,
    group('other'),
    'text/vcard',
  )
  const undoing = await undone(ada, operation)
  const deletion = await did(ada, `DELETE ${BOOKS}/${work}`)
  expect(brief(await undo(ada, undoing))).toBe('409 Restore the address book first')
  await undone(ada, deletion.operation)
  await undone(ada, undoing)
  expect(await exported(ada, work)).toContain(group('other'))
})

test('an instance that names no address book puts a group into the default one', async () => {
  const ada = await h.signedIn()
  await newPerson(ada, 'Grace')
  const at = h.clock.now()
  await h.db
    .insert(looseCards)
    .values({ userId: ada.row.id, uid: 'a', text: group('a'), createdAt: at, updatedAt: at })
  expect(await exported(ada, await defaultBook(ada))).toContain(group('a'))
})

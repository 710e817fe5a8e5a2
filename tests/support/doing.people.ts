import { type Deed, deed, one, contact, cards, type Scene } from './doing.scene'
import { newBook, newPerson } from './books'
import { did } from './undoing'

/** An address book with two people, of whom one is linked to the guest. */
async function book({ me, connection }: Scene): Promise<number> {
  const id = await newBook(me, 'Work')
  await newPerson(me, 'Grace', id)
  const alan = await newPerson(me, 'Alan', id)
  await did(me, `PUT /api/people/${alan}/link`, { connection_id: connection })
  return id
}

/** Changes of people and address books that can be undone. */
export const OF_PEOPLE: readonly Deed[] = [
  deed(
    'createPerson',
    '',
    async ({ me }) =>
      () =>
        did(me, 'POST /api/people', { first_name: 'Alan' }),
  ),
  deed(
    'changePerson',
    '',
    one(contact, 'PUT', (id) => `/api/people/${id}`, { notes: 'Admiral', birthday: null }),
  ),
  deed('linkPerson', 'which takes the link from another', async (scene) => {
    const id = await contact(scene)
    return () => did(scene.me, `PUT /api/people/${id}/link`, { connection_id: scene.connection })
  }),
  deed(
    'deletePerson',
    '',
    one(contact, 'DELETE', (id) => `/api/people/${id}`),
  ),
  deed('importPeople', 'adds and changes people', async ({ me }) => {
    await did(me, 'POST /api/people/import', cards('Ann', 'Ben'), 'text/vcard')
    return () => did(me, 'POST /api/people/import', cards('Anna', 'Ben', 'Cem'), 'text/vcard')
  }),
  deed('changePerson', 'to another address book', async (scene) => {
    const [id, other] = [await contact(scene), await book(scene)]
    return () => did(scene.me, `PUT /api/people/${id}`, { book_id: other })
  }),
  deed('importPeople', 'into an address book', async (scene) => {
    const id = await book(scene)
    return () => did(scene.me, `POST /api/people/import?book_id=${id}`, cards('Ann', 'Ben'), 'text/vcard')
  }),
  deed('createAddressBook', 'before others', async ({ me }) => {
    await newBook(me, 'Work')
    return () => did(me, 'POST /api/address-books', { name: 'Choir', position: 1 })
  }),
  deed(
    'changeAddressBook',
    'moves and renames it',
    one(book, 'PUT', (id) => `/api/address-books/${id}`, { name: 'Office', color: '#123456', position: 1 }),
  ),
  deed(
    'deleteAddressBook',
    'with people, of whom one is linked',
    one(book, 'DELETE', (id) => `/api/address-books/${id}`),
  ),
]

import type { AddressBookChanges, AddressBookView } from '../../features/people/address-books/model'
import type { PersonFields, PersonView } from '../../features/people/people/model'
import { pathOf } from '../api/call'
import { change, creation, deletion, type Intent, localId } from '../store/commands'
import type { RecordOf } from '../store/kinds'
import { now } from '../time/now'

const personName = ({ id }: PersonView) => ({ kind: 'person' as const, id })
const personPath = ({ id }: PersonView) => pathOf`people/${id}`
const bookName = ({ id }: AddressBookView) => ({ kind: 'address_book' as const, id })
const bookPath = ({ id }: AddressBookView) => pathOf`address-books/${id}`

function freshRecord() {
  const at = now().toString()
  return { id: localId(), version: 0, created_at: at, updated_at: at }
}

/** A new person; without `book_id` in the default address book. */
export function creatingPerson(body: PersonFields, defaultBook: number, said: string): Intent {
  const item: PersonView = {
    first_name: null,
    last_name: null,
    nickname: null,
    email: null,
    phone: null,
    mobile: null,
    address: null,
    company: null,
    job_title: null,
    birthday: null,
    category: null,
    notes: null,
    is_favourite: false,
    book_id: defaultBook,
    age: null,
    linked_user_id: null,
    shared_profile: null,
    ...body,
    ...freshRecord(),
  }
  return creation({ kind: 'person', item }, 'people', { ...body }, { said })
}

export const changingPerson = (opened: PersonView, fields: PersonFields, said: string): Intent =>
  change(personName(opened), personPath(opened), fields, { said, opened })

export const deletingPerson = (person: PersonView, said: string): Intent =>
  deletion(personName(person), personPath(person), { said })

/** A connected user, as the store holds them. */
export type ConnectedUser = RecordOf<'connection'>

interface Linking {
  readonly person: PersonView
  /** None takes the link away. */
  readonly connection: ConnectedUser | undefined
  /** The person who is linked to this user so far. */
  readonly before: PersonView | undefined
}

const NO_LINK = { linked_user_id: null, shared_profile: null }

/** Says that a person is a connected user, so that they show what that user shares (contract: people.shared-profile). */
export const linkingPerson = ({ person, connection, before }: Linking, said: string): Intent => ({
  said,
  apply: [
    {
      ...personName(person),
      is: 'patch',
      fields: connection
        ? { linked_user_id: connection.user_id, shared_profile: connection.shared_profile }
        : NO_LINK,
    },
    ...(before ? [{ ...personName(before), is: 'patch' as const, fields: NO_LINK }] : []),
  ],
  request: {
    method: 'PUT',
    path: pathOf`people/${person.id}/link`,
    body: { connection_id: connection?.id ?? null },
  },
  guard: personName(person),
})

/** A new address book, after the last one. */
export function creatingBook(
  fields: Pick<AddressBookView, 'name' | 'color'>,
  last: AddressBookView | undefined,
  said: string,
): Intent {
  const item: AddressBookView = {
    ...fields,
    is_default: false,
    position: (last?.position ?? 0) + 1,
    rank: String(Number(last?.rank ?? 0) + 1),
    ...freshRecord(),
  }
  return creation(
    { kind: 'address_book', item },
    'address-books',
    { ...fields },
    { said, lane: 'address-books' },
  )
}

export const changingBook = (opened: AddressBookView, fields: AddressBookChanges, said: string): Intent =>
  change(bookName(opened), bookPath(opened), fields, { said, opened })

/** Puts an address book where another one stands. The rank on this device lies beyond that one's until the service gives its own. */
export function movingBook(
  books: readonly AddressBookView[],
  book: AddressBookView,
  steps: 1 | -1,
  said: string,
): Intent {
  const place = books.indexOf(book) + steps
  const [next, beyond] = [books[place], books[place + steps]]
  const rank = Number(next?.rank ?? 0)
  const moved = String(beyond ? (rank + Number(beyond.rank)) / 2 : rank + steps)
  const intent = changingBook(book, { position: place + 1 }, said)
  return {
    ...intent,
    apply: [{ ...bookName(book), is: 'patch', fields: { position: place + 1, rank: moved } }],
    lane: 'address-books',
  }
}

/** Deletes an address book with the people in it. */
export const deletingBook = (book: AddressBookView, people: readonly PersonView[], said: string): Intent => {
  const intent = deletion(bookName(book), bookPath(book), { said })
  return {
    ...intent,
    apply: [...intent.apply, ...people.map((person) => ({ ...personName(person), is: 'delete' as const }))],
  }
}

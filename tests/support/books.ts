import type { Actor } from './harness'

/** What the tests of address books do over and over. */

export const BOOKS = '/api/address-books'

interface Book {
  readonly id: number
  readonly name: string
  readonly is_default: boolean
  readonly position: number
}

type Reader = Pick<Actor, 'request'>

/** The address books in their order. */
export const booksOf = async ({ request }: Reader): Promise<Book[]> =>
  (await request('GET', BOOKS)).body.address_books

export async function defaultBook(actor: Reader): Promise<number> {
  const book = (await booksOf(actor)).find((one) => one.is_default)
  if (!book) throw new Error('no default address book')
  return book.id
}

/** The id of what a request has made; anything but 201 is an error. */
async function made({ request }: Reader, path: string, body: object): Promise<number> {
  const answered = await request('POST', path, { body })
  if (answered.status !== 201) throw new Error(`${path}: ${answered.status} ${JSON.stringify(answered.body)}`)
  return answered.body.id
}

export const newBook = (actor: Reader, name = 'Work'): Promise<number> => made(actor, BOOKS, { name })

/** A person in the address book, or in the default one. */
export const newPerson = (actor: Reader, nickname: string, book_id?: number): Promise<number> =>
  made(actor, '/api/people', { nickname, book_id })

/** The nicknames of the people in the address book, or of all. */
export async function nicknames({ request }: Reader, bookId?: number): Promise<string[]> {
  const filter = bookId === undefined ? '' : `?book_id=${bookId}`
  const people: Array<{ nickname: string }> = (await request('GET', `/api/people${filter}`)).body.people
  return people.map(({ nickname }) => nickname)
}

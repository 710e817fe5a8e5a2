import type { Db, Tx } from '../../../db/client'
import { rankAt } from '../../../db/ordering'
import { inTransaction } from '../../../db/transaction'
import type { Deps, ReadDeps, WriteDeps } from '../../../deps'
import { violatedUnique } from '../../../lib/database-failure'
import { conflict, notFound } from '../../../lib/errors'
import { isId } from '../../../lib/wire/id'
import { type ById, readPage, toPage } from '../../../lib/wire/page'
import { formatInstant } from '../../../lib/time/time'
import { isExpected, stale, type Target } from '../../../lib/wire/versions'
import { lockUserOf, type SessionKey } from '../../../access/sessions/service'
import type {
  AddressBookChanges,
  AddressBooksPage,
  AddressBooksQuery,
  AddressBookView,
  NewAddressBook,
} from './model'
import * as q from './queries'
import { DEFAULT_COLOR, isRankKey, refusalOfDeletion } from './rules'

/** Returns a page of the caller's address books, by position. @throws {AppError} 422 for a cursor of another list. */
export async function listAddressBooks(
  { db, config }: ReadDeps,
  userId: number,
  query: AddressBooksQuery,
): Promise<AddressBooksPage> {
  const { limit, after } = readPage(query, isRankKey)
  const rows = await q.list(db, userId, after?.[0], limit + 1)
  const { page, next_cursor } = toPage(rows, limit, ({ rank }) => [rank])
  return { address_books: page.map((row) => toView(config.timeZone, row)), next_cursor }
}

/** Returns the user's address books by id: a page of them, or those that are named. */
export const pageAddressBooksById = async (
  { db, config }: ReadDeps,
  userId: number,
  byId: ById,
): Promise<AddressBookView[]> =>
  (await q.pageById(db, userId, byId)).map((row) => toView(config.timeZone, row))

/** @throws {AppError} 404. */
export const readAddressBook = async (
  { db, config }: ReadDeps,
  userId: number,
  id: number,
): Promise<AddressBookView> => toView(config.timeZone, required(await q.find(db, userId, id)))

/**
 * Creates an address book, at the end of the list unless a position is given.
 * @throws {AppError} 409 when the caller already has an address book of that name, or too many.
 */
export const createAddressBook = (
  deps: WriteDeps,
  session: SessionKey,
  { name, color = DEFAULT_COLOR, position }: NewAddressBook,
): Promise<AddressBookView> =>
  unlessTaken(deps, session, (tx, now) =>
    q.insert(tx, { userId: session.userId, name, color, createdAt: now, updatedAt: now }, position),
  )

/**
 * Changes the given fields; a position moves the address book there.
 * @throws {AppError} 404, 409 when the caller already has an address book of that name, 412 for another version than the expected
 * one.
 */
export const changeAddressBook = (
  deps: WriteDeps,
  session: SessionKey,
  target: Target,
  { name, color, position }: AddressBookChanges,
): Promise<AddressBookView> =>
  unlessTaken(deps, session, async (tx, now) => {
    const { userId } = session
    const { id, version } = await lock(tx, userId, target)
    const rank = position === undefined ? undefined : await rankAt(tx, q.listOf(userId), position, id)
    await q.update(tx, id, { name, color, rank, version: version + 1, updatedAt: now })
    return id
  })

/**
 * Deletes an address book and the people in it. Their connections stay.
 * @throws {AppError} 404, 409 for the default address book, 412 for another version than the expected one.
 */
export const deleteAddressBook = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  session: SessionKey,
  target: Target,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    await lockUserOf(tx, session, clock.now())
    const book = await lock(tx, session.userId, target)
    const refusal = refusalOfDeletion(book)
    if (refusal) throw refusal
    await q.remove(tx, book.id)
  })

interface OwnBook {
  readonly userId: number
  readonly id: number
  readonly now: Date
}

/** Like `createAddressBook`, for a user whose row is locked. @throws {AppError} 409 for too many. */
export const addAddressBook = async (
  tx: Tx,
  {
    userId,
    name,
    color = DEFAULT_COLOR,
    now,
  }: Omit<OwnBook, 'id'> & { readonly name: string; readonly color: string | undefined },
): Promise<{ readonly id: number }> => ({
  id: await q.insert(tx, { userId, name, color, createdAt: now, updatedAt: now }, undefined),
})

/** Like `changeAddressBook`, for a user whose row is locked. @throws {AppError} 404. */
export async function changeOwnAddressBook(
  tx: Tx,
  { userId, id, now }: OwnBook,
  changes: Pick<AddressBookChanges, 'name' | 'color'>,
): Promise<void> {
  const { version } = await lock(tx, userId, { id, expected: undefined })
  await q.update(tx, id, { ...changes, version: version + 1, updatedAt: now })
}

/** The names of the user's address books, but for one. */
export const namesOfAddressBooks = (tx: Tx, userId: number, exceptId?: number): Promise<string[]> =>
  q.names(tx, userId, exceptId)

/** A writer has locked the user, so that the address book stays. @throws {AppError} 404 unless the user owns it. */
export async function requireAddressBook(db: Db | Tx, userId: number, id: number): Promise<void> {
  if (!isId(id) || !(await q.exists(db, userId, id))) throw notFound('Address book')
}

/** @throws {AppError} 404, 412. */
async function lock(tx: Tx, userId: number, { id, expected }: Target): Promise<q.BookRow> {
  const book = await q.lock(tx, userId, id)
  if (!book) throw notFound('Address book')
  if (!isExpected(book.version, expected)) throw stale()
  return book
}

/** Runs `write`, which returns the id of the address book, with the user's row locked. */
async function unlessTaken(
  { db, clock, config }: WriteDeps,
  session: SessionKey,
  write: (tx: Tx, now: Date) => Promise<number>,
): Promise<AddressBookView> {
  const { userId } = session
  try {
    return await inTransaction(db, async (tx) => {
      const now = clock.now()
      await lockUserOf(tx, session, now)
      return toView(config.timeZone, required(await q.find(tx, userId, await write(tx, now))))
    })
  } catch (error) {
    throw violatedUnique(error) === 'address_books_user_id_name_key'
      ? conflict('An address book with this name exists')
      : error
  }
}

function required(book: q.PlacedBook | undefined): q.PlacedBook {
  if (!book) throw notFound('Address book')
  return book
}

const toView = (zone: string, book: q.PlacedBook): AddressBookView => ({
  id: book.id,
  name: book.name,
  color: book.color,
  is_default: book.isDefault,
  position: book.position,
  rank: book.rank,
  version: book.version,
  created_at: formatInstant(zone, book.createdAt),
  updated_at: formatInstant(zone, book.updatedAt),
})

import type { Tx } from '../../../db/client'
import { people } from '../../../db/schema'
import { inTransaction } from '../../../db/transaction'
import type { Deps, WriteDeps } from '../../../deps'
import { violatedUnique } from '../../../lib/database-failure'
import { conflict, invalidField, notFound } from '../../../lib/errors'
import { type ById, type PageQuery, readPage, toFittingPage } from '../../../lib/wire/page'
import { formatInstant } from '../../../lib/time/time'
import { isExpected, stale, type Target } from '../../../lib/wire/versions'
import { ageOn } from '../../../lib/time/birthdays'
import { requireAddressBook } from '../address-books/service'
import { otherSideOf } from '../connections/service'
import { releaseLink } from '../linked-people/service'
import { listVersions } from '../../../access/versions/service'
import { lockUserOf, type SessionKey } from '../../../access/sessions/service'
import { type Reader, todayOf } from '../../../access/reader/service'
import { profilesFor } from '../sharing/service'
import type { PeoplePage, PeopleQuery, PersonFields, PersonHistory, PersonView } from './model'
import * as q from './queries'
import { isNamed, isUnborn } from './rules'
import { isKeyOf } from './rules.sorting'

/**
 * Returns a page of the user's people that match the filter.
 * @throws {AppError} 404 for the address book, 422 for a cursor of another order.
 */
export async function listPeople(
  deps: WriteDeps,
  reader: Reader,
  { sort = 'name', q: text, book_id: bookId, category, is_favourite: isFavourite, ...paging }: PeopleQuery,
): Promise<PeoplePage> {
  const { limit, after } = readPage(paging, isKeyOf(sort))
  if (bookId !== undefined) await requireAddressBook(deps.db, reader.userId, bookId)
  const filter = { userId: reader.userId, text, bookId, category, isFavourite, sort, after }
  const rows = await q.list(deps.db, filter, limit + 1)
  const { page, next_cursor } = toFittingPage(rows, limit, ({ sortValue, id }) => [sort, sortValue, id])
  return { people: await toViews(deps, reader, page), next_cursor }
}

/** Returns the user's people by id: a page of them, or those that are named. */
export const pagePeopleById = async (deps: WriteDeps, reader: Reader, byId: ById): Promise<PersonView[]> =>
  toViews(deps, reader, await q.pageById(deps.db, reader.userId, byId))

/** @throws {AppError} 404. */
export async function readPerson(deps: WriteDeps, reader: Reader, id: number): Promise<PersonView> {
  const row = await q.find(deps.db, reader.userId, id)
  if (!row) throw notFound('Person')
  return toView(deps, reader, row)
}

/** Returns a page of the person's versions. @throws {AppError} 404, 422 for a cursor of another list. */
export async function listPersonVersions(
  deps: WriteDeps,
  reader: Reader,
  id: number,
  query: PageQuery,
): Promise<PersonHistory> {
  const row = await q.find(deps.db, reader.userId, id)
  if (!row) throw notFound('Person')
  const toVersions = (rows: readonly q.PersonRow[]) => toViews(deps, reader, rows)
  return listVersions(deps, reader, query, { table: people, columns: q.columns, row, toViews: toVersions })
}

/**
 * Adds a person, to the default address book unless another one is named.
 * @throws {AppError} 404 for the address book, 422 for a person without a name, or with a birthday in the future.
 */
export async function createPerson(
  deps: WriteDeps,
  reader: Reader,
  fields: PersonFields,
): Promise<PersonView> {
  const now = deps.clock.now()
  refuseFutureBirth(fields, todayOf(deps, reader.owner))
  refuseNameless(toNames(fields))
  const row = await inTransaction(deps.db, async (tx) => {
    await lockUserOf(tx, reader, now)
    await refuseForeignBook(tx, reader, fields)
    return q.insert(tx, { ...toColumns(fields), userId: reader.userId, createdAt: now, updatedAt: now })
  })
  return toView(deps, reader, row)
}

/**
 * Changes the given fields; another address book moves the person there.
 * @throws {AppError} 401, 404 for the person and the address book, 409 for an address book in which somebody has the same UID, 412 for
 * another version than the expected one, 422.
 */
export async function changePerson(
  deps: WriteDeps,
  reader: Reader,
  { id, expected }: Target,
  changes: PersonFields,
): Promise<PersonView> {
  refuseFutureBirth(changes, todayOf(deps, reader.owner))
  const write = async (tx: Tx) => {
    const now = deps.clock.now()
    await lockUserOf(tx, reader, now)
    const stored = await q.lock(tx, reader.userId, id)
    if (!stored) throw notFound('Person')
    if (!isExpected(stored.version, expected)) throw stale()
    await refuseForeignBook(tx, reader, changes)
    const { firstName, lastName, nickname } = stored
    refuseNameless(toNames(changes, { firstName, lastName, nickname }))
    const changed = await q.update(tx, stored, { ...toColumns(changes), updatedAt: now })
    if (!changed) throw stale()
    return changed
  }
  try {
    return await toView(deps, reader, await inTransaction(deps.db, write))
  } catch (error) {
    throw violatedUnique(error) === 'people_book_id_vcard_uid_key'
      ? conflict('Somebody in this address book has the same UID')
      : error
  }
}

/**
 * Links the person to the other side of the user's connection, or to nobody when `connectionId` is null. The person loses its
 * former link. Another person who was linked to that user is unlinked and otherwise unchanged.
 * @throws {AppError} 401, 404 for the person and the connection, 412 for another version than the expected one.
 */
export async function linkPerson(
  deps: WriteDeps,
  reader: Reader,
  { id, expected }: Target,
  connectionId: number | null,
): Promise<PersonView> {
  const { userId } = reader
  const row = await inTransaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    await lockUserOf(tx, reader, now)
    const stored = await q.lock(tx, userId, id)
    if (!stored) throw notFound('Person')
    if (!isExpected(stored.version, expected)) throw stale()
    const linkedUserId = connectionId === null ? null : await otherSideOf(tx, userId, connectionId)
    if (stored.linkedUserId === linkedUserId) return stored
    if (linkedUserId !== null) await releaseLink(tx, [userId, linkedUserId], now)
    const changed = await q.update(tx, stored, { linkedUserId, updatedAt: now })
    if (!changed) throw stale()
    return changed
  })
  return toView(deps, reader, row)
}

/**
 * Those to whom these people of the user were linked, as far as the history knows: fields may still be what they shared. A name is
 * null where they are gone.
 */
export const formerLinksOf = (
  { db }: Pick<Deps, 'db'>,
  { userId }: Pick<Reader, 'userId'>,
  ids: readonly number[],
) => q.formerLinks(db, userId, ids)

/** @throws {AppError} 401, 404, 412 for another version than the expected one. */
export const deletePerson = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  session: SessionKey,
  { id, expected }: Target,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const { userId } = session
    await lockUserOf(tx, session, clock.now())
    if (await q.remove(tx, userId, id, expected)) return
    throw (await q.find(tx, userId, id)) ? stale() : notFound('Person')
  })

/** @throws {AppError} 404. */
async function refuseForeignBook(
  tx: Tx,
  { userId }: Reader,
  { book_id: bookId }: PersonFields,
): Promise<void> {
  if (bookId !== undefined) await requireAddressBook(tx, userId, bookId)
}

/** @throws {AppError} 422. */
function refuseFutureBirth({ birthday }: PersonFields, today: string): void {
  if (isUnborn(birthday, today)) throw invalidField('birthday', 'must not be in the future')
}

type Names = Parameters<typeof isNamed>[0]
const NO_NAMES: Names = { firstName: null, lastName: null, nickname: null }

/** The names after the change; undefined leaves a name as it is. */
const toNames = (fields: PersonFields, stored = NO_NAMES): Names => ({
  firstName: fields.first_name === undefined ? stored.firstName : fields.first_name,
  lastName: fields.last_name === undefined ? stored.lastName : fields.last_name,
  nickname: fields.nickname === undefined ? stored.nickname : fields.nickname,
})

/** @throws {AppError} 422. */
function refuseNameless(names: Names): void {
  if (!isNamed(names)) throw invalidField('first_name', 'is required without a last_name or nickname')
}

/** Undefined leaves a column as it is. */
const toColumns = (fields: PersonFields) => ({
  bookId: fields.book_id,
  firstName: fields.first_name,
  lastName: fields.last_name,
  nickname: fields.nickname,
  email: fields.email,
  phone: fields.phone,
  mobile: fields.mobile,
  address: fields.address,
  company: fields.company,
  jobTitle: fields.job_title,
  birthday: fields.birthday,
  category: fields.category,
  notes: fields.notes,
  isFavourite: fields.is_favourite,
})

async function toView(deps: WriteDeps, reader: Reader, row: q.PersonRow): Promise<PersonView> {
  const [view] = await toViews(deps, reader, [row])
  if (!view) throw new Error('toViews returned no view')
  return view
}

async function toViews(deps: WriteDeps, reader: Reader, rows: readonly q.PersonRow[]): Promise<PersonView[]> {
  const linked = rows.flatMap(({ linkedUserId }) => linkedUserId ?? [])
  const profiles = await profilesFor(deps.db, reader.userId, linked)
  const today = todayOf(deps, reader.owner)
  const at = (instant: Date) => formatInstant(deps.config.timeZone, instant)
  return rows.map((row) => ({
    id: row.id,
    book_id: row.bookId,
    first_name: row.firstName,
    last_name: row.lastName,
    nickname: row.nickname,
    email: row.email,
    phone: row.phone,
    mobile: row.mobile,
    address: row.address,
    company: row.company,
    job_title: row.jobTitle,
    birthday: row.birthday,
    age: ageOn(row.birthday, today),
    category: row.category,
    notes: row.notes,
    is_favourite: row.isFavourite,
    linked_user_id: row.linkedUserId,
    shared_profile: profiles.get(row.linkedUserId ?? 0)?.shared ?? null,
    version: row.version,
    created_at: at(row.createdAt),
    updated_at: at(row.updatedAt),
  }))
}

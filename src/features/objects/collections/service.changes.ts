import type { Tx } from '../../../db/client'
import { inTransaction } from '../../../db/transaction'
import type { Deps, WriteDeps } from '../../../deps'
import { AppError, forbidden } from '../../../lib/errors'
import { lockUserOf, type SessionKey } from '../../../access/sessions/service'
import {
  addCalendar,
  changeSeenCalendar,
  deleteCalendar,
  namesOfCalendars,
  removeCalendar,
} from '../../calendars/calendars/service'
import { leaveCalendar } from '../../calendars/members/service'
import {
  addAddressBook,
  changeOwnAddressBook,
  deleteAddressBook,
  namesOfAddressBooks,
} from '../../people/address-books/service'
import {
  addTodoList,
  changeOwnTodoList,
  deleteTodoList,
  namesOfTodoLists,
  removeTodoList,
} from '../../tasks/todo-lists/service'
import * as q from './queries'
import {
  type Collection,
  type CollectionKind,
  freeName,
  type Halves,
  homeOf,
  isReservedSlug,
  type CollectionPart,
  type PartKind,
  partsOf,
  placeOfCollection,
} from './rules'

/** What becomes of properties that clients keep. */
export interface PropertyChanges {
  readonly kept: ReadonlyMap<string, string>
  readonly forgotten: readonly string[]
}

export interface CollectionChanges extends PropertyChanges {
  readonly name?: string | undefined
  readonly color?: string | undefined
}

/** The most properties that clients may keep with one place. */
const MAX_PROPERTIES = 100
export const TOO_MANY_PROPERTIES = 'too_many_properties'

interface NewCollection extends CollectionChanges {
  readonly kind: CollectionKind
  readonly slug: string
}

/** What is changed, of which user. */
interface OwnCollection {
  readonly userId: number
  readonly id: number
  readonly now: Date
}

/** How what a collection is in JSON is changed, by a user whose row is locked. */
interface Keeper {
  /** The names that are taken, but for that of one. */
  readonly names: (tx: Tx, userId: number, exceptId?: number) => Promise<string[]>
  readonly add: (
    tx: Tx,
    given: {
      readonly userId: number
      readonly name: string
      readonly color: string | undefined
      readonly now: Date
    },
  ) => Promise<{ readonly id: number }>
  readonly change: (
    tx: Tx,
    target: OwnCollection,
    changes: { readonly name?: string; readonly color?: string },
  ) => Promise<void>
  /** Deletes what is the user's own, and leaves what is somebody else's. */
  readonly remove: (deps: WriteDeps, session: SessionKey, collection: Collection) => Promise<void>
}

const KEEPERS: Record<PartKind, Keeper> = {
  calendar: {
    names: namesOfCalendars,
    add: addCalendar,
    change: changeSeenCalendar,
    remove: (deps, session, { id, isOthers }) =>
      isOthers ? leaveCalendar(deps, session, id) : deleteCalendar(deps, session, id),
  },
  book: {
    names: namesOfAddressBooks,
    add: addAddressBook,
    change: changeOwnAddressBook,
    remove: (deps, session, { id }) => deleteAddressBook(deps, session, { id, expected: undefined }),
  },
  birthdays: {
    names: namesOfCalendars,
    add: () => Promise.reject(forbidden('Every user has one calendar of birthdays')),
    change: changeSeenCalendar,
    remove: () => Promise.reject(forbidden('System calendars cannot be deleted')),
  },
  list: {
    names: namesOfTodoLists,
    add: addTodoList,
    change: changeOwnTodoList,
    remove: (deps, session, { id }) => deleteTodoList(deps, session, { id, expected: undefined }),
  },
  // Every user has their reminders. What clients call them is theirs alone.
  reminders: {
    names: async () => [],
    add: () => Promise.reject(forbidden('Reminders are there already')),
    change: async () => {},
    remove: () => Promise.reject(forbidden('Reminders cannot be deleted')),
  },
}

type MakeDeps = Pick<Deps, 'db' | 'clock'>

/** Why a collection cannot be made at an address. */
type Obstacle = 'taken' | 'reserved'

/**
 * Makes a collection at the address that a client chose, with all that it asks for or not at all (contract: dav.collections).
 * @throws {AppError} 401, 409 for too many properties.
 */
export async function makeCollection(
  { db, clock }: MakeDeps,
  session: SessionKey,
  { kind, slug, name = slug, color, ...properties }: NewCollection,
): Promise<Obstacle | undefined> {
  const { userId } = session
  if (isReservedSlug(slug)) return 'reserved'
  return inTransaction(db, async (tx) => {
    const now = clock.now()
    await lockUserOf(tx, session, now)
    const address = { userId, home: homeOf({ kind }), slug }
    if (await q.isSlugTaken(tx, address)) return 'taken'
    const [first, second] = await addParts(tx, kind, { userId, name, color, now })
    await q.keepSlug(tx, address, first, second)
    for (const part of [first, second]) if (part) await keep(tx, userId, placeOfCollection(part), properties)
    return undefined
  })
}

type Made = Pick<CollectionPart, 'kind' | 'id'>

/** Adds what a collection consists of. @throws {AppError} 409 for too many. */
async function addParts(
  tx: Tx,
  kind: CollectionKind,
  given: Parameters<Keeper['add']>[1],
): Promise<readonly [Made, Made?]> {
  const add = async (part: PartKind): Promise<Made> => {
    const keeper = KEEPERS[part]
    const name = freeName(given.name, await keeper.names(tx, given.userId))
    return { kind: part, id: (await keeper.add(tx, { ...given, name })).id }
  }
  return kind === 'mixed' ? [await add('calendar'), await add('list')] : [await add(kind)]
}

/** Changes what the user sees of a collection, all of it or nothing. @throws {AppError} 401, 403, 404, 409. */
export async function changeCollection(
  { db, clock }: MakeDeps,
  session: SessionKey,
  collection: Collection,
  changes: CollectionChanges,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const now = clock.now()
    await lockUserOf(tx, session, now)
    for (const part of changedIn(collection))
      await changePart(tx, { userId: session.userId, id: part.id, now }, part, changes)
  })
}

/** Of a mixed collection only the halves that the app password may write. */
const changedIn = (collection: Collection): readonly CollectionPart[] =>
  partsOf(collection).filter(({ access }) => !collection.halves || access !== 'read')

async function changePart(
  tx: Tx,
  target: OwnCollection,
  { kind, id, access }: CollectionPart,
  { name, color, ...properties }: CollectionChanges,
): Promise<void> {
  const { userId } = target
  const keeper = KEEPERS[kind]
  // Whoever does not own the calendar, or may not rename it, has a name for it that is a property of their own.
  const renamed =
    name === undefined || access !== 'owner' ? undefined : freeName(name, await keeper.names(tx, userId, id))
  if (renamed !== undefined || color !== undefined)
    await keeper.change(tx, target, {
      ...(renamed !== undefined && { name: renamed }),
      ...(color !== undefined && { color }),
    })
  await keep(tx, userId, placeOfCollection({ kind, id }), properties)
}

/** Keeps properties with a place that is no collection. @throws {AppError} 401, 409. */
export const changeProperties = (
  { db, clock }: MakeDeps,
  session: SessionKey,
  place: string,
  properties: PropertyChanges,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    await lockUserOf(tx, session, clock.now())
    await keep(tx, session.userId, place, properties)
  })

async function keep(
  tx: Tx,
  userId: number,
  place: string,
  { kept, forgotten }: PropertyChanges,
): Promise<void> {
  await q.forgetProperties(tx, userId, place, forgotten)
  await q.keepProperties(tx, userId, place, kept)
  if ((await q.countProperties(tx, userId, place)) > MAX_PROPERTIES)
    throw new AppError('conflict', 'Too many properties', { code: TOO_MANY_PROPERTIES })
}

/** Deletes an own collection, or leaves somebody else's. @throws {AppError} 401, 403 for a default one, 404. */
export async function leaveOrDelete(
  deps: WriteDeps,
  session: SessionKey,
  collection: Collection,
): Promise<void> {
  if (collection.isDefault) throw forbidden('A default collection cannot be deleted')
  if (collection.halves) return deleteBoth(deps, session, collection.halves)
  for (const { kind } of partsOf(collection)) await KEEPERS[kind].remove(deps, session, collection)
}

/** Deletes a mixed collection in one operation, so that undoing it brings back both halves. @throws {AppError} 401, 404, 409. */
const deleteBoth = (
  { db, clock }: WriteDeps,
  session: SessionKey,
  { calendar, list }: Halves,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    await lockUserOf(tx, session, now)
    const { userId } = session
    await removeCalendar(tx, { userId, id: calendar.id, now })
    await removeTodoList(tx, { userId, id: list.id })
  })

import type { Tx } from '../../../db/client'
import { inTransaction } from '../../../db/transaction'
import type { Deps, WriteDeps } from '../../../deps'
import { conflict, forbidden } from '../../../lib/errors'
import { lockUserOf, type SessionKey } from '../../../access/sessions/service'
import {
  addCalendar,
  changeSeenCalendar,
  deleteCalendar,
  namesOfCalendars,
} from '../../calendars/calendars/service'
import { leaveCalendar } from '../../calendars/members/service'
import * as q from './queries'
import { type Collection, freeName, isReservedSlug, placeOfCollection } from './rules'

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

interface NewCollection extends CollectionChanges {
  readonly slug: string
}

type MakeDeps = Pick<Deps, 'db' | 'clock'>

/** Why a collection cannot be made at an address. */
type Obstacle = 'taken' | 'reserved'

/**
 * Makes a calendar at the address that a client chose, with all that it asks for or not at all (contract: dav.collections).
 * @throws {AppError} 401, 409 for too many properties.
 */
export async function makeCalendar(
  { db, clock }: MakeDeps,
  session: SessionKey,
  { slug, name = slug, color, ...properties }: NewCollection,
): Promise<Obstacle | undefined> {
  const { userId } = session
  if (isReservedSlug(slug)) return 'reserved'
  return inTransaction(db, async (tx) => {
    const now = clock.now()
    await lockUserOf(tx, session, now)
    if (await q.isSlugTaken(tx, userId, slug)) return 'taken'
    const free = freeName(name, await namesOfCalendars(tx, userId))
    const { id } = await addCalendar(tx, { userId, name: free, color, now })
    await q.keepSlug(tx, { userId, slug, id })
    await keep(tx, userId, placeOfCollection({ kind: 'calendar', id }), properties)
    return undefined
  })
}

/** Changes what the user sees of a collection, all of it or nothing. @throws {AppError} 401, 403, 404, 409. */
export async function changeCollection(
  { db, clock }: MakeDeps,
  session: SessionKey,
  { id, access }: Collection,
  { name, color, ...properties }: CollectionChanges,
): Promise<void> {
  const { userId } = session
  await inTransaction(db, async (tx) => {
    const now = clock.now()
    await lockUserOf(tx, session, now)
    // A member's name for the calendar is a property that is kept for them alone.
    const renamed =
      name === undefined || access !== 'owner'
        ? undefined
        : freeName(name, await namesOfCalendars(tx, userId, id))
    if (renamed !== undefined || color !== undefined)
      await changeSeenCalendar(
        tx,
        { userId, id, now },
        { ...(renamed !== undefined && { name: renamed }), ...(color !== undefined && { color }) },
      )
    await keep(tx, userId, placeOfCollection({ kind: 'calendar', id }), properties)
  })
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
  if ((await q.countProperties(tx, userId, place)) > MAX_PROPERTIES) throw conflict('Too many properties')
}

/** Deletes an own calendar, or leaves somebody else's. @throws {AppError} 401, 403 for the default calendar, 404. */
export async function leaveOrDelete(
  deps: WriteDeps,
  session: SessionKey,
  { id, ownerId, isDefault }: Collection,
): Promise<void> {
  if (ownerId !== session.userId) return leaveCalendar(deps, session, id)
  if (isDefault) throw forbidden('The default calendar cannot be deleted')
  await deleteCalendar(deps, session, id)
}

import type { Tx } from '../../../db/client'
import { forbidden } from '../../../lib/errors'
import type { Collection } from '../collections/rules'
import { invitationWithUid } from '../invitation-objects/service'
import { isReservedName, type ObjectEntry } from '../sources/rules'
import * as q from './queries'

/** Other objects have the name, which whoever looks does not see. */
export const reservedName = () => forbidden('Other objects are called so')

/**
 * The object of the other half of a mixed collection that has the name or the UID already (contract: dav.mixed). The owner is locked.
 * @throws {AppError} 403 where whoever looks does not see the other half.
 */
export async function findBeside(
  tx: Tx,
  { kind, id, isHalf = false }: Collection,
  called: q.Called,
): Promise<ObjectEntry | undefined> {
  const other =
    kind === 'calendar' ? await q.todoBeside(tx, id, called) : await besideList(tx, kind, id, called)
  if (other && !isHalf) throw reservedName()
  return other
}

/** @throws {AppError} 403 for a name that invitations have. */
async function besideList(tx: Tx, kind: Collection['kind'], listId: number, called: q.Called) {
  const calendarId = kind === 'list' ? await q.calendarBeside(tx, listId) : undefined
  if (calendarId === undefined) return undefined
  if (isReservedName(called.name)) throw reservedName()
  return (
    (await q.eventCalled(tx, calendarId, called)) ?? (await invitationWithUid(tx, calendarId, called.uid))
  )
}

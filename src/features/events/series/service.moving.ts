import type { Tx } from '../../../db/client'
import { forbidden, OvertakenError } from '../../../lib/errors'
import { type VisibleCalendar, writableCalendar } from '../../../access/calendars/rules'
import { calendarsFor } from '../../../access/calendars/service'
import { announceCancellation } from '../announcements/service'
import type { EventChanges } from '../events/model'
import { refusalOfHiding } from '../events/rules.visibility'
import { type Edit, ownerOf, removeEvent, updateEvent } from '../events/service'
import { type EventAccess, isIn } from '../events/service.views'
import { handOver } from '../handover/service'
import * as q from './queries'

/**
 * Returns the other calendar that the event moves to; undefined when it stays. Only the event's owner may give it to another
 * owner.
 * @throws {AppError} 403, 404, 409.
 */
export async function destinationOf(
  tx: Tx,
  { seen, reader, alsoHeld }: Edit,
  id: number | undefined,
): Promise<VisibleCalendar | undefined> {
  if (id === undefined || isIn(seen, id)) return undefined
  const destination = writableCalendar(await calendarsFor(tx, reader.userId), id)
  const ownerId = ownerOf(seen)
  if (destination.ownerId !== ownerId && reader.userId !== ownerId)
    throw forbidden('Insufficient permissions')
  if (!alsoHeld.includes(destination.ownerId)) throw new OvertakenError()
  return destination
}

/** @throws {AppError} 403 when the event would be private in a calendar of somebody else. */
export function refuseHiding(
  { event, access }: EventAccess,
  destination: VisibleCalendar | undefined,
  { visibility = event.visibility }: EventChanges,
): void {
  const refusal = refusalOfHiding(visibility, destination ? destination.access : access)
  if (refusal) throw refusal
}

/** Where an object goes: its calendar, and its name there, which is free. */
interface NewPlace {
  readonly calendarId: number
  readonly name: string
}

/**
 * Moves a locked event, as an object of that name, with all that belongs to it; what another program wrote stays as it is. The UID is
 * free in the calendar, and its owner is locked.
 * @throws {AppError} 403, 404.
 */
export async function moveWhole(
  tx: Tx,
  edit: Edit,
  { calendarId, name }: NewPlace,
): Promise<EventAccess['event']> {
  const { event } = edit.seen
  const destination = await destinationOf(tx, edit, calendarId)
  refuseHiding(edit.seen, destination, {})
  const moved = await updateEvent(tx, event, { calendarId, objectName: name, updatedAt: edit.now })
  await q.keepExact(tx, event, moved)
  if (destination) await handOver(tx, edit, destination)
  return moved
}

/** Deletes a locked event, and tells those who expect it. */
export async function removeWhole(tx: Tx, edit: Edit): Promise<void> {
  await announceCancellation(tx, edit, {})
  await removeEvent(tx, edit.seen.event)
}

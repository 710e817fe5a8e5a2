import type { Tx } from '../../db/client'
import type { VisibleCalendar } from '../calendar-access/rules'
import { calendarsFor } from '../calendar-access/service'
import { announceLoss, type Recipient, recipientsOf } from '../event-announcements/service'
import { changeOrganiser } from '../event-invitations/service'
import { type Edit, ownerOf } from '../events/service'

/**
 * What comes of the invitations to an event that has moved into that calendar: where it is somebody else's now, those end
 * that its new owner could not have made, and whoever loses sight of the event is told that it is cancelled. `edit` is from
 * before the move; the transaction holds both owners.
 */
export async function handOver(tx: Tx, edit: Edit, destination: VisibleCalendar): Promise<void> {
  const [from, to] = [ownerOf(edit.seen), destination.ownerId]
  if (from === to) return
  const expecting = await recipientsOf(tx, edit)
  const ended = new Set(await changeOrganiser(tx, edit.seen.event.id, { from, to }))
  const losers: Recipient[] = []
  for (const recipient of expecting.filter(({ invitationId }) => ended.has(invitationId))) {
    const calendars = await calendarsFor(tx, recipient.userId)
    if (!calendars.some(({ id }) => id === destination.id)) losers.push(recipient)
  }
  await announceLoss(tx, edit, losers)
}

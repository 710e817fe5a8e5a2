import type { Tx } from '../../../db/client'
import type { VisibleCalendar } from '../../../access/calendars/rules'
import { calendarsForAll } from '../../../access/calendars/service'
import { announceLoss, recipientsOf } from '../announcements/service'
import { changeOrganiser } from '../invitations/service'
import { type Edit, ownerOf } from '../events/service'

/**
 * Adapts the invitations to an event that has moved into another calendar. If that has another owner, deletes the invitations
 * that the new owner could not have made, and tells users who no longer see the event that it is cancelled. `edit` is from
 * before the move; the transaction has locked both owners.
 */
export async function handOver(tx: Tx, edit: Edit, destination: VisibleCalendar): Promise<void> {
  const [from, to] = [ownerOf(edit.seen), destination.ownerId]
  if (from === to) return
  const expecting = await recipientsOf(tx, edit)
  const ended = new Set(await changeOrganiser(tx, edit.seen.event.id, { from, to }))
  const uninvited = expecting.filter(({ invitationId }) => ended.has(invitationId))
  const calendars = await calendarsForAll(tx, uninvited.map(userOf))
  const seeing = new Set(calendars.filter(({ id }) => id === destination.id).map(userOf))
  const losers = uninvited.filter(({ userId }) => !seeing.has(userId))
  await announceLoss(tx, edit, losers)
}

const userOf = ({ userId }: { readonly userId: number }): number => userId

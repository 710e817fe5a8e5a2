import type { Tx } from '../../db/client'
import { wallToText } from '../../lib/wall-time'
import { textsOf } from '../events/rules.texts'
import type { Edit, FoundOccurrence } from '../events/service'
import { notify } from '../notifications/service'
import * as q from './queries'

/** What of an event the invitees are told of: all of it, one occurrence, or also all after that one. */
interface Extent {
  readonly occurrence?: FoundOccurrence | undefined
  readonly andLater?: boolean
}

/** Tells the invitees that it takes place at another time, but for those who declined it. */
export const announceTimeChange = (tx: Tx, edit: Edit, extent: Extent = {}): Promise<void> =>
  announce(tx, edit, extent, {
    type: 'event_changed',
    title: 'Event changed',
    message: `At another time: ${subjectOf(edit, extent)}.`,
  })

/** Tells the invitees that it does not take place, but for those who declined it. Comes before the deletion. */
export const announceCancellation = (tx: Tx, edit: Edit, extent: Extent = {}): Promise<void> =>
  announce(tx, edit, extent, {
    type: 'event_cancelled',
    title: 'Event cancelled',
    message: `Cancelled: ${subjectOf(edit, extent)}.`,
  })

function subjectOf({ seen }: Edit, { occurrence, andLater }: Extent): string {
  const { title } = textsOf(seen.event, occurrence?.override?.changes)
  if (!occurrence) return `“${title}”`
  return andLater ? `the rest of “${title}”` : `one occurrence of “${title}”`
}

interface Message {
  readonly type: 'event_changed' | 'event_cancelled'
  readonly title: string
  readonly message: string
}

async function announce(
  tx: Tx,
  { seen, reader, now }: Edit,
  { occurrence, andLater }: Extent,
  message: Message,
): Promise<void> {
  const audience = { eventId: seen.event.id, actorId: reader.userId }
  const recipients = await (occurrence && !andLater
    ? q.ofOccurrence(tx, audience, wallToText(occurrence.wall))
    : q.ofEvent(tx, audience))
  for (const { userId, invitationId } of recipients) {
    const data = { event_id: audience.eventId, invitation_id: invitationId }
    await notify(tx, { ...message, userId, data, at: now })
  }
}

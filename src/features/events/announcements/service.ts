import type { Tx } from '../../../db/client'
import { wallToText } from '../../../lib/time/wall-time'
import { textsOf } from '../events/rules.texts'
import type { Edit, FoundOccurrence } from '../events/service'
import { notifyAll } from '../../../access/notices/service'
import * as q from './queries'

/** The part of an event that is announced: all of it, one occurrence, or an occurrence and all later ones. */
interface AnnouncedPart {
  readonly occurrence?: FoundOccurrence
  readonly andLater?: boolean
}

/** Tells invitees who did not decline that the event takes place at another time. */
export const announceTimeChange = (tx: Tx, edit: Edit, extent: AnnouncedPart = {}): Promise<void> =>
  announce(tx, edit, extent, changed)

/** Tells invitees who did not decline that the event does not take place. Call it before the deletion. */
export const announceCancellation = (tx: Tx, edit: Edit, extent: AnnouncedPart = {}): Promise<void> =>
  announce(tx, edit, extent, cancelled)

export type Recipient = Awaited<ReturnType<typeof q.ofEvent>>[number]

/** The users whom `announceCancellation` of the whole event would tell. */
export const recipientsOf = (tx: Tx, { seen, reader }: Edit): Promise<Recipient[]> =>
  q.ofEvent(tx, { eventId: seen.event.id, actorId: reader.userId })

/** Tells only these users that the event no longer takes place for them. */
export const announceLoss = (tx: Tx, edit: Edit, recipients: readonly Recipient[]): Promise<void> =>
  tell(tx, edit, recipients, cancelled(subjectOf(edit, {})))

/** Tells invitees that the events of a calendar no longer take place. Call it before the deletion. */
export async function announceCalendarDeletion(
  tx: Tx,
  { calendarId, ...audience }: { readonly calendarId: number; readonly actorId: number; readonly now: Date },
): Promise<void> {
  await tellOfSeveral(tx, await q.ofCalendar(tx, calendarId, audience), audience.now, cancelled)
}

interface SeveralEvents {
  readonly eventIds: readonly number[]
  readonly actorId: number
  readonly now: Date
}

/** Tells invitees that these events are as they were before, if they are not over yet. */
export async function announceReturn(tx: Tx, { eventIds, ...audience }: SeveralEvents): Promise<void> {
  if (eventIds.length === 0) return
  await tellOfSeveral(tx, await q.ofEvents(tx, eventIds, audience), audience.now, changed)
}

/** Tells invitees that these events no longer take place. Call it before the deletion. */
export async function announceRemoval(tx: Tx, { eventIds, ...audience }: SeveralEvents): Promise<void> {
  if (eventIds.length === 0) return
  await tellOfSeveral(tx, await q.ofEvents(tx, eventIds, audience), audience.now, cancelled)
}

const tellOfSeveral = (
  tx: Tx,
  recipients: Awaited<ReturnType<typeof q.ofCalendar>>,
  at: Date,
  toMessage: (subject: string) => Message,
): Promise<void> =>
  notifyAll(
    tx,
    recipients.map(({ userId, invitationId, eventId, title }) => ({
      ...toMessage(`“${title}”`),
      userId,
      data: { event_id: eventId, invitation_id: invitationId },
      at,
    })),
  )

interface Message {
  readonly type: 'event_changed' | 'event_cancelled'
  readonly title: string
  readonly message: string
}

const changed = (subject: string): Message => ({
  type: 'event_changed',
  title: 'Event changed',
  message: `At another time: ${subject}.`,
})

const cancelled = (subject: string): Message => ({
  type: 'event_cancelled',
  title: 'Event cancelled',
  message: `Cancelled: ${subject}.`,
})

function subjectOf({ seen }: Edit, { occurrence, andLater }: AnnouncedPart): string {
  const { title } = textsOf(seen.event, occurrence?.override?.changes)
  if (!occurrence) return `“${title}”`
  return andLater ? `the rest of “${title}”` : `one occurrence of “${title}”`
}

async function announce(
  tx: Tx,
  edit: Edit,
  extent: AnnouncedPart,
  toMessage: (subject: string) => Message,
): Promise<void> {
  const { seen, reader } = edit
  const { occurrence, andLater } = extent
  const audience = { eventId: seen.event.id, actorId: reader.userId }
  const recipients = await (occurrence && !andLater
    ? q.ofOccurrence(tx, audience, wallToText(occurrence.wall))
    : q.ofEvent(tx, audience))
  await tell(tx, edit, recipients, toMessage(subjectOf(edit, extent)))
}

const tell = (
  tx: Tx,
  { seen, now }: Edit,
  recipients: readonly Recipient[],
  message: Message,
): Promise<void> =>
  notifyAll(
    tx,
    recipients.map(({ userId, invitationId }) => ({
      ...message,
      userId,
      data: { event_id: seen.event.id, invitation_id: invitationId },
      at: now,
    })),
  )

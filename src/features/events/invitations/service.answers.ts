import type { Tx } from '../../../db/client'
import type { InvitationResponse } from '../../../db/schema'
import { inTransaction } from '../../../db/transaction'
import type { WriteDeps } from '../../../deps'
import { dayOf, wallToText } from '../../../lib/time/wall-time'
import { requireOwnCalendar } from '../../../access/calendars/service'
import { notify } from '../../../access/notices/service'
import type { SessionKey } from '../../../access/sessions/service'
import { textsOf } from '../events/rules.texts'
import { findOccurrence, findEventAccess } from '../events/service'
import { type EventAccess } from '../events/service.views'
import type { InvitationView, ResponseBody } from './model'
import * as q from './queries'
import { toSentence } from './rules'
import { lockInvitation, toView } from './service'

/**
 * Answers an invitation, or one occurrence of it; repeating the same answer does not notify the organiser again.
 * @throws {AppError} 401, 404 for the invitation and the occurrence.
 */
export const respond = (
  { db, config, clock }: WriteDeps,
  session: SessionKey,
  id: number,
  body: ResponseBody,
): Promise<InvitationView> =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    const found = await lockInvitation(tx, { session, now }, { id })
    return toView(config.timeZone, session.userId, await answerLocked(tx, found, body, now))
  })

/** Like `respond`, to a locked invitation. @throws {AppError} 404 for the occurrence. */
export async function answerLocked(
  tx: Tx,
  found: q.ListedInvitation,
  { response, occurrence_start }: ResponseBody,
  now: Date,
): Promise<q.ListedInvitation> {
  const answer = { found, response, now }
  if (occurrence_start == null) return answerAll(tx, answer)
  const { userId, eventId } = found.invitation
  return answerOne(tx, answer, await findEventAccess(tx, userId, eventId), occurrence_start)
}

/** Declines a locked invitation, which no calendar shows from then on. */
export async function declineLocked(tx: Tx, found: q.ListedInvitation, now: Date): Promise<void> {
  await answerAll(tx, { found, response: 'Declined', now })
  await q.update(tx, found.invitation.id, { displayCalendarId: null, updatedAt: now })
}

interface Answer {
  readonly found: q.ListedInvitation
  readonly response: InvitationResponse
  readonly now: Date
}

/** Keeps the answers to single occurrences. */
async function answerAll(tx: Tx, answer: Answer): Promise<q.ListedInvitation> {
  const { found, response, now } = answer
  const { id, response: before } = found.invitation
  if (before === response) return found
  const invitation = await q.update(tx, id, { response, updatedAt: now })
  await tellOrganiser(tx, answer, { title: found.title })
  return { ...found, invitation }
}

/** @throws {AppError} 404. */
async function answerOne(
  tx: Tx,
  answer: Answer,
  seen: EventAccess,
  occurrenceStart: string,
): Promise<q.ListedInvitation> {
  const { found, response, now } = answer
  const { id, response: whole } = found.invitation
  const { wall, override, response: before } = await findOccurrence(tx, seen, occurrenceStart)
  const start = wallToText(wall)
  await q.putResponse(tx, {
    invitationId: id,
    occurrenceStart: start,
    response,
    createdAt: now,
    updatedAt: now,
  })
  const { title } = textsOf(seen.event, override?.changes)
  if ((before ?? whole) !== response) await tellOrganiser(tx, answer, { title, day: dayOf(wall) })
  return found
}

const tellOrganiser = (
  tx: Tx,
  { found, response, now }: Answer,
  subject: { readonly title: string; readonly day?: string },
): Promise<void> =>
  notify(tx, {
    userId: found.organiserId,
    type: 'event_response',
    title: 'Invitation answered',
    message: toSentence(found.networkName, response, subject),
    data: { event_id: found.invitation.eventId, invitation_id: found.invitation.id },
    at: now,
  })

/** Shows the event in one of the invitee's calendars, or in none for null. @throws {AppError} 401, 404. */
export const chooseDisplayCalendar = (
  { db, config, clock }: WriteDeps,
  session: SessionKey,
  id: number,
  calendarId: number | null,
): Promise<InvitationView> =>
  inTransaction(db, async (tx) => {
    const { userId } = session
    const now = clock.now()
    const found = await lockInvitation(tx, { session, now }, { id })
    if (calendarId !== null) await requireOwnCalendar(tx, userId, calendarId)
    const invitation = await q.update(tx, id, { displayCalendarId: calendarId, updatedAt: now })
    return toView(config.timeZone, userId, { ...found, invitation })
  })

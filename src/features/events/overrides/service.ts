import type { Tx } from '../../../db/client'
import { wallToText } from '../../../lib/time/wall-time'
import { announceCancellation, announceTimeChange } from '../announcements/service'
import type { EventChanges } from '../events/model'
import { differences, textsOf } from '../events/rules.texts'
import { readTimes, sameTimes, startAndEnd } from '../events/rules.times'
import { type Edit, type FoundOccurrence, updateEvent } from '../events/service'
import { isIn, type EventAccess, timesOfOccurrence } from '../events/service.views'
import * as q from './queries'
import { NO_TIMES, type Own, refusalOfNumber, refusalOfOverride, saysAnything } from './rules'

/** An occurrence and its series after a change. */
export interface Changed {
  readonly seen: EventAccess
  readonly occurrence: FoundOccurrence
}

/**
 * Writes the differences of one occurrence; fields equal to the series' follow the series again (contract: events.scopes).
 * @throws {AppError} 409 when too many occurrences already differ, 422.
 */
export async function changeOccurrence(
  tx: Tx,
  edit: Edit,
  found: FoundOccurrence,
  changes: EventChanges,
): Promise<Changed> {
  const { seen, now } = edit
  const { original, override } = found
  const refusal = refusalOfOverride(changes, {
    recurrence_rule: seen.event.recurrenceRule,
    isIn: (calendarId) => isIn(seen, calendarId),
    all_day: seen.event.allDay,
    time_zone: seen.event.timeZone,
    visibility: seen.event.visibility,
  })
  if (refusal) throw refusal
  const before = timesOfOccurrence(found)
  const after = readTimes(changes, before, 'UTC')
  const texts = textsOf(textsOf(seen.event, override?.changes), {
    title: changes.title,
    description: changes.description,
    location: changes.location,
    reminderMinutes: changes.reminder_minutes,
  })
  const event = await updateEvent(tx, seen.event, { updatedAt: now })
  const written = await writeOverride(tx, { ...found, seen }, now, {
    changes: differences(seen.event, texts),
    ...(sameTimes(after, original) ? NO_TIMES : startAndEnd(after)),
  })
  const occurrence = { ...found, override: written }
  if (!sameTimes(before, after)) await announceTimeChange(tx, edit, { occurrence })
  return { seen: { ...seen, event }, occurrence }
}

/** Returns undefined, and deletes the override, when the occurrence no longer differs. @throws {AppError} 409. */
async function writeOverride(
  tx: Tx,
  { seen: { event }, wall, override }: FoundOccurrence & Pick<Edit, 'seen'>,
  now: Date,
  own: Own,
): Promise<q.StoredOverride | undefined> {
  const occurrenceStart = wallToText(wall)
  if (!saysAnything(own)) {
    await q.removeOverride(tx, event.id, occurrenceStart)
    return undefined
  }
  if (!override) await refuseOneMore(tx, event.id)
  const columns = { eventId: event.id, occurrenceStart, isCancelled: false, createdAt: now, updatedAt: now }
  return q.putOverride(tx, { ...columns, ...own })
}

/** The event is locked. @throws {AppError} 409 when no other occurrence may differ. */
async function refuseOneMore(tx: Tx, eventId: number): Promise<void> {
  const refusal = refusalOfNumber(await q.count(tx, eventId))
  if (refusal) throw refusal
}

/** Makes the occurrence an exception. @throws {AppError} 409 when too many occurrences already differ. */
export async function cancelOccurrence(tx: Tx, edit: Edit, occurrence: FoundOccurrence): Promise<void> {
  const { seen, now } = edit
  const eventId = seen.event.id
  const occurrenceStart = wallToText(occurrence.wall)
  if (!occurrence.override) await refuseOneMore(tx, eventId)
  await announceCancellation(tx, edit, { occurrence })
  await q.putOverride(tx, {
    eventId,
    occurrenceStart,
    isCancelled: true,
    changes: {},
    ...NO_TIMES,
    createdAt: now,
    updatedAt: now,
  })
  await q.removeResponses(tx, eventId, occurrenceStart)
  await updateEvent(tx, seen.event, { updatedAt: now })
}

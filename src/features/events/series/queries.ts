import { and, eq, gte, inArray, sql } from 'drizzle-orm'
import type { Tx } from '../../../db/client'
import {
  eventAlarms,
  eventInvitations,
  eventOccurrences,
  events,
  eventSources,
  eventTexts,
  invitationParts,
  occurrenceResponses,
} from '../../../db/schema'

export type OverrideRow = typeof eventOccurrences.$inferSelect
type ResponseRow = typeof occurrenceResponses.$inferSelect

/** Rows in one statement, which takes at most 65 535 parameters. */
const BATCH = 1000

/** Whether the calendar has an event with this UID. */
export const hasUid = async (tx: Tx, calendarId: number, uid: string): Promise<boolean> =>
  (await tx.$count(events, and(eq(events.calendarId, calendarId), eq(events.uid, uid)))) > 0

export const hasName = async (tx: Tx, calendarId: number, name: string): Promise<boolean> =>
  (await tx.$count(events, and(eq(events.calendarId, calendarId), eq(events.objectName, name)))) > 0

export const NEW_UID = sql`gen_random_uuid()`

/** What another program wrote is still what the event says, in its next version. */
export async function keepExact(
  tx: Tx,
  { id, version }: Pick<typeof events.$inferSelect, 'id' | 'version'>,
  next: { readonly version: number },
): Promise<void> {
  await tx
    .update(eventTexts)
    .set({ exactVersion: next.version })
    .where(and(eq(eventTexts.eventId, id), eq(eventTexts.exactVersion, version)))
}

const invitationsTo = (tx: Tx, eventId: number) =>
  tx.select({ id: eventInvitations.id }).from(eventInvitations).where(eq(eventInvitations.eventId, eventId))

/** Deletes and returns all overrides and exceptions of the event, so that the caller can insert them at their new places. */
export const takeOverrides = (tx: Tx, eventId: number): Promise<OverrideRow[]> =>
  tx.delete(eventOccurrences).where(eq(eventOccurrences.eventId, eventId)).returning()

export async function insertOverrides(tx: Tx, rows: OverrideRow[]): Promise<void> {
  for (let start = 0; start < rows.length; start += BATCH) {
    await tx.insert(eventOccurrences).values(rows.slice(start, start + BATCH))
  }
}

export const takeResponses = (tx: Tx, eventId: number): Promise<ResponseRow[]> =>
  tx
    .delete(occurrenceResponses)
    .where(inArray(occurrenceResponses.invitationId, invitationsTo(tx, eventId)))
    .returning()

export async function insertResponses(tx: Tx, rows: ResponseRow[]): Promise<void> {
  for (let start = 0; start < rows.length; start += BATCH) {
    await tx.insert(occurrenceResponses).values(rows.slice(start, start + BATCH))
  }
}

/** Deletes overrides, exceptions and answers from `occurrenceStart` on. */
export async function removeFrom(tx: Tx, eventId: number, occurrenceStart: string): Promise<void> {
  await tx
    .delete(eventOccurrences)
    .where(and(eq(eventOccurrences.eventId, eventId), gte(eventOccurrences.occurrenceStart, occurrenceStart)))
  await tx
    .delete(occurrenceResponses)
    .where(
      and(
        inArray(occurrenceResponses.invitationId, invitationsTo(tx, eventId)),
        gte(occurrenceResponses.occurrenceStart, occurrenceStart),
      ),
    )
}

interface Division {
  readonly from: number
  readonly to: number
  /** The first occurrence that moves. */
  readonly occurrenceStart: string
}

/**
 * Copies the invitations, the text and the alarms of members to the new series, and moves the overrides and answers of its
 * occurrences.
 */
export async function moveFrom(tx: Tx, { from, to, occurrenceStart }: Division): Promise<void> {
  await tx
    .update(eventOccurrences)
    .set({ eventId: to })
    .where(and(eq(eventOccurrences.eventId, from), gte(eventOccurrences.occurrenceStart, occurrenceStart)))
  await tx.execute(sql`
    insert into ${eventSources} (event_id, kept)
    select ${to}, kept from ${eventSources} where event_id = ${from}`)
  await tx.execute(sql`
    insert into ${eventTexts} (event_id, text, zone, exact_version)
    select ${to}, text, zone, 0 from ${eventTexts} where event_id = ${from}`)
  await tx.execute(sql`
    insert into ${eventInvitations} (event_id, user_id, response, display_calendar_id, created_at, updated_at)
    select ${to}, user_id, response, display_calendar_id, created_at, updated_at
    from ${eventInvitations} where event_id = ${from} order by id`)
  await tx.execute(sql`
    insert into ${invitationParts} (invitation_id, parts)
    select new.id, parts from ${eventInvitations} old join ${eventInvitations} new on new.user_id = old.user_id and new.event_id = ${to}
      join ${invitationParts} on invitation_id = old.id
    where old.event_id = ${from}`)
  await tx.execute(sql`
    insert into ${eventAlarms} (event_id, user_id, alarms, updated_at)
    select ${to}, user_id, alarms, updated_at from ${eventAlarms} where event_id = ${from}`)
  await tx.execute(sql`
    update ${occurrenceResponses} set invitation_id = new.id
    from ${eventInvitations} old join ${eventInvitations} new on new.user_id = old.user_id and new.event_id = ${to}
    where old.event_id = ${from} and ${occurrenceResponses.invitationId} = old.id
      and ${occurrenceResponses.occurrenceStart} >= ${occurrenceStart}`)
}

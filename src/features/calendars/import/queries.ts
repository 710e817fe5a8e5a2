import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/client'
import {
  eventInvitations,
  eventOccurrences,
  events,
  eventSources,
  occurrenceResponses,
} from '../../../db/schema'

export type NewEvent = typeof events.$inferInsert
export type NewOccurrence = typeof eventOccurrences.$inferInsert

/** The hashes of known events at their last import, by UID; null when the event was not imported. */
export async function findHashes(db: Db | Tx, calendarId: number, uids: readonly string[]) {
  const rows = await db
    .select({ uid: events.uid, hash: eventSources.hash })
    .from(events)
    .leftJoin(eventSources, eq(eventSources.eventId, events.id))
    .where(and(eq(events.calendarId, calendarId), inArray(events.uid, [...uids])))
  return new Map(rows.map(({ uid, hash }) => [uid, hash]))
}

/** Those of the UIDs that belong to private events of the calendar. */
export async function findPrivate(
  db: Db | Tx,
  calendarId: number,
  uids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db
    .select({ uid: events.uid })
    .from(events)
    .where(
      and(
        eq(events.calendarId, calendarId),
        inArray(events.uid, [...uids]),
        eq(events.visibility, 'private'),
      ),
    )
  return new Set(rows.map(({ uid }) => uid))
}

/** The events that have invitations. */
export const findInvited = (tx: Tx, calendarId: number, uids: readonly string[]) =>
  tx
    .select()
    .from(events)
    .where(
      and(
        eq(events.calendarId, calendarId),
        inArray(events.uid, [...uids]),
        inArray(events.id, tx.select({ id: eventInvitations.eventId }).from(eventInvitations)),
      ),
    )

const given = (column: string) => sql.raw(`excluded.${column}`)

/** Creates the events, or updates those whose UID the calendar already has. Returns their ids by UID. */
export async function upsert(tx: Tx, rows: NewEvent[]): Promise<Map<string, number>> {
  const written = await tx
    .insert(events)
    .values(rows)
    .onConflictDoUpdate({
      target: [events.calendarId, events.uid],
      set: {
        title: given('title'),
        description: given('description'),
        location: given('location'),
        allDay: given('all_day'),
        startAt: given('start_at'),
        endAt: given('end_at'),
        startWall: given('start_wall'),
        timeZone: given('time_zone'),
        startDate: given('start_date'),
        endDate: given('end_date'),
        recurrenceRule: given('recurrence_rule'),
        recurrenceUnsupported: given('recurrence_unsupported'),
        lastEndAt: given('last_end_at'),
        lastEndDate: given('last_end_date'),
        reminderMinutes: given('reminder_minutes'),
        visibility: given('visibility'),
        version: sql`${events.version} + 1`,
        updatedAt: given('updated_at'),
      },
    })
    .returning({ id: events.id, uid: events.uid })
  return new Map(written.map(({ id, uid }) => [uid, id]))
}

export const putSources = async (tx: Tx, rows: Array<typeof eventSources.$inferInsert>): Promise<void> => {
  await tx
    .insert(eventSources)
    .values(rows)
    .onConflictDoUpdate({
      target: eventSources.eventId,
      set: { hash: given('hash'), kept: given('kept') },
    })
}

/** Rows in one statement, which takes at most 65 535 parameters. */
const BATCH = 1000

/** Replaces all overrides and exceptions of the events. */
export async function replaceOccurrences(
  tx: Tx,
  eventIds: readonly number[],
  rows: readonly NewOccurrence[],
): Promise<void> {
  await tx.delete(eventOccurrences).where(inArray(eventOccurrences.eventId, [...eventIds]))
  for (let start = 0; start < rows.length; start += BATCH) {
    await tx.insert(eventOccurrences).values(rows.slice(start, start + BATCH))
  }
}

const answersTo = (tx: Tx, eventId: number) =>
  inArray(
    occurrenceResponses.invitationId,
    tx
      .select({ id: eventInvitations.id })
      .from(eventInvitations)
      .where(eq(eventInvitations.eventId, eventId)),
  )

/** The original starts of occurrences with an answer. */
export async function findAnswered(tx: Tx, eventId: number): Promise<string[]> {
  const rows = await tx
    .selectDistinct({ start: occurrenceResponses.occurrenceStart })
    .from(occurrenceResponses)
    .where(answersTo(tx, eventId))
  return rows.map(({ start }) => start)
}

export async function removeAnswers(tx: Tx, eventId: number, starts: readonly string[]): Promise<void> {
  await tx
    .delete(occurrenceResponses)
    .where(and(answersTo(tx, eventId), inArray(occurrenceResponses.occurrenceStart, [...starts])))
}

import { and, eq, inArray, sql } from 'drizzle-orm'
import { among, idText } from '../../../db/among'
import type { Db, Tx } from '../../../db/client'
import { prepared } from '../../../db/prepared'
import {
  eventInvitations,
  eventOccurrences,
  events,
  eventTexts,
  occurrenceResponses,
} from '../../../db/schema'

export type NewEvent = typeof events.$inferInsert
export type NewOccurrence = typeof eventOccurrences.$inferInsert
export type TextRow = typeof eventTexts.$inferSelect

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

export interface StoredVersion {
  readonly id: number
  readonly version: number
}

/** Creates the events, or updates those whose UID the calendar already has. Returns what is there then, by UID. */
export async function upsert(tx: Tx, rows: NewEvent[]): Promise<ReadonlyMap<string, StoredVersion>> {
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
        isCancelled: given('is_cancelled'),
        lastEndAt: given('last_end_at'),
        lastEndDate: given('last_end_date'),
        reminderMinutes: given('reminder_minutes'),
        visibility: given('visibility'),
        version: sql`${events.version} + 1`,
        updatedAt: given('updated_at'),
      },
    })
    .returning({ id: events.id, uid: events.uid, version: events.version })
  return new Map(written.map(({ uid, ...row }) => [uid, row]))
}

/** Replaces the texts of the events. */
export async function putTexts(tx: Tx, rows: readonly TextRow[]): Promise<void> {
  await tx
    .insert(eventTexts)
    .values([...rows])
    .onConflictDoUpdate({
      target: eventTexts.eventId,
      set: { text: given('text'), zone: given('zone'), exactVersion: given('exact_version') },
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

/** The events with the texts that other programs wrote. */
export const findWithTexts = (db: Db | Tx, ids: readonly number[]) =>
  withTexts(db).execute({ ids: idText(ids) })

const withTexts = prepared((db) =>
  db
    .select({ event: events, text: eventTexts })
    .from(events)
    .leftJoin(eventTexts, eq(eventTexts.eventId, events.id))
    .where(among(events.id, sql.placeholder('ids')))
    .prepare('event_files_with_texts'),
)

/** The event of the calendar that is this very text; undefined when there is none, or it has changed since. */
export async function findSame(
  tx: Tx,
  calendarId: number,
  { key, text }: { readonly key: string; readonly text: string },
): Promise<StoredVersion | undefined> {
  const [row] = await tx
    .select({ id: events.id, version: events.version })
    .from(events)
    .innerJoin(eventTexts, eq(eventTexts.eventId, events.id))
    .where(
      and(
        eq(events.calendarId, calendarId),
        eq(events.uid, key),
        eq(eventTexts.exactVersion, events.version),
        eq(eventTexts.text, text),
      ),
    )
  return row
}

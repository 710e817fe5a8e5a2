import { and, count, eq, gt, inArray, isNotNull, min } from 'drizzle-orm'
import { idOf } from '../../../db/by-id'
import type { Db, Tx } from '../../../db/client'
import {
  eventInvitations,
  eventOccurrences,
  events,
  eventSources,
  eventTexts,
  syncScopes,
  syncState,
} from '../../../db/schema'

export type ExportedEventRow = typeof events.$inferSelect
export type ExportedOccurrenceRow = typeof eventOccurrences.$inferSelect

/** The time zones of a calendar's events, each with the earliest instant at which it is needed. */
export async function findZones(db: Db, calendarId: number) {
  const inCalendar = and(eq(events.calendarId, calendarId), isNotNull(events.timeZone))
  const starts = await db
    .select({ zone: events.timeZone, from: min(events.startAt) })
    .from(events)
    .where(inCalendar)
    .groupBy(events.timeZone)
    .orderBy(events.timeZone)
  const moved = await db
    .select({ zone: events.timeZone, from: min(eventOccurrences.startAt) })
    .from(eventOccurrences)
    .innerJoin(events, eq(events.id, eventOccurrences.eventId))
    .where(inCalendar)
    .groupBy(events.timeZone)
  return [...starts, ...moved]
}

/** Returns the next events after `afterId`. */
export const page = (
  db: Db,
  calendarId: number,
  afterId: number,
  limit: number,
): Promise<ExportedEventRow[]> =>
  db
    .select()
    .from(events)
    .where(and(eq(events.calendarId, calendarId), gt(idOf(events.id), afterId)))
    .orderBy(idOf(events.id))
    .limit(limit)

/** Returns the events of the calendar with these UIDs. */
export const byUids = (db: Db, calendarId: number, uids: readonly string[]): Promise<ExportedEventRow[]> =>
  db
    .select()
    .from(events)
    .where(and(eq(events.calendarId, calendarId), inArray(events.uid, [...uids])))

/** The original lines of imported events, by event id. */
export async function findKept(db: Db | Tx, ids: readonly number[]) {
  const rows = await db
    .select({ id: eventSources.eventId, kept: eventSources.kept })
    .from(eventSources)
    .where(inArray(eventSources.eventId, [...ids]))
  return new Map(rows.map(({ id, kept }) => [id, kept]))
}

/** Those of the events to which the user is invited. */
export async function findInvited(
  db: Db | Tx,
  userId: number,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .select({ id: eventInvitations.eventId })
    .from(eventInvitations)
    .where(and(eq(eventInvitations.userId, userId), inArray(eventInvitations.eventId, [...ids])))
  return new Set(rows.map(({ id }) => id))
}

/** The texts that other programs wrote, by event id. */
export async function findTexts(db: Db | Tx, ids: readonly number[]) {
  const rows = await db
    .select()
    .from(eventTexts)
    .where(inArray(eventTexts.eventId, [...ids]))
  return new Map(rows.map((row) => [row.eventId, row]))
}

/** How many overrides and exceptions each event has that has any. */
export async function countOccurrences(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const rows = await db
    .select({ id: eventOccurrences.eventId, count: count() })
    .from(eventOccurrences)
    .where(inArray(eventOccurrences.eventId, [...ids]))
    .groupBy(eventOccurrences.eventId)
  return new Map(rows.map((row) => [row.id, row.count]))
}

/** Overrides and exceptions by event id, each in the order of their starts. */
export async function findOccurrences(db: Db | Tx, ids: readonly number[]) {
  const rows = await db
    .select()
    .from(eventOccurrences)
    .where(inArray(eventOccurrences.eventId, [...ids]))
    .orderBy(eventOccurrences.eventId, eventOccurrences.occurrenceStart)
  return Map.groupBy(rows, ({ eventId }) => eventId)
}

/** The place of the calendar's scope in the journal, which moves with every change in it. */
export async function findState(db: Db, calendarId: number): Promise<string> {
  const [row] = await db
    .select({ epoch: syncState.epoch, seq: syncScopes.seq, timeline: syncScopes.timeline })
    .from(syncState)
    .leftJoin(syncScopes, and(eq(syncScopes.kind, 'c'), eq(syncScopes.id, calendarId)))
  if (!row) throw new Error('the journal has no epoch')
  return `${row.epoch} ${row.timeline ?? 1} ${row.seq ?? 0}`
}

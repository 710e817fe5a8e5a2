import { and, eq, getTableColumns, gt, inArray } from 'drizzle-orm'
import type { Db } from '../../../db/client'
import { calendars, eventOccurrences, events } from '../../../db/schema'
import type { PageById } from '../../../lib/wire/page'

/** Events in calendars that the user owns. */
export async function pageById(db: Db, userId: number, { afterId, limit }: PageById) {
  const rows = await db
    .select({ event: events })
    .from(events)
    .innerJoin(calendars, eq(calendars.id, events.calendarId))
    .where(and(eq(calendars.userId, userId), gt(events.id, afterId)))
    .orderBy(events.id)
    .limit(limit)
  return rows.map(({ event }) => event)
}

/** Without the lines of imported files, which are large and not exported. */
const { kept: _, ...exported } = getTableColumns(eventOccurrences)

/** All overrides and exceptions of these events, by original start. */
export const occurrencesOf = (db: Db, eventIds: readonly number[]) =>
  db
    .select(exported)
    .from(eventOccurrences)
    .where(inArray(eventOccurrences.eventId, [...eventIds]))
    .orderBy(eventOccurrences.occurrenceStart)

import { and, eq, getTableColumns, gt, inArray, isNotNull, or } from 'drizzle-orm'
import { among } from '../../../db/among'
import { idOf } from '../../../db/by-id'
import type { Db, Tx } from '../../../db/client'
import { bytesOfEvent } from '../../../db/event-bytes'
import { fitting, FOLLOWED } from '../../../db/fitting'
import { calendars, eventInvitations, eventOccurrences, events } from '../../../db/schema'
import { isVisibleTo } from '../../../db/visible-calendars'
import type { PageById } from '../../../lib/wire/page'

/** Events in calendars that the user owns. */
export async function pageById(db: Db, userId: number, { afterId, limit }: PageById) {
  const rows = await db
    .select({ event: events })
    .from(events)
    .innerJoin(calendars, eq(calendars.id, events.calendarId))
    .where(and(eq(calendars.userId, userId), gt(idOf(events.id), afterId)))
    .orderBy(idOf(events.id))
    .limit(limit)
  return rows.map(({ event }) => event)
}

/** Those of these events that the user sees, by calendar or by invitation, each with the user's invitation; by id. */
export const listNamed = (db: Db | Tx, userId: number, ids: readonly number[]) =>
  db
    .select({ event: events, invitation: eventInvitations })
    .from(events)
    .innerJoin(calendars, eq(calendars.id, events.calendarId))
    .leftJoin(
      eventInvitations,
      and(eq(eventInvitations.eventId, events.id), eq(eventInvitations.userId, userId)),
    )
    .where(and(among(events.id, ids), or(isVisibleTo(db, userId), isNotNull(eventInvitations.id))))
    .orderBy(events.id)

/** The ids of up to `limit` events of a calendar, ascending; fewer if the events are large. */
export function idsInCalendar(db: Db | Tx, calendarId: number, { afterId, limit }: PageById) {
  const rows = db
    .select({ id: events.id, bytes: bytesOfEvent().as('bytes') })
    .from(events)
    .where(and(eq(events.calendarId, calendarId), gt(idOf(events.id), afterId)))
    .orderBy(idOf(events.id))
    .limit(limit)
    .as('rows')
  const page = db.$with('page', { id: events.id, ...FOLLOWED }).as(fitting(rows, rows.id))
  return db.with(page).select().from(page).orderBy(page.id)
}

/** Without the lines of imported files, which are large and not exported. */
const { kept: _, ...exported } = getTableColumns(eventOccurrences)

/** All overrides and exceptions of these events, by original start. */
export const occurrencesOf = (db: Db | Tx, eventIds: readonly number[]) =>
  db
    .select(exported)
    .from(eventOccurrences)
    .where(inArray(eventOccurrences.eventId, [...eventIds]))
    .orderBy(eventOccurrences.occurrenceStart)

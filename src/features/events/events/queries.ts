import { and, eq, getTableName, gt, isNotNull, isNull, ne, not, or, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { among, idText } from '../../../db/among'
import { isBlockedBetween } from '../../../db/blocked'
import type { Db, Tx } from '../../../db/client'
import {
  calendars,
  eventInvitations,
  eventOccurrences,
  events,
  history,
  occurrenceResponses,
  operations,
  users,
} from '../../../db/schema'

export type EventRow = typeof events.$inferSelect
export type InvitationRow = typeof eventInvitations.$inferSelect
export type OccurrenceRow = typeof eventOccurrences.$inferSelect

/** Finds an event of any owner, with the invitation of `userId` to it. */
export const find = async (db: Db | Tx, userId: number, id: number) =>
  (
    await db
      .select({ event: events, ownerId: calendars.userId, invitation: eventInvitations })
      .from(events)
      .innerJoin(calendars, eq(calendars.id, events.calendarId))
      .leftJoin(
        eventInvitations,
        and(eq(eventInvitations.eventId, events.id), eq(eventInvitations.userId, userId)),
      )
      .where(eq(events.id, id))
  )[0]

/** The network names of those in whose calendars these events are. */
export const ownerNames = (db: Db | Tx, ids: readonly number[]) =>
  db
    .select({ id: events.id, networkName: users.networkName })
    .from(events)
    .innerJoin(calendars, eq(calendars.id, events.calendarId))
    .innerJoin(users, eq(users.id, calendars.userId))
    .where(among(events.id, ids))

/**
 * Those but the user who have made or changed these events, as far as the history knows. A name is null where they are gone, and
 * with them their operations, which are kept `since` then.
 */
export const otherAuthors = (db: Db, userId: number, ids: readonly number[], since: Date) =>
  db
    .selectDistinct({ id: sql<number>`${history.rowKey}::integer`, networkName: users.networkName })
    .from(history)
    .leftJoin(operations, eq(operations.id, history.operation))
    .leftJoin(users, and(eq(users.id, operations.userId), not(isBlockedBetween(userId, users.id))))
    .where(
      and(
        eq(history.tab, getTableName(events)),
        sql`${history.rowKey} = any(${idText(ids)}::text[])`,
        or(
          ne(operations.userId, userId),
          and(isNotNull(history.operation), isNull(operations.id), gt(history.at, since)),
        ),
      ),
    )

/** The owner of its calendar is already locked. */
export const lock = async (tx: Tx, id: number): Promise<EventRow | undefined> =>
  (await tx.select().from(events).where(eq(events.id, id)).for('no key update'))[0]

export async function insert(tx: Tx, row: typeof events.$inferInsert): Promise<EventRow> {
  const [created] = await tx.insert(events).values(row).returning()
  if (!created) throw new Error('insert returned no row')
  return created
}

/** `event` is locked. */
export async function update(
  tx: Tx,
  { id }: EventRow,
  set: PgUpdateSetSource<typeof events>,
): Promise<EventRow> {
  const [row] = await tx
    .update(events)
    .set({ ...set, version: sql`${events.version} + 1` })
    .where(eq(events.id, id))
    .returning()
  if (!row) throw new Error('update returned no row')
  return row
}

/** Overrides, invitations and answers cascade. The event is locked. */
export const remove = async (tx: Tx, { id }: EventRow): Promise<void> => {
  await tx.delete(events).where(eq(events.id, id))
}

/** The override or exception for one original start. */
export const findOverride = async (
  db: Db | Tx,
  eventId: number,
  occurrenceStart: string,
): Promise<OccurrenceRow | undefined> =>
  (
    await db
      .select()
      .from(eventOccurrences)
      .where(
        and(eq(eventOccurrences.eventId, eventId), eq(eventOccurrences.occurrenceStart, occurrenceStart)),
      )
  )[0]

/** The invitee's answer to one occurrence. */
export const findResponse = async (db: Db | Tx, invitationId: number, occurrenceStart: string) =>
  (
    await db
      .select({ response: occurrenceResponses.response })
      .from(occurrenceResponses)
      .where(
        and(
          eq(occurrenceResponses.invitationId, invitationId),
          eq(occurrenceResponses.occurrenceStart, occurrenceStart),
        ),
      )
  )[0]?.response

import { and, eq, inArray, isNull, lte, or } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/client'
import { calendarFeeds, calendars, users } from '../../../db/schema'

export const insert = async (tx: Tx, row: typeof calendarFeeds.$inferInsert): Promise<void> => {
  await tx.insert(calendarFeeds).values(row)
}

/** Returns whether there was a feed. */
export async function remove(tx: Tx, calendarId: number): Promise<boolean> {
  const removed = await tx
    .delete(calendarFeeds)
    .where(eq(calendarFeeds.calendarId, calendarId))
    .returning({ calendarId: calendarFeeds.calendarId })
  return removed.length > 0
}

/** Removes the feeds of all calendars that the user owns. Returns the calendars' ids. */
export async function removeAll(tx: Tx, userId: number): Promise<number[]> {
  const own = tx.select({ id: calendars.id }).from(calendars).where(eq(calendars.userId, userId))
  const removed = await tx
    .delete(calendarFeeds)
    .where(inArray(calendarFeeds.calendarId, own))
    .returning({ calendarId: calendarFeeds.calendarId })
  return removed.map(({ calendarId }) => calendarId)
}

const isDue = (before: Date) => or(isNull(calendarFeeds.lastReadAt), lte(calendarFeeds.lastReadAt, before))

/** Marks the feed as read unless it was read after `before`, so that only one of several concurrent readers writes. */
export async function markRead(db: Db, tokenHash: string, now: Date, before: Date): Promise<void> {
  await db
    .update(calendarFeeds)
    .set({ lastReadAt: now })
    .where(and(eq(calendarFeeds.tokenHash, tokenHash), isDue(before)))
}

/** Finds the calendar of the feed with this token; undefined when its owner is deactivated. */
export const find = async (db: Db, tokenHash: string) =>
  (
    await db
      .select({ id: calendars.id, name: calendars.name, lastReadAt: calendarFeeds.lastReadAt })
      .from(calendarFeeds)
      .innerJoin(calendars, eq(calendars.id, calendarFeeds.calendarId))
      .innerJoin(users, eq(users.id, calendars.userId))
      .where(and(eq(calendarFeeds.tokenHash, tokenHash), eq(users.isActive, true)))
  )[0]

import { and, eq } from 'drizzle-orm'
import type { Db, Tx } from '../../db/client'
import { calendarFeeds, calendars, users } from '../../db/schema'

/** The feed of the calendar has this token from now on, and no other. */
export async function put(tx: Tx, row: typeof calendarFeeds.$inferInsert): Promise<void> {
  const { tokenHash, createdAt } = row
  await tx
    .insert(calendarFeeds)
    .values(row)
    .onConflictDoUpdate({ target: calendarFeeds.calendarId, set: { tokenHash, createdAt } })
}

export const remove = async (tx: Tx, calendarId: number): Promise<void> => {
  await tx.delete(calendarFeeds).where(eq(calendarFeeds.calendarId, calendarId))
}

/** The calendar whose feed has this token, while its owner is active. */
export const find = async (db: Db, tokenHash: string) =>
  (
    await db
      .select({ id: calendars.id, name: calendars.name })
      .from(calendarFeeds)
      .innerJoin(calendars, eq(calendars.id, calendarFeeds.calendarId))
      .innerJoin(users, eq(users.id, calendars.userId))
      .where(and(eq(calendarFeeds.tokenHash, tokenHash), eq(users.isActive, true)))
  )[0]

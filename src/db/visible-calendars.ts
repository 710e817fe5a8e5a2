import { and, eq, inArray, type Placeholder, type SQL } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { Db, Tx } from './client'
import { calendarMembers, calendars } from './schema'

/** Accepted memberships of the user. */
export const isAcceptedBy = (userId: number | Placeholder): SQL | undefined =>
  and(eq(calendarMembers.userId, userId), eq(calendarMembers.status, 'accepted'))

/** Calendars that the user owns, and shared ones that the user has accepted. */
export function isVisibleTo(db: Db | Tx, userId: number | Placeholder): SQL {
  const own = db.select({ id: calendars.id }).from(calendars).where(eq(calendars.userId, userId))
  const shared = db
    .select({ id: calendarMembers.calendarId })
    .from(calendarMembers)
    .where(isAcceptedBy(userId))
  return inArray(calendars.id, unionAll(own, shared))
}

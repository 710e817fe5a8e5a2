import { and, eq, inArray, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { Db, Tx } from '../../db/client'
import { calendarMembers, calendars } from '../../db/schema'

/** The calendars that the user owns, and the accepted ones of others. */
export const visible = (db: Db | Tx, userId: number) =>
  db
    .select({
      id: calendars.id,
      ownerId: calendars.userId,
      name: calendars.name,
      color: sql<string>`coalesce(${calendarMembers.color}, ${calendars.color})`,
      isDefault: sql<boolean>`${calendars.isDefault} and ${calendarMembers.id} is null`,
      isSystem: calendars.isSystem,
      isVisible: sql<boolean>`coalesce(${calendarMembers.isVisible}, ${calendars.isVisible})`,
      permission: calendarMembers.permission,
    })
    .from(calendars)
    .leftJoin(
      calendarMembers,
      and(
        eq(calendarMembers.calendarId, calendars.id),
        eq(calendarMembers.userId, userId),
        eq(calendarMembers.status, 'accepted'),
      ),
    )
    .where(inArray(calendars.id, unionAll(own(db, userId), shared(db, userId))))
    .orderBy(calendars.id)

const own = (db: Db | Tx, userId: number) =>
  db.select({ id: calendars.id }).from(calendars).where(eq(calendars.userId, userId))

const shared = (db: Db | Tx, userId: number) =>
  db
    .select({ id: calendarMembers.calendarId })
    .from(calendarMembers)
    .where(and(eq(calendarMembers.userId, userId), eq(calendarMembers.status, 'accepted')))

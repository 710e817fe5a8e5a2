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

/** The same of many users at once, and only what says whether they see it. */
export const visibleToAll = (db: Db | Tx, userIds: readonly number[]) => {
  const among = sql`any(${`{${userIds.join()}}`}::integer[])`
  return unionAll(
    db
      .select({
        userId: calendars.userId,
        id: calendars.id,
        isSystem: calendars.isSystem,
        isVisible: calendars.isVisible,
      })
      .from(calendars)
      .where(sql`${calendars.userId} = ${among}`),
    db
      .select({
        userId: calendarMembers.userId,
        id: calendarMembers.calendarId,
        isSystem: sql<boolean>`false`,
        isVisible: calendarMembers.isVisible,
      })
      .from(calendarMembers)
      .where(and(sql`${calendarMembers.userId} = ${among}`, eq(calendarMembers.status, 'accepted'))),
  )
}

const own = (db: Db | Tx, userId: number) =>
  db.select({ id: calendars.id }).from(calendars).where(eq(calendars.userId, userId))

const shared = (db: Db | Tx, userId: number) =>
  db
    .select({ id: calendarMembers.calendarId })
    .from(calendarMembers)
    .where(and(eq(calendarMembers.userId, userId), eq(calendarMembers.status, 'accepted')))

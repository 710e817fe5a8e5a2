import { and, eq, type Placeholder, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import { among } from '../../db/among'
import type { Db, Tx } from '../../db/client'
import { prepared } from '../../db/prepared'
import { calendarMembers, calendars } from '../../db/schema'
import { isAcceptedBy, isVisibleTo } from '../../db/visible-calendars'

const visibleTo = (db: Db | Tx, userId: number | Placeholder) =>
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
    .leftJoin(calendarMembers, and(eq(calendarMembers.calendarId, calendars.id), isAcceptedBy(userId)))
    .where(isVisibleTo(db, userId))
    .orderBy(calendars.id)

const visiblePrepared = prepared((db) =>
  visibleTo(db, sql.placeholder('userId')).prepare('calendar_access_visible'),
)

/** Calendars that the user owns, and those that others share with them and they have accepted. */
export const visible = (db: Db | Tx, userId: number) => visiblePrepared(db).execute({ userId })

/** Like `visible` for many users at once, but only with the columns that decide whether they see a calendar's events. */
export const visibleToAll = (db: Db | Tx, userIds: readonly number[]) =>
  unionAll(
    db
      .select({
        userId: calendars.userId,
        id: calendars.id,
        isSystem: calendars.isSystem,
        isVisible: calendars.isVisible,
        sharedAt: sql<Date | null>`null::timestamptz`.mapWith(calendarMembers.updatedAt),
      })
      .from(calendars)
      .where(among(calendars.userId, userIds)),
    db
      .select({
        userId: calendarMembers.userId,
        id: calendarMembers.calendarId,
        isSystem: sql<boolean>`false`,
        isVisible: calendarMembers.isVisible,
        sharedAt: calendarMembers.updatedAt,
      })
      .from(calendarMembers)
      .where(and(among(calendarMembers.userId, userIds), eq(calendarMembers.status, 'accepted'))),
  )

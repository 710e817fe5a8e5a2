import { and, eq, gt, inArray, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { Db, Tx } from '../../db/client'
import { calendarMembers, calendars, users } from '../../db/schema'
import type { Stretch } from '../../lib/page'

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

/** With whom the calendars of a user are shared, by id. */
export const membersOf = (db: Db, ownerId: number, { afterId, limit }: Stretch) =>
  db
    .select({
      id: calendarMembers.id,
      calendar_id: calendarMembers.calendarId,
      user_id: calendarMembers.userId,
      network_name: users.networkName,
      permission: calendarMembers.permission,
      status: calendarMembers.status,
    })
    .from(calendarMembers)
    .innerJoin(calendars, eq(calendars.id, calendarMembers.calendarId))
    .innerJoin(users, eq(users.id, calendarMembers.userId))
    .where(and(eq(calendars.userId, ownerId), gt(calendarMembers.id, afterId)))
    .orderBy(calendarMembers.id)
    .limit(limit)

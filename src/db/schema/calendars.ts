import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { id, oneOf, timestamps } from './columns'
import { users } from './users'

/** Calendars (contract: calendars.changes). */
export const calendars = pgTable(
  'calendars',
  {
    id: id(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    /** `#rrggbb`. */
    color: text().notNull(),
    isDefault: boolean().notNull().default(false),
    isSystem: boolean().notNull().default(false),
    isVisible: boolean().notNull().default(true),
    ...timestamps(),
  },
  (t) => [
    uniqueIndex('calendars_user_id_name_key').on(t.userId, t.name),
    uniqueIndex('calendars_default_key')
      .on(t.userId)
      .where(sql`${t.isDefault}`),
    check('calendars_color_check', sql`${t.color} ~ '^#[0-9A-Fa-f]{6}$'`),
    check('calendars_system_not_default_check', sql`not (${t.isDefault} and ${t.isSystem})`),
  ],
)

export const PERMISSIONS = ['read', 'write'] as const
export type Permission = (typeof PERMISSIONS)[number]

export const MEMBERSHIP_STATUSES = ['pending', 'accepted'] as const

/** Users with whom a calendar is shared (contract: calendars.sharing). */
export const calendarMembers = pgTable(
  'calendar_members',
  {
    id: id(),
    calendarId: integer()
      .notNull()
      .references(() => calendars.id, { onDelete: 'cascade' }),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    permission: text({ enum: PERMISSIONS }).notNull(),
    /** Only an accepted membership shows the calendar. */
    status: text({ enum: MEMBERSHIP_STATUSES }).notNull(),
    /** The member's own colour, `#rrggbb`; null to use the owner's. */
    color: text(),
    isVisible: boolean().notNull().default(true),
    ...timestamps(),
  },
  (t) => [
    uniqueIndex('calendar_members_calendar_id_user_id_key').on(t.calendarId, t.userId),
    index('calendar_members_user_id_idx').on(t.userId),
    check('calendar_members_color_check', sql`${t.color} ~ '^#[0-9A-Fa-f]{6}$'`),
    oneOf('calendar_members_permission_check', t.permission, PERMISSIONS),
    oneOf('calendar_members_status_check', t.status, MEMBERSHIP_STATUSES),
  ],
)

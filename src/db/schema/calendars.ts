import { sql } from 'drizzle-orm'
import { boolean, check, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { id, timestamps } from './columns'
import { users } from './users'

/** Specification 2.5. */
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

import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { calendars } from './calendars'
import { id, oneOf, timestamps } from './columns'
import { VISIBILITIES, visibility } from './events'
import { users } from './users'

/** Templates for new events (contract: events.templates). */
export const eventTemplates = pgTable(
  'event_templates',
  {
    id: id(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    title: text().notNull(),
    description: text(),
    location: text(),
    /** One of the user's own calendars. */
    calendarId: integer().references(() => calendars.id, { onDelete: 'set null' }),
    allDay: boolean().notNull().default(false),
    /** The value of an RRULE (RFC 5545, section 3.8.5.3). */
    recurrenceRule: text(),
    /** Null follows the settings. */
    reminderMinutes: integer(),
    visibility: visibility(),
    version: integer().notNull().default(1),
    ...timestamps(),
  },
  (t) => [
    uniqueIndex('event_templates_user_id_name_key').on(t.userId, t.name),
    index('event_templates_calendar_id_idx').on(t.calendarId),
    check('event_templates_reminder_minutes_check', sql`${t.reminderMinutes} between 0 and 40320`),
    oneOf('event_templates_visibility_check', t.visibility, VISIBILITIES),
  ],
)

import { integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { calendars } from './calendars'
import { instant } from './columns'

/** Secret addresses that give access to a calendar without a session (contract: calendars.feeds); one per calendar. */
export const calendarFeeds = pgTable(
  'calendar_feeds',
  {
    calendarId: integer()
      .primaryKey()
      .references(() => calendars.id, { onDelete: 'cascade' }),
    /** SHA-256 in hex, so that reading the database gives no access to the calendar. */
    tokenHash: text().notNull(),
    createdAt: instant().notNull(),
    /** Accurate to ten minutes; null until the first access. */
    lastReadAt: instant(),
  },
  (t) => [uniqueIndex('calendar_feeds_token_hash_key').on(t.tokenHash)],
)

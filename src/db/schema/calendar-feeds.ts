import { integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { calendars } from './calendars'
import { instant } from './columns'

/** Secret addresses under which calendars are read without a session (contract: calendars.feeds): one of each calendar. */
export const calendarFeeds = pgTable(
  'calendar_feeds',
  {
    calendarId: integer()
      .primaryKey()
      .references(() => calendars.id, { onDelete: 'cascade' }),
    /** SHA-256 in hex: whoever reads the database cannot read the calendar by it. */
    tokenHash: text().notNull(),
    createdAt: instant().notNull(),
    /** Kept to within ten minutes; null until the first reading. */
    lastReadAt: instant(),
  },
  (t) => [uniqueIndex('calendar_feeds_token_hash_key').on(t.tokenHash)],
)

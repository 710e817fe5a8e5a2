import { index, integer, pgTable, uniqueIndex, varchar } from 'drizzle-orm/pg-core'
import { id, instant } from './columns'
import { users } from './users'

/** The programs with which each user has signed in during the last 90 days, so that a sign-in with another one shows. */
export const seenUserAgents = pgTable(
  'seen_user_agents',
  {
    id: id(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** As the request named it; empty where it named none. */
    userAgent: varchar({ length: 255 }).notNull(),
    /** Right to a day. */
    lastSeenAt: instant().notNull(),
  },
  (t) => [
    uniqueIndex('seen_user_agents_user_id_user_agent_key').on(t.userId, t.userAgent),
    index('seen_user_agents_last_seen_at_idx').on(t.lastSeenAt),
  ],
)

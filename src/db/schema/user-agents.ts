import { index, integer, pgTable, uniqueIndex, varchar } from 'drizzle-orm/pg-core'
import { id, instant } from './columns'
import { users } from './users'

/** Programs with which each user has signed in during the last 90 days, to recognise a sign-in with a new one. */
export const seenUserAgents = pgTable(
  'seen_user_agents',
  {
    id: id(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** As in the request; empty when the request has none. */
    userAgent: varchar({ length: 255 }).notNull(),
    /** Accurate to a day. */
    lastSeenAt: instant().notNull(),
  },
  (t) => [
    uniqueIndex('seen_user_agents_user_id_user_agent_key').on(t.userId, t.userAgent),
    index('seen_user_agents_last_seen_at_idx').on(t.lastSeenAt),
  ],
)

import { index, integer, pgTable } from 'drizzle-orm/pg-core'
import { id, instant } from './columns'
import { users } from './users'

/**
 * Invitations to events and calendars that a user has sent to another, including withdrawn ones; counted for a day
 * (contract: events.invitations-a-day).
 */
export const sentInvitations = pgTable(
  'sent_invitations',
  {
    id: id(),
    senderId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    receiverId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: instant().notNull(),
  },
  (t) => [
    index('sent_invitations_sender_id_idx').on(t.senderId, t.receiverId, t.createdAt),
    index('sent_invitations_receiver_id_idx').on(t.receiverId),
    index('sent_invitations_created_at_idx').on(t.createdAt),
  ],
)

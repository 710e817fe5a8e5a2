import { index, integer, pgTable } from 'drizzle-orm/pg-core'
import { id, instant } from './columns'
import { users } from './users'

/** That somebody invited somebody, to an event or to a calendar: counted for a day (contract: events.invitations-a-day), also once it was taken back. */
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

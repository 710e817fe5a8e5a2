import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { id, instant, oneOf, timestamps } from './columns'
import { users } from './users'

export const REQUEST_STATUSES = ['pending', 'accepted', 'rejected', 'cancelled'] as const
export type RequestStatus = (typeof REQUEST_STATUSES)[number]

/** Requests to connect (contract: connections.requests). */
export const connectionRequests = pgTable(
  'connection_requests',
  {
    id: id(),
    senderId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    receiverId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    status: text({ enum: REQUEST_STATUSES }).notNull().default('pending'),
    message: text(),
    respondedAt: instant(),
    /** The names of both sides when the request was settled, as the other side saw them. */
    senderNetworkName: text(),
    senderPreferredName: text(),
    receiverNetworkName: text(),
    receiverPreferredName: text(),
    ...timestamps(),
  },
  (t) => [
    // One pending request between two users, whichever of them sent it.
    uniqueIndex('connection_requests_pending_key')
      .on(sql`least(${t.senderId}, ${t.receiverId})`, sql`greatest(${t.senderId}, ${t.receiverId})`)
      .where(sql`${t.status} = 'pending'`),
    index('connection_requests_sender_id_idx').on(t.senderId, t.id),
    index('connection_requests_receiver_id_idx').on(t.receiverId, t.id),
    oneOf('connection_requests_status_check', t.status, REQUEST_STATUSES),
    check(
      'connection_requests_settled_check',
      sql`num_nonnulls(${t.senderNetworkName}, ${t.receiverNetworkName}) = case when ${t.status} = 'pending' then 0 else 2 end`,
    ),
    check('connection_requests_not_oneself_check', sql`${t.senderId} <> ${t.receiverId}`),
  ],
)

/** Users whom a user has blocked; the two are invisible to each other (contract: connections.blocks). */
export const blocks = pgTable(
  'blocks',
  {
    id: id(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    blockedUserId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The name of the blocked user at that time. */
    networkName: text().notNull(),
    createdAt: instant().notNull(),
  },
  (t) => [
    uniqueIndex('blocks_user_id_blocked_user_id_key').on(t.userId, t.blockedUserId),
    index('blocks_blocked_user_id_idx').on(t.blockedUserId),
    check('blocks_not_oneself_check', sql`${t.userId} <> ${t.blockedUserId}`),
  ],
)

/** One direction of a connection: what `userId` shows to `otherUserId`. Both directions are inserted and deleted together. */
export const connections = pgTable(
  'connections',
  {
    id: id(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    otherUserId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** True or false overrides the setting of the same name; null follows it. */
    shareFirstName: boolean(),
    shareLastName: boolean(),
    sharePreferredName: boolean(),
    shareEmail: boolean(),
    sharePhone: boolean(),
    shareMobile: boolean(),
    shareBirthday: boolean(),
    shareAddress: boolean(),
    shareCompany: boolean(),
    shareJobTitle: boolean(),
    ...timestamps(),
  },
  (t) => [
    uniqueIndex('connections_user_id_other_user_id_key').on(t.userId, t.otherUserId),
    index('connections_other_user_id_idx').on(t.otherUserId),
    check('connections_not_oneself_check', sql`${t.userId} <> ${t.otherUserId}`),
  ],
)

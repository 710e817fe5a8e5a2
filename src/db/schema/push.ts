import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { id, instant, oneOf } from './columns'
import { users } from './users'

export const PUSH_KINDS = ['event', 'birthday', 'reminder', 'todo', 'project', 'task', 'connection'] as const
export type PushKind = (typeof PUSH_KINDS)[number]

export const DELIVERY_STATUSES = ['pending', 'sent', 'failed'] as const

/** Due messages (contract: push.delivery). The row keeps a message from being lost, and from being sent twice. */
export const pushDeliveries = pgTable(
  'push_deliveries',
  {
    id: id(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Kind, id, occurrence and fire time. */
    key: text().notNull(),
    kind: text({ enum: PUSH_KINDS }).notNull(),
    itemId: integer().notNull(),
    /** Original start of the occurrence; empty unless the item repeats. */
    occurrence: text().notNull(),
    /** Which of the item's times the message is about. Settings move the fire time, but not this. */
    about: text().notNull(),
    title: text().notNull(),
    fireAt: instant().notNull(),
    status: text({ enum: DELIVERY_STATUSES }).notNull().default('pending'),
    /** When a pending message may next be claimed. A claim moves this to the end of its lease. */
    dueAt: instant().notNull(),
    /** Whether it waits for the end of the quiet hours. */
    isHeld: boolean().notNull().default(false),
    /** After this, it is too late to send the message. */
    expiresAt: instant().notNull(),
    attempts: integer().notNull().default(0),
    /** Why the last attempt failed. */
    error: text(),
    sentAt: instant(),
    createdAt: instant().notNull(),
  },
  (t) => [
    uniqueIndex('push_deliveries_user_id_key_key').on(t.userId, t.key),
    index('push_deliveries_user_id_idx').on(t.userId, t.id),
    index('push_deliveries_user_id_sent_at_idx').on(t.userId, t.sentAt),
    index('push_deliveries_created_at_idx').on(t.createdAt),
    index('push_deliveries_due_at_idx')
      .on(t.dueAt)
      .where(sql`${t.status} = 'pending'`),
    oneOf('push_deliveries_kind_check', t.kind, PUSH_KINDS),
    oneOf('push_deliveries_status_check', t.status, DELIVERY_STATUSES),
    check('push_deliveries_sent_check', sql`(${t.status} = 'sent') = (${t.sentAt} is not null)`),
  ],
)

/** When the dispatcher next checks a user: no later than their next message is due. */
export const pushWakes = pgTable(
  'push_wakes',
  {
    userId: integer()
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    wakeAt: instant().notNull(),
    /** Until when messages are planned, for a user who needs several passes. */
    plannedTo: instant(),
  },
  (t) => [index('push_wakes_wake_at_idx').on(t.wakeAt)],
)

import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { id, instant, oneOf } from './columns'
import { users } from './users'

export const NOTIFICATION_TYPES = [
  'connection_request',
  'connection_accepted',
  'calendar_invite',
  'calendar_invite_accepted',
  'event_invite',
  'event_response',
  'event_changed',
  'event_cancelled',
  'security',
  'system',
] as const
export type NotificationType = (typeof NOTIFICATION_TYPES)[number]

/** Notifications (contract: notifications.unread). */
export const notifications = pgTable(
  'notifications',
  {
    id: id(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    type: text({ enum: NOTIFICATION_TYPES }).notNull(),
    title: text().notNull(),
    message: text().notNull(),
    /** The subject's ids: `{ request_id }`, `{ event_id, invitation_id }` and the like. */
    data: jsonb().$type<Readonly<Record<string, number>>>().notNull(),
    /**
     * The id of the event, calendar invite, request or connection; for an answer, of the invitation. A new notification replaces
     * an unread one of the same type and subject.
     */
    subjectId: integer().generatedAlwaysAs(
      sql`case when type in ('security', 'system') then null else coalesce(case when type = 'event_response' then (data ->> 'invitation_id')::integer end, (data ->> 'event_id')::integer, (data ->> 'invite_id')::integer, (data ->> 'request_id')::integer, (data ->> 'connection_id')::integer) end`,
    ),
    isRead: boolean().notNull().default(false),
    createdAt: instant().notNull(),
  },
  (t) => [
    index('notifications_user_id_idx').on(t.userId, t.createdAt, t.id),
    index('notifications_created_at_idx').on(t.createdAt),
    index('notifications_unread_idx')
      .on(t.userId)
      .where(sql`not ${t.isRead}`),
    uniqueIndex('notifications_unread_subject_key')
      .on(t.userId, t.type, t.subjectId)
      .where(sql`not ${t.isRead}`),
    oneOf('notifications_type_check', t.type, NOTIFICATION_TYPES),
  ],
)

import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { pageQuery } from '../../../lib/wire/page'
import { queryFlag } from '../../../lib/wire/schema'

const NotificationType = t.Union([
  t.Literal('connection_request'),
  t.Literal('connection_accepted'),
  t.Literal('calendar_invite'),
  t.Literal('calendar_invite_accepted'),
  t.Literal('event_invite'),
  t.Literal('event_response'),
  t.Literal('event_changed'),
  t.Literal('event_cancelled'),
  t.Literal('security'),
  t.Literal('system'),
])

export const NotificationsQuery = t.Object({
  unread: t.Optional(queryFlag('`true` lists only unread notifications, `false` only read ones.')),
  type: t.Optional(NotificationType),
  ...pageQuery,
})
export type NotificationsQuery = typeof NotificationsQuery.static

export const NotificationView = t.Object(
  {
    id: Type.Integer(),
    type: NotificationType,
    title: t.String(),
    message: t.String(),
    data: t.Record(t.String(), Type.Integer(), {
      description: 'Ids of the records that it is about: `request_id`, `connection_id` and the like.',
    }),
    is_read: t.Boolean(),
    created_at: t.String({ format: 'date-time' }),
  },
  { title: 'Notification' },
)
export type NotificationView = typeof NotificationView.static

export const NotificationsPage = t.Object({
  notifications: t.Array(NotificationView),
  unread_count: Type.Integer({ description: 'Counts all notifications, regardless of filter and page.' }),
  next_cursor: t.Nullable(t.String()),
})
export type NotificationsPage = typeof NotificationsPage.static

export const AllReadView = t.Object({
  message: t.String(),
  updated: Type.Integer({ description: 'How many were unread.' }),
})
export type AllReadView = typeof AllReadView.static

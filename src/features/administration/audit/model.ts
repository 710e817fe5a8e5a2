import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { pageQuery } from '../../../lib/wire/page'
import { dateTime, line, queryInteger } from '../../../lib/wire/schema'

export const AuditQuery = t.Object({
  action: t.Optional(line({ max: 100, description: 'Exactly this action.' })),
  actor_id: t.Optional(queryInteger(1, 2_147_483_647, 'Only entries of this user.')),
  from: t.Optional(dateTime("Inclusive; without an offset, in the server's time zone.")),
  to: t.Optional(dateTime("Exclusive; without an offset, in the server's time zone.")),
  ...pageQuery,
})
export type AuditQuery = typeof AuditQuery.static

export const AuditEntryView = t.Object(
  {
    id: Type.Integer(),
    action: t.String({ description: 'Such as `auth.login_failed`.' }),
    actor_id: t.Nullable(Type.Integer()),
    actor_username: t.Nullable(
      t.String({ description: 'Null if the actor is unknown or has been deleted.' }),
    ),
    detail: t.Nullable(t.Record(t.String(), t.Unknown())),
    ip: t.Nullable(t.String()),
    created_at: t.String({ format: 'date-time' }),
  },
  { title: 'AuditEntry' },
)

export const AuditPage = t.Object({
  entries: t.Array(AuditEntryView),
  next_cursor: t.Nullable(t.String()),
})
export type AuditPage = typeof AuditPage.static

import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { AuthMethod } from '../../identity/active-sessions/model'
import { AuditEntryView } from '../audit/model'

export const DashboardView = t.Object({
  counts: t.Object({
    users: Type.Integer(),
    active_users: Type.Integer(),
    admins: Type.Integer(),
    locked_users: Type.Integer({ description: 'Accounts that are locked after too many wrong attempts.' }),
    active_sessions: Type.Integer({ description: 'Live sessions of active users.' }),
  }),
  recent_logins: t.Array(
    t.Object({
      username: t.String(),
      at: t.String({ format: 'date-time' }),
      ip_address: t.Nullable(t.String()),
      auth_method: AuthMethod,
    }),
  ),
  recent_audit: t.Array(AuditEntryView),
})
export type DashboardView = typeof DashboardView.static

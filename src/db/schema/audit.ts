import { index, integer, jsonb, pgTable, text, varchar } from 'drizzle-orm/pg-core'
import { id, instant } from './columns'
import { users } from './users'

/** The audit log (contract: audit.entries). */
export const auditLog = pgTable(
  'audit_log',
  {
    id: id(),
    action: text().notNull(),
    actorId: integer().references(() => users.id, { onDelete: 'set null' }),
    detail: jsonb().$type<Record<string, unknown>>(),
    ip: varchar({ length: 45 }),
    createdAt: instant().notNull(),
  },
  (t) => [
    index('audit_log_created_at_idx').on(t.createdAt, t.id),
    index('audit_log_action_idx').on(t.action, t.createdAt, t.id),
    index('audit_log_actor_id_idx').on(t.actorId, t.createdAt, t.id),
  ],
)

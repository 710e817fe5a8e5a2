import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from './columns'

/**
 * Rows as they were before each change (contract: undo.history). Triggers write it (`drizzle/0028_history.sql`), so that nothing
 * that changes a row can forget to.
 */
export const history = pgTable(
  'history',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** Null for what happened by itself. The operation may be gone. */
    operation: uuid(),
    tab: text().notNull(),
    /** The primary key; columns of a composite one are joined by `/`. */
    rowKey: text().notNull(),
    /** Null for a new row. */
    before: jsonb().$type<Readonly<Record<string, unknown>>>(),
    /** Null for a row that went or changed with another one. */
    ownerId: integer(),
    /** Whether somebody deleted it, and not something that it was in. */
    inTrash: boolean().notNull().default(false),
    at: instant().notNull().defaultNow(),
  },
  (t) => [
    index('history_operation_idx').on(t.operation, t.id),
    index('history_row_idx').on(t.tab, t.rowKey, t.id),
    index('history_owner_id_idx').on(t.ownerId, t.tab),
    index('history_trash_idx')
      .on(t.ownerId, t.id)
      .where(sql`${t.inTrash}`),
    index('history_linked_user_idx')
      .on(sql`((${t.before} ->> 'linked_user_id')::integer)`)
      .where(sql`${t.tab} = 'people' and ${t.before} ->> 'linked_user_id' is not null`),
    index('history_guest_idx')
      .on(sql`((${t.before} ->> 'user_id')::integer)`)
      .where(sql`${t.tab} = 'event_invitations'`),
  ],
)

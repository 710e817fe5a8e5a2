import { sql } from 'drizzle-orm'
import { boolean, check, integer, numeric, pgTable, text, unique, uniqueIndex } from 'drizzle-orm/pg-core'
import { id, timestamps } from './columns'
import { users } from './users'

/** Lists of todos (contract: todos.lists). A trigger gives every new user their default list. */
export const todoLists = pgTable(
  'todo_lists',
  {
    id: id(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    /** `#rrggbb`. */
    color: text().notNull(),
    isDefault: boolean().notNull().default(false),
    /** Place among the owner's lists (`src/lib/ordering.ts`). */
    rank: numeric().notNull(),
    version: integer().notNull().default(1),
    ...timestamps(),
  },
  (t) => [
    unique('todo_lists_owner_key').on(t.id, t.userId),
    uniqueIndex('todo_lists_user_id_name_key').on(t.userId, t.name),
    uniqueIndex('todo_lists_user_id_rank_key').on(t.userId, t.rank),
    uniqueIndex('todo_lists_default_key')
      .on(t.userId)
      .where(sql`${t.isDefault}`),
    check('todo_lists_color_check', sql`${t.color} ~ '^#[0-9A-Fa-f]{6}$'`),
  ],
)

import { sql } from 'drizzle-orm'
import {
  check,
  date,
  foreignKey,
  index,
  integer,
  numeric,
  pgTable,
  text,
  time,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { id, instant, oneOf, PRIORITIES, timestamps } from './columns'
import { todoLists } from './todo-lists'
import { users } from './users'

export const TODO_RECURRENCES = ['daily', 'weekly', 'monthly'] as const

/** Todos (contract: todos.recurrence). */
export const todos = pgTable(
  'todos',
  {
    id: id(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** A list of the same user. A trigger puts what names none into the default list. */
    listId: integer().notNull(),
    title: text().notNull(),
    description: text(),
    priority: text({ enum: PRIORITIES }).notNull(),
    dueDate: date({ mode: 'string' }),
    /** Day of the month of the due date that the user last set. A monthly todo returns to it after a short month. */
    dueDay: integer(),
    dueTime: time({ precision: 0 }),
    category: text(),
    /** Set while it is completed. */
    completedAt: instant(),
    recurrence: text({ enum: TODO_RECURRENCES }),
    /** When a completed todo reopens, with `nextDueDate` as its due date. */
    resetAt: instant(),
    nextDueDate: date({ mode: 'string' }),
    /** When it last reopened by itself. Nothing that follows from its due date may lie before this. */
    openedAt: instant(),
    /** Place among the owner's todos (`src/lib/ordering.ts`). */
    rank: numeric().notNull(),
    version: integer().notNull().default(1),
    ...timestamps(),
  },
  (t) => [
    foreignKey({
      name: 'todos_list_fkey',
      columns: [t.listId, t.userId],
      foreignColumns: [todoLists.id, todoLists.userId],
    }).onDelete('cascade'),
    uniqueIndex('todos_user_id_rank_key').on(t.userId, t.rank),
    index('todos_list_id_idx').on(t.listId, t.rank),
    index('todos_reset_at_idx')
      .on(t.userId, t.resetAt)
      .where(sql`${t.resetAt} is not null`),
    index('todos_due_date_idx')
      .on(t.userId, t.dueDate, t.id)
      .where(sql`${t.completedAt} is null`),
    oneOf('todos_priority_check', t.priority, PRIORITIES),
    oneOf('todos_recurrence_check', t.recurrence, TODO_RECURRENCES),
    check('todos_due_time_check', sql`${t.dueTime} is null or ${t.dueDate} is not null`),
    check('todos_due_day_check', sql`${t.dueDay} between 1 and 31`),
    check(
      'todos_reset_check',
      sql`num_nonnulls(${t.resetAt}, ${t.nextDueDate}) = case when ${t.completedAt} is null or ${t.recurrence} is null then 0 else 2 end`,
    ),
  ],
)

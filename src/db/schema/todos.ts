import { type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
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

/** The number by which other programs sort a todo: whole seconds since 2001-01-01, by default those of its creation. */
export const sortNumber = (t: {
  readonly sortOrder: SQLWrapper
  readonly createdAt: SQLWrapper
}): SQL<number> =>
  sql`coalesce(${t.sortOrder}, floor(extract(epoch from ${t.createdAt} at time zone 'UTC'))::bigint - 978307200)`

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
    /** Its text repeats it in a way that `recurrence` cannot say (contract: todos.text). */
    recurrenceUnsupported: boolean().notNull().default(false),
    /** When a completed todo reopens, with `nextDueDate` as its due date. */
    resetAt: instant(),
    nextDueDate: date({ mode: 'string' }),
    /** When it last reopened by itself. Nothing that follows from its due date may lie before this. */
    openedAt: instant(),
    /** Place among the owner's todos (`src/lib/ordering.ts`). */
    rank: numeric().notNull(),
    /** The number by which other programs sort it in its list; null for the second of its creation (contract: todos.order). */
    sortOrder: bigint({ mode: 'number' }),
    /** The UID that another program gave it, or a substitute for a long one; null for one that follows from its id. */
    uid: text(),
    /** The name that a client of /dav chose. */
    objectName: text(),
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
    index('todos_sort_order_idx').on(t.listId, sortNumber(t), t.rank),
    index('todos_reset_at_idx')
      .on(t.userId, t.resetAt)
      .where(sql`${t.resetAt} is not null`),
    // For what reopens by itself.
    index('todos_reopening_idx')
      .on(t.resetAt)
      .where(sql`${t.resetAt} is not null`),
    uniqueIndex('todos_list_id_uid_key')
      .on(t.listId, t.uid)
      .where(sql`${t.uid} is not null`),
    uniqueIndex('todos_list_id_object_name_key')
      .on(t.listId, t.objectName)
      .where(sql`${t.objectName} is not null`),
    index('todos_due_date_idx')
      .on(t.userId, t.dueDate, t.id)
      .where(sql`${t.completedAt} is null`),
    oneOf('todos_priority_check', t.priority, PRIORITIES),
    oneOf('todos_recurrence_check', t.recurrence, TODO_RECURRENCES),
    check('todos_due_time_check', sql`${t.dueTime} is null or ${t.dueDate} is not null`),
    check('todos_object_name_check', sql`octet_length(${t.objectName}) between 1 and 255`),
    check('todos_due_day_check', sql`${t.dueDay} between 1 and 31`),
    check(
      'todos_reset_check',
      sql`num_nonnulls(${t.resetAt}, ${t.nextDueDate}) = case when ${t.completedAt} is not null and (${t.recurrence} is not null or ${t.recurrenceUnsupported} and ${t.resetAt} is not null) then 2 else 0 end`,
    ),
  ],
)

/** What a text said of a todo when it came, by the names of the columns. */
export interface SaidOfTodo {
  /** The UID, or its substitute. */
  readonly uid: string
  /** The version of the todo that is this text. */
  readonly version: number
  /** The IANA zone of the due time. */
  readonly zone: string
  readonly title: string
  readonly description: string | null
  readonly priority: (typeof PRIORITIES)[number]
  readonly category: string | null
  readonly dueDate: string | null
  /** `HH:MM:SS`. */
  readonly dueTime: string | null
  /** ISO 8601. */
  readonly completedAt: string | null
  readonly recurrence: (typeof TODO_RECURRENCES)[number] | null
  /** The `sortOrder` of the todo then; undefined in texts from before it had one. */
  readonly sortOrder?: number | null
}

/** What other programs wrote of todos, as they wrote it (contract: todos.text). */
export const todoTexts = pgTable('todo_texts', {
  todoId: integer()
    .primaryKey()
    .references(() => todos.id, { onDelete: 'cascade' }),
  /** The owner of the todo, for the history. */
  userId: integer().notNull(),
  /** Byte for byte. */
  text: text().notNull(),
  /** What differs from it was changed here since. */
  said: jsonb().$type<SaidOfTodo>().notNull(),
})

import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  date,
  foreignKey,
  index,
  integer,
  numeric,
  pgTable,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { id, oneOf, PRIORITIES, timestamps } from './columns'
import { users } from './users'

export const PROJECT_STATUSES = ['not_started', 'in_progress', 'on_hold', 'completed'] as const
export const TASK_STATUSES = ['pending', 'in_progress', 'completed'] as const

export const projects = pgTable(
  'projects',
  {
    id: id(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    description: text(),
    /** `#rrggbb`. */
    color: text(),
    status: text({ enum: PROJECT_STATUSES }).notNull().default('not_started'),
    dueDate: date({ mode: 'string' }),
    isTracked: boolean().notNull().default(false),
    /** Place among the owner's projects (`src/lib/ordering.ts`). */
    rank: numeric().notNull(),
    version: integer().notNull().default(1),
    ...timestamps(),
  },
  (t) => [
    uniqueIndex('projects_user_id_rank_key').on(t.userId, t.rank),
    index('projects_due_date_idx')
      .on(t.userId, t.dueDate)
      .where(sql`${t.status} <> 'completed'`),
    oneOf('projects_status_check', t.status, PROJECT_STATUSES),
    check('projects_color_check', sql`${t.color} ~ '^#[0-9A-Fa-f]{6}$'`),
  ],
)

/**
 * Tasks, and their subtasks one level below (contract: projects.subtasks). The foreign key of a subtask requires that its parent
 * is in the same project and at the top level, so that neither a foreign parent nor a second level is possible.
 */
export const projectTasks = pgTable(
  'project_tasks',
  {
    id: id(),
    projectId: integer()
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    parentTaskId: integer(),
    isTopLevel: boolean()
      .notNull()
      .generatedAlwaysAs(sql`parent_task_id is null`),
    /** Compared with the parent's `isTopLevel` by the foreign key. */
    parentIsTopLevel: boolean()
      .notNull()
      .generatedAlwaysAs(sql`true`),
    title: text().notNull(),
    description: text(),
    status: text({ enum: TASK_STATUSES }).notNull().default('pending'),
    priority: text({ enum: PRIORITIES }).notNull().default('none'),
    dueDate: date({ mode: 'string' }),
    /** Place among its siblings. */
    rank: numeric().notNull(),
    version: integer().notNull().default(1),
    ...timestamps(),
  },
  (t) => [
    unique('project_tasks_parent_key').on(t.id, t.projectId, t.isTopLevel),
    foreignKey({
      name: 'project_tasks_parent_fkey',
      columns: [t.parentTaskId, t.projectId, t.parentIsTopLevel],
      foreignColumns: [t.id, t.projectId, t.isTopLevel],
    }).onDelete('cascade'),
    uniqueIndex('project_tasks_top_level_rank_key')
      .on(t.projectId, t.rank)
      .where(sql`${t.parentTaskId} is null`),
    uniqueIndex('project_tasks_subtask_rank_key').on(t.parentTaskId, t.rank),
    // Covers all columns of the foreign key: with the project alone, deleting one would take time quadratic in its tasks.
    index('project_tasks_parent_idx')
      .on(t.parentTaskId, t.projectId, t.parentIsTopLevel)
      .where(sql`${t.parentTaskId} is not null`),
    index('project_tasks_project_id_idx').on(t.projectId, t.status),
    index('project_tasks_due_date_idx')
      .on(t.projectId, t.dueDate, t.id)
      .where(sql`${t.status} <> 'completed'`),
    oneOf('project_tasks_status_check', t.status, TASK_STATUSES),
    oneOf('project_tasks_priority_check', t.priority, PRIORITIES),
  ],
)

export const taskComments = pgTable(
  'task_comments',
  {
    id: id(),
    taskId: integer()
      .notNull()
      .references(() => projectTasks.id, { onDelete: 'cascade' }),
    authorId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    body: text().notNull(),
    ...timestamps(),
  },
  (t) => [
    index('task_comments_task_id_idx').on(t.taskId, t.createdAt, t.id),
    index('task_comments_author_id_idx').on(t.authorId),
  ],
)

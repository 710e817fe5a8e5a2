import { sql } from 'drizzle-orm'
import { check, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { oneOf } from './columns'

export const TALLY_KINDS = ['todos', 'projects', 'tasks', 'subtasks'] as const

/** How many rows each list has that is arranged by hand. Triggers keep count; an empty list has no row. */
export const tallies = pgTable(
  'tallies',
  {
    kind: text({ enum: TALLY_KINDS }).notNull(),
    /** The user of todos and projects, the project of top-level tasks, the parent of subtasks. */
    ownerId: integer().notNull(),
    count: integer().notNull(),
  },
  (t) => [
    primaryKey({ name: 'tallies_pkey', columns: [t.kind, t.ownerId] }),
    oneOf('tallies_kind_check', t.kind, TALLY_KINDS),
    check('tallies_count_check', sql`${t.count} > 0`),
  ],
)

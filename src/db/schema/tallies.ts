import { sql } from 'drizzle-orm'
import { check, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { oneOf } from './columns'

/** Kinds of records that are counted per user. The SQL function `quota` has their limits. */
export const COUNTED_KINDS = [
  'calendars',
  'feeds',
  'events',
  'event_templates',
  'todo_lists',
  'todos',
  'reminders',
  'projects',
  'all_tasks',
  'comments',
  'people',
  'address_books',
  'occurrences',
  'responses',
] as const
export type CountedKind = (typeof COUNTED_KINDS)[number]

/** Counted per project and per task. */
const LISTED_KINDS = ['tasks', 'subtasks'] as const

export const TALLY_KINDS = [...COUNTED_KINDS, ...LISTED_KINDS] as const

/** Numbers of rows by kind. Triggers keep them; a missing row means zero. */
export const tallies = pgTable(
  'tallies',
  {
    kind: text({ enum: TALLY_KINDS }).notNull(),
    /** The project for top-level tasks, the parent for subtasks, otherwise the user. */
    ownerId: integer().notNull(),
    count: integer().notNull(),
  },
  (t) => [
    primaryKey({ name: 'tallies_pkey', columns: [t.kind, t.ownerId] }),
    oneOf('tallies_kind_check', t.kind, TALLY_KINDS),
    check('tallies_count_check', sql`${t.count} > 0`),
  ],
)

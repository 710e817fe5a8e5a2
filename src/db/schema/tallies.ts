import { sql } from 'drizzle-orm'
import { check, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { oneOf } from './columns'

/** What each user has so many of: the bounds stand in the function `quota`. */
export const COUNTED_KINDS = [
  'calendars',
  'feeds',
  'events',
  'event_templates',
  'todos',
  'reminders',
  'projects',
  'all_tasks',
  'comments',
  'people',
  'occurrences',
  'responses',
] as const
export type CountedKind = (typeof COUNTED_KINDS)[number]

/** Of one project, or of one task. */
const LISTED_KINDS = ['tasks', 'subtasks'] as const

export const TALLY_KINDS = [...COUNTED_KINDS, ...LISTED_KINDS] as const

/** How many rows there are of a kind. Triggers keep count; where there is none, there is no row. */
export const tallies = pgTable(
  'tallies',
  {
    kind: text({ enum: TALLY_KINDS }).notNull(),
    /** The project of top-level tasks, the parent of subtasks, the user of everything else. */
    ownerId: integer().notNull(),
    count: integer().notNull(),
  },
  (t) => [
    primaryKey({ name: 'tallies_pkey', columns: [t.kind, t.ownerId] }),
    oneOf('tallies_kind_check', t.kind, TALLY_KINDS),
    check('tallies_count_check', sql`${t.count} > 0`),
  ],
)

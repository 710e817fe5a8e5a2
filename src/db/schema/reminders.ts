import { type SQL, sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  boolean,
  check,
  index,
  integer,
  pgTable,
  text,
  timestamp,
} from 'drizzle-orm/pg-core'
import { id, instant, timestamps } from './columns'
import { users } from './users'

interface Moments {
  readonly snoozedUntil: AnyPgColumn
  readonly remindAt: AnyPgColumn
}

/** When a reminder fires; 'infinity' when it never does. Indexes contain this expression for use by lists. */
export const momentOf = ({ snoozedUntil, remindAt }: Moments): SQL =>
  sql`coalesce(${snoozedUntil}, ${remindAt}, 'infinity')`

/** Reminders (contract: reminders.states). */
export const reminders = pgTable(
  'reminders',
  {
    id: id(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    title: text().notNull(),
    description: text(),
    remindAt: instant(),
    /** The `remindAt` that the user last set; the series counts from it. */
    seriesStart: instant(),
    /** The same as wall time in `timeZone`. If daylight saving skips it, `seriesStart` is later. */
    seriesWall: timestamp({ mode: 'string', precision: 3 }),
    /** The value of an RRULE (RFC 5545, section 3.3.10). */
    recurrenceRule: text(),
    /** IANA name; an alias is kept as it is. */
    timeZone: text().notNull(),
    isActive: boolean().notNull().default(true),
    isDismissed: boolean().notNull().default(false),
    snoozedUntil: instant(),
    version: integer().notNull().default(1),
    ...timestamps(),
  },
  (t) => [
    index('reminders_user_id_moment_idx').on(t.userId, momentOf(t), t.id),
    // Leaves out dismissed reminders, which accumulate and are never looked up.
    index('reminders_pending_idx')
      .on(t.userId, momentOf(t), t.id)
      .where(sql`${t.isActive} and not ${t.isDismissed}`),
    index('reminders_series_idx')
      .on(t.userId)
      .where(sql`${t.recurrenceRule} is not null and ${t.isActive} and not ${t.isDismissed}`),
    check('reminders_recurrence_check', sql`${t.recurrenceRule} is null or ${t.remindAt} is not null`),
    check(
      'reminders_series_start_check',
      sql`num_nonnulls(${t.remindAt}, ${t.seriesStart}, ${t.seriesWall}) in (0, 3)`,
    ),
    check('reminders_dismissed_check', sql`not (${t.isDismissed} and ${t.snoozedUntil} is not null)`),
  ],
)

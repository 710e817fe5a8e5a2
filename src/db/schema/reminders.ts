import { type SQL, sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  timestamp,
  uniqueIndex,
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
    /** Its text repeats it in a way that `recurrenceRule` cannot say. */
    recurrenceUnsupported: boolean().notNull().default(false),
    /** IANA name; an alias is kept as it is. */
    timeZone: text().notNull(),
    isActive: boolean().notNull().default(true),
    isDismissed: boolean().notNull().default(false),
    snoozedUntil: instant(),
    /** As of a todo. */
    uid: text(),
    objectName: text(),
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
    uniqueIndex('reminders_user_id_uid_key')
      .on(t.userId, t.uid)
      .where(sql`${t.uid} is not null`),
    uniqueIndex('reminders_user_id_object_name_key')
      .on(t.userId, t.objectName)
      .where(sql`${t.objectName} is not null`),
    check('reminders_object_name_check', sql`octet_length(${t.objectName}) between 1 and 255`),
    check('reminders_recurrence_check', sql`${t.recurrenceRule} is null or ${t.remindAt} is not null`),
    check(
      'reminders_series_start_check',
      sql`num_nonnulls(${t.remindAt}, ${t.seriesStart}, ${t.seriesWall}) in (0, 3)`,
    ),
    check('reminders_dismissed_check', sql`not (${t.isDismissed} and ${t.snoozedUntil} is not null)`),
  ],
)

/** What a text said of a reminder when it came, by the names of the columns; instants in ISO 8601. */
export interface SaidOfReminder {
  readonly uid: string
  /** The version of the reminder that is this text. */
  readonly version: number
  /** The IANA zone for floating times. */
  readonly zone: string
  readonly title: string
  readonly description: string | null
  readonly remindAt: string | null
  readonly recurrenceRule: string | null
  /** When the text says that it was completed. */
  readonly completedAt: string | null
  readonly snoozedUntil: string | null
  readonly isActive: boolean
}

/** What other programs wrote of reminders, as they wrote it (contract: reminders.text). */
export const reminderTexts = pgTable('reminder_texts', {
  reminderId: integer()
    .primaryKey()
    .references(() => reminders.id, { onDelete: 'cascade' }),
  /** The owner of the reminder, for the history. */
  userId: integer().notNull(),
  /** Byte for byte. */
  text: text().notNull(),
  /** What differs from it was changed here since. */
  said: jsonb().$type<SaidOfReminder>().notNull(),
})

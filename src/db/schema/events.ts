import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { calendars } from './calendars'
import { id, instant, oneOf, timestamps } from './columns'
import { users } from './users'

/** A wall time in the zone of the event, `YYYY-MM-DD HH:MM:SS.mmm`; midnight in an all-day series. */
const wallTime = () => timestamp({ mode: 'string', precision: 3 })

export const VISIBILITIES = ['public', 'private'] as const

/** Whether the members of a calendar see more of an event than its times (contract: events.visibility). */
export const visibility = () => text({ enum: VISIBILITIES }).notNull().default('public')

/** Events (contract: events.series): a single event, or a series by its first occurrence and its rule. */
export const events = pgTable(
  'events',
  {
    id: id(),
    calendarId: integer()
      .notNull()
      .references(() => calendars.id, { onDelete: 'cascade' }),
    title: text().notNull(),
    description: text(),
    location: text(),
    allDay: boolean().notNull(),
    /** Set for a timed event. */
    startAt: instant(),
    endAt: instant(),
    /** The start as wall time, by which a series counts. If daylight saving skips it, `startAt` is later. */
    startWall: wallTime(),
    /** IANA name; an alias is kept as it is. */
    timeZone: text(),
    /** Set for an all-day event; both days are inclusive. */
    startDate: date({ mode: 'string' }),
    endDate: date({ mode: 'string' }),
    /** The value of an RRULE (RFC 5545, section 3.8.5.3). */
    recurrenceRule: text(),
    /** Its text has times or a rule that the columns cannot say. */
    recurrenceUnsupported: boolean().notNull().default(false),
    /** Its text says STATUS:CANCELLED: it does not take place. */
    isCancelled: boolean().notNull().default(false),
    /** Identifies the event in other programs (RFC 5545, section 3.8.4.7). */
    uid: text()
      .notNull()
      .default(sql`gen_random_uuid()`),
    /** The name that a client chose for the object (contract: dav.addresses); null for `dav_name`'s. */
    objectName: text(),
    /** When the last occurrence ends, as an instant or, for an all-day event, as its last day; null when the rule never ends. */
    lastEndAt: instant(),
    lastEndDate: date({ mode: 'string' }),
    /** Null follows the settings. */
    reminderMinutes: integer(),
    visibility: visibility(),
    version: integer().notNull().default(1),
    ...timestamps(),
  },
  (t) => [
    index('events_calendar_id_start_at_idx').on(t.calendarId, t.startAt),
    index('events_calendar_id_last_end_at_idx').on(t.calendarId, t.lastEndAt),
    index('events_calendar_id_start_date_idx').on(t.calendarId, t.startDate),
    index('events_calendar_id_last_end_date_idx').on(t.calendarId, t.lastEndDate),
    index('events_series_idx')
      .on(t.calendarId)
      .where(sql`${t.recurrenceRule} is not null`),
    uniqueIndex('events_calendar_id_uid_key').on(t.calendarId, t.uid),
    uniqueIndex('events_calendar_id_object_name_key')
      .on(t.calendarId, t.objectName)
      .where(sql`${t.objectName} is not null`),
    check(
      'events_times_check',
      sql`case when ${t.allDay}
        then ${t.startDate} <= ${t.endDate} and num_nonnulls(${t.startDate}, ${t.endDate}) = 2
          and num_nonnulls(${t.startAt}, ${t.endAt}, ${t.startWall}, ${t.timeZone}, ${t.lastEndAt}) = 0
        else ${t.startAt} <= ${t.endAt} and num_nonnulls(${t.startAt}, ${t.endAt}, ${t.startWall}, ${t.timeZone}) = 4
          and num_nonnulls(${t.startDate}, ${t.endDate}, ${t.lastEndDate}) = 0 end`,
    ),
    check(
      'events_last_end_check',
      sql`${t.recurrenceRule} is not null or num_nonnulls(${t.lastEndAt}, ${t.lastEndDate}) = 1`,
    ),
    check('events_object_name_check', sql`octet_length(${t.objectName}) between 1 and 255`),
    check('events_reminder_minutes_check', sql`${t.reminderMinutes} between 0 and 40320`),
    oneOf('events_visibility_check', t.visibility, VISIBILITIES),
  ],
)

/** Starts of a series in addition to its rule (RDATE), each later than the first start of the series. */
export const eventExtraStarts = pgTable(
  'event_extra_starts',
  {
    eventId: integer()
      .notNull()
      .references(() => events.id, { onDelete: 'cascade' }),
    start: wallTime().notNull(),
  },
  (t) => [primaryKey({ name: 'event_extra_starts_pkey', columns: [t.eventId, t.start] })],
)

/** The fields that an override changes; all others follow the series. */
export interface OccurrenceChanges {
  readonly title?: string
  readonly description?: string | null
  readonly location?: string | null
  readonly reminderMinutes?: number | null
}

/** Occurrences of a series that differ from it: overrides and exceptions. */
export const eventOccurrences = pgTable(
  'event_occurrences',
  {
    eventId: integer()
      .notNull()
      .references(() => events.id, { onDelete: 'cascade' }),
    /** The original start, which identifies the occurrence. */
    occurrenceStart: wallTime().notNull(),
    /** True for an exception: the occurrence does not take place. */
    isCancelled: boolean().notNull().default(false),
    changes: jsonb().$type<OccurrenceChanges>().notNull(),
    /** Set when the override changes the times: all columns of one kind, or none. */
    startAt: instant(),
    endAt: instant(),
    startDate: date({ mode: 'string' }),
    endDate: date({ mode: 'string' }),
    /** The zone of an override with times in an all-day series. */
    timeZone: text(),
    /** The original start under which the text of the event names it; null when the text does not. */
    textStart: wallTime(),
    /** Content lines of the component that it was imported from, before texts were kept. */
    kept: jsonb().$type<readonly string[]>(),
    ...timestamps(),
  },
  (t) => [
    primaryKey({ name: 'event_occurrences_pkey', columns: [t.eventId, t.occurrenceStart] }),
    check(
      'event_occurrences_times_check',
      sql`num_nonnulls(${t.startAt}, ${t.endAt}) in (0, 2) and num_nonnulls(${t.startDate}, ${t.endDate}) in (0, 2)
        and num_nonnulls(${t.startAt}, ${t.startDate}) < 2`,
    ),
  ],
)

/** The last import of an event. */
export const eventSources = pgTable('event_sources', {
  eventId: integer()
    .primaryKey()
    .references(() => events.id, { onDelete: 'cascade' }),
  /** SHA-256 in hex of the text at the last import; null when the event only descends from an imported one. */
  hash: text(),
  /** Content lines of the component (RFC 5545, section 3.1), unfolded, of an import from before texts were kept. */
  kept: jsonb().$type<readonly string[]>().notNull(),
})

/**
 * The iCalendar objects that other programs wrote (contract: events.text). Events that were made here have none. A change here
 * leaves the text as it is: whoever reads it gets the lines replaced that differ from the columns.
 */
export const eventTexts = pgTable('event_texts', {
  eventId: integer()
    .primaryKey()
    .references(() => events.id, { onDelete: 'cascade' }),
  /** A VCALENDAR with one UID, as it was written. */
  text: text().notNull(),
  /** The IANA zone in which its floating times were read. */
  zone: text().notNull(),
  /** The version of the event that was read from the text; that version is the text, character for character. */
  exactVersion: integer().notNull(),
})

export const RESPONSES = ['Going', 'Tentative', 'Declined'] as const
export type InvitationResponse = (typeof RESPONSES)[number]

/** Invitations to events (contract: events.invitations). */
export const eventInvitations = pgTable(
  'event_invitations',
  {
    id: id(),
    eventId: integer()
      .notNull()
      .references(() => events.id, { onDelete: 'cascade' }),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Null while unanswered. */
    response: text({ enum: RESPONSES }),
    /** The invitee's own calendar in which the event is shown. */
    displayCalendarId: integer().references(() => calendars.id, { onDelete: 'set null' }),
    ...timestamps(),
  },
  (t) => [
    uniqueIndex('event_invitations_event_id_user_id_key').on(t.eventId, t.userId),
    index('event_invitations_user_id_idx').on(t.userId, t.id),
    index('event_invitations_display_calendar_id_idx').on(t.displayCalendarId),
    oneOf('event_invitations_response_check', t.response, RESPONSES),
  ],
)

/** Answers for single occurrences of a series, in addition to the one for the series. */
export const occurrenceResponses = pgTable(
  'occurrence_responses',
  {
    invitationId: integer()
      .notNull()
      .references(() => eventInvitations.id, { onDelete: 'cascade' }),
    occurrenceStart: wallTime().notNull(),
    response: text({ enum: RESPONSES }).notNull(),
    ...timestamps(),
  },
  (t) => [
    primaryKey({ name: 'occurrence_responses_pkey', columns: [t.invitationId, t.occurrenceStart] }),
    oneOf('occurrence_responses_response_check', t.response, RESPONSES),
  ],
)

/**
 * What programs of invitees keep with events that are somebody else's (contract: dav.invitations): TRANSP and VALARM components, by
 * the original start of the occurrence; the series is `''`.
 */
export const invitationParts = pgTable('invitation_parts', {
  invitationId: integer()
    .primaryKey()
    .references(() => eventInvitations.id, { onDelete: 'cascade' }),
  parts: jsonb()
    .$type<Readonly<Record<string, { readonly transparency?: string; readonly alarms: string }>>>()
    .notNull(),
})

/**
 * The alarms that programs of members keep with events of somebody else's calendar (contract: dav.alarms), each by the RECURRENCE-ID
 * of its component; those of the series are at `''`. A row stays when its event is deleted, so that a restored one has them again.
 */
export const eventAlarms = pgTable(
  'event_alarms',
  {
    id: id(),
    eventId: integer().notNull(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Part of the tag that the member's programs know. */
    version: integer().notNull().default(1),
    alarms: jsonb().$type<Readonly<Record<string, readonly KeptAlarm[]>>>().notNull(),
    updatedAt: instant().notNull(),
  },
  (t) => [
    uniqueIndex('event_alarms_event_id_user_id_key').on(t.eventId, t.userId),
    index('event_alarms_user_id_idx').on(t.userId),
  ],
)

interface KeptAlarm {
  /** As it was written. */
  readonly raw: string
  /** How many other parts of the component follow it. */
  readonly after: number
}

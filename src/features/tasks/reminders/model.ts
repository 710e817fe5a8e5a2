import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { historyPage, pageQuery } from '../../../lib/wire/page'
import {
  dateTime,
  dayOrDateTime,
  line,
  optionalNullable,
  paragraphs,
  timeZone,
} from '../../../lib/wire/schema'

export const ReminderView = t.Object(
  {
    id: Type.Integer(),
    title: t.String(),
    description: t.Nullable(t.String()),
    remind_at: t.Nullable(
      t.String({
        format: 'date-time',
        description: 'For a series, the next occurrence or the one that is due.',
      }),
    ),
    is_active: t.Boolean(),
    is_dismissed: t.Boolean({ description: 'A new `remind_at` resets it.' }),
    snoozed_until: t.Nullable(
      t.String({ format: 'date-time', description: 'Takes the place of `remind_at`.' }),
    ),
    recurrence_rule: t.Nullable(t.String({ description: 'The value of an RRULE (RFC 5545).' })),
    recurrence_unsupported: t.Boolean({
      description:
        'Whether another program repeats it in a way that `recurrence_rule` cannot say; only there can its time and rule be changed.',
    }),
    time_zone: t.String({ description: 'IANA name.' }),
    version: Type.Integer({ description: 'Increases with every change; for `If-Match`.' }),
    created_at: t.String({ format: 'date-time' }),
    updated_at: t.String({ format: 'date-time' }),
  },
  { title: 'Reminder' },
)
export type ReminderView = typeof ReminderView.static

const fields = {
  description: optionalNullable(paragraphs({ min: 0, max: 10_000 })),
  remind_at: optionalNullable(dateTime('Without an offset it is wall time in `time_zone`.')),
  is_active: Type.Optional(Type.Boolean()),
  recurrence_rule: optionalNullable(
    line({
      max: 1000,
      description:
        'The value of an RRULE (RFC 5545): DAILY, WEEKLY, MONTHLY or YEARLY, with at most 24 occurrences a day; only with a `remind_at`, from which it counts.',
      examples: ['FREQ=WEEKLY;BYDAY=MO,WE'],
    }),
  ),
  time_zone: t.Optional(timeZone()),
}

export const NewReminder = t.Object({ title: line({ max: 200 }), ...fields })
export type NewReminder = typeof NewReminder.static

export const ReminderChanges = t.Object({ title: t.Optional(line({ max: 200 })), ...fields })
export type ReminderChanges = typeof ReminderChanges.static

export const Snooze = t.Object(
  {
    minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_080, description: 'From now on.' })),
    until: Type.Optional(dateTime("In the future; without an offset, in the server's time zone.")),
  },
  { description: 'Exactly one of the two.' },
)
export type Snooze = typeof Snooze.static

export const RemindersQuery = t.Object({
  state: t.Optional(
    t.Union(
      [
        t.Literal('upcoming'),
        t.Literal('due'),
        t.Literal('snoozed'),
        t.Literal('dismissed'),
        t.Literal('all'),
      ],
      {
        description:
          '`all` by default. The moment of `due` reminders has passed, that of `upcoming` and `snoozed` ones has not. Reminders without `remind_at` and inactive ones are only in `all`.',
      },
    ),
  ),
  from: t.Optional(dayOrDateTime('The moment is not before this.')),
  to: t.Optional(dayOrDateTime('The moment is not after this; of a day, all of it.')),
  ...pageQuery,
})
export type RemindersQuery = typeof RemindersQuery.static

export const DueQuery = t.Object(pageQuery)

export const ReminderHistory = historyPage(ReminderView)
export type ReminderHistory = typeof ReminderHistory.static

export const RemindersPage = t.Object({
  reminders: t.Array(ReminderView),
  next_cursor: t.Nullable(t.String()),
})
export type RemindersPage = typeof RemindersPage.static

import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { historyPage } from '../../../lib/wire/page'
import {
  dateTime,
  day,
  dayOrDateTime,
  keyword,
  line,
  optionalNullable,
  paragraphs,
  pathId,
  timeZone,
} from '../../../lib/wire/schema'

const nullable = <T extends Parameters<typeof t.Nullable>[0]>(schema: T) => t.Nullable(schema)
const moment = (description?: string) =>
  t.String({ format: 'date-time', ...(description && { description }) })

export const visibilityView = (description: string) =>
  t.Union([t.Literal('public'), t.Literal('private')], { description })

export const visibility = (description: string) => keyword(['public', 'private'], description)

const InvitationOfMine = t.Object({
  id: Type.Integer(),
  response: nullable(
    t.Union([t.Literal('Going'), t.Literal('Tentative'), t.Literal('Declined')], {
      description: 'For an occurrence, the answer that applies to it.',
    }),
  ),
  display_calendar_id: nullable(Type.Integer()),
})

export const EventView = t.Object(
  {
    id: nullable(Type.Integer({ description: 'Null for a birthday.' })),
    calendar_id: nullable(
      Type.Integer({ description: 'Null when the invitee has not put the invitation into any calendar.' }),
    ),
    calendar_name: nullable(t.String()),
    calendar_color: nullable(t.String({ description: '#rrggbb' })),
    title: t.String(),
    description: nullable(t.String()),
    location: nullable(t.String()),
    all_day: t.Boolean(),
    start_at: nullable(moment()),
    end_at: nullable(moment()),
    time_zone: nullable(t.String({ description: 'IANA name.' })),
    start_date: nullable(t.String({ format: 'date', description: 'Only for an all-day event.' })),
    end_date: nullable(t.String({ format: 'date', description: 'Inclusive.' })),
    recurrence_rule: nullable(t.String({ description: 'The value of an RRULE (RFC 5545).' })),
    recurrence_unsupported: t.Boolean({
      description:
        'Whether it was imported with a recurrence rule of more than 24 occurrences a day: only the first occurrence is shown, and the export contains the original rule. False again once the event gets another rule.',
    }),
    reminder_minutes: nullable(Type.Integer({ description: 'Null for the default from the settings.' })),
    visibility: visibilityView(
      'Of a `private` event, members of its calendar who are not invited to it see the title `Busy` and the times alone, and cannot change it.',
    ),
    access: t.Union([t.Literal('owner'), t.Literal('write'), t.Literal('read')], {
      description: '`read` for all members if the event is private.',
    }),
    my_invitation: nullable(InvitationOfMine),
    is_virtual: t.Boolean({
      description: 'Whether it is a birthday, which can only be changed with its person.',
    }),
    occurrence_start: nullable(
      t.String({ description: 'For an occurrence, its original start: a date-time, or a day if all-day.' }),
    ),
    is_override: t.Boolean({ description: 'Whether the occurrence differs from its series.' }),
    version: Type.Integer({ description: 'Increases with every change; for `If-Match`.' }),
    created_at: moment(),
    updated_at: moment(),
  },
  { title: 'Event' },
)
export type EventView = typeof EventView.static

export const EventHistory = historyPage(EventView)
export type EventHistory = typeof EventHistory.static

export const EventPath = t.Object({ id: pathId('The id of the event.') })

const wall = (what: string) =>
  dateTime(`${what}; without an offset it is wall time in the zone of the event.`)
const rule = () =>
  line({
    max: 1000,
    description:
      'The value of an RRULE (RFC 5545): DAILY, WEEKLY, MONTHLY or YEARLY, with at most 24 occurrences a day.',
    examples: ['FREQ=WEEKLY;BYDAY=MO,WE'],
  })

const fields = {
  calendar_id: Type.Optional(Type.Integer({ description: 'A calendar to which the caller may write.' })),
  description: optionalNullable(paragraphs({ min: 0, max: 10_000 })),
  location: optionalNullable(line({ min: 0, max: 500 })),
  all_day: Type.Optional(Type.Boolean()),
  start_at: optionalNullable(wall('Of a timed event')),
  end_at: optionalNullable(wall('Not before the start')),
  time_zone: optionalNullable(timeZone()),
  start_date: optionalNullable(day()),
  end_date: optionalNullable(day()),
  recurrence_rule: optionalNullable(rule()),
  reminder_minutes: optionalNullable(Type.Integer({ minimum: 0, maximum: 40_320 })),
  visibility: Type.Optional(
    visibility('`public` by default. Only the owner of the calendar can make an event private.'),
  ),
}

const title = () => line({ max: 200 })

export const NewEvent = t.Object({ title: title(), ...fields })
export type NewEvent = typeof NewEvent.static

export const EventChanges = t.Object({ title: t.Optional(title()), ...fields })
export type EventChanges = typeof EventChanges.static

export const PreviewBody = t.Object({
  start: dayOrDateTime('The first occurrence; a day where it is all-day, and wall time without an offset.'),
  time_zone: optionalNullable(timeZone()),
  recurrence_rule: rule(),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 10 })),
})
export type PreviewBody = typeof PreviewBody.static

export const PreviewView = t.Object({
  occurrences: t.Array(t.String({ description: 'A date-time, or a day if the start is a day.' })),
  text: t.String({ description: 'The rule in words.' }),
})
export type PreviewView = typeof PreviewView.static

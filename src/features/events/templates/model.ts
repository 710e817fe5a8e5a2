import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { pageQuery } from '../../../lib/wire/page'
import { line, optionalNullable, paragraphs } from '../../../lib/wire/schema'
import { visibility, visibilityView } from '../events/model'

export const EventTemplateView = t.Object(
  {
    id: Type.Integer(),
    name: t.String(),
    title: t.String(),
    description: t.Nullable(t.String()),
    location: t.Nullable(t.String()),
    calendar_id: t.Nullable(Type.Integer({ description: 'Becomes null when the calendar is deleted.' })),
    all_day: t.Boolean(),
    recurrence_rule: t.Nullable(t.String({ description: 'The value of an RRULE (RFC 5545).' })),
    reminder_minutes: t.Nullable(Type.Integer({ description: 'Null for the default from the settings.' })),
    visibility: visibilityView('Of the events that start from it.'),
    version: Type.Integer({ description: 'Increases with every change; for `If-Match`.' }),
    created_at: t.String({ format: 'date-time' }),
    updated_at: t.String({ format: 'date-time' }),
  },
  { title: 'EventTemplate' },
)
export type EventTemplateView = typeof EventTemplateView.static

const name = () => line({ max: 100, description: 'Unique among the templates of the user.' })
const title = () => line({ max: 200 })
const fields = {
  description: optionalNullable(paragraphs({ min: 0, max: 10_000 })),
  location: optionalNullable(line({ min: 0, max: 500 })),
  calendar_id: optionalNullable(
    Type.Integer({ description: "A calendar of the caller's, except the Birthdays calendar." }),
  ),
  all_day: Type.Optional(Type.Boolean()),
  recurrence_rule: optionalNullable(
    line({
      max: 1000,
      description:
        'The value of an RRULE (RFC 5545): DAILY, WEEKLY, MONTHLY or YEARLY, with at most 24 occurrences a day.',
      examples: ['FREQ=WEEKLY;BYDAY=MO,WE'],
    }),
  ),
  reminder_minutes: optionalNullable(Type.Integer({ minimum: 0, maximum: 40_320 })),
  visibility: Type.Optional(visibility('`public` by default.')),
}

export const NewEventTemplate = t.Object({ name: name(), title: title(), ...fields })
export type NewEventTemplate = typeof NewEventTemplate.static

export const EventTemplateChanges = t.Object({
  name: t.Optional(name()),
  title: t.Optional(title()),
  ...fields,
})
export type EventTemplateChanges = typeof EventTemplateChanges.static

export const EventTemplatesQuery = t.Object(pageQuery)
export type EventTemplatesQuery = typeof EventTemplatesQuery.static

export const EventTemplatesPage = t.Object({
  event_templates: t.Array(EventTemplateView),
  next_cursor: t.Nullable(t.String()),
})
export type EventTemplatesPage = typeof EventTemplatesPage.static

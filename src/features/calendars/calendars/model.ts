import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { pageQuery } from '../../../lib/wire/page'
import { color, line } from '../../../lib/wire/schema'

const name = () => line({ max: 100, description: 'Unique among the calendars of the owner.' })
export const CalendarView = t.Object(
  {
    id: Type.Integer(),
    user_id: Type.Integer({ description: 'The owner.' }),
    name: t.String(),
    color: t.String({ description: '#rrggbb; a member can choose another one for themselves.' }),
    is_default: t.Boolean({
      description: 'Receives new events without `calendar_id`; every user owns one default calendar.',
    }),
    is_system: t.Boolean({ description: 'A calendar of the service, which cannot be renamed or deleted.' }),
    is_visible: t.Boolean({
      description:
        'Whether lists show its events without naming the calendar; each member chooses for themselves.',
    }),
    access: t.Union([t.Literal('owner'), t.Literal('write'), t.Literal('read')]),
    owner_network_name: t.String(),
    feed_created_at: t.Nullable(
      t.String({
        format: 'date-time',
        description: 'When the secret address of the calendar was created; only the owner sees it.',
      }),
    ),
    feed_last_read_at: t.Nullable(
      t.String({ format: 'date-time', description: 'Accurate to ten minutes; only the owner sees it.' }),
    ),
    created_at: t.String({ format: 'date-time' }),
    updated_at: t.String({ format: 'date-time' }),
  },
  { title: 'Calendar' },
)
export type CalendarView = typeof CalendarView.static

export const CalendarsQuery = t.Object(pageQuery)
export type CalendarsQuery = typeof CalendarsQuery.static

export const CalendarsPage = t.Object({
  calendars: t.Array(CalendarView),
  next_cursor: t.Nullable(t.String()),
})
export type CalendarsPage = typeof CalendarsPage.static

export const NewCalendar = t.Object({
  name: name(),
  color: Type.Optional(color()),
  is_default: Type.Optional(Type.Boolean()),
  is_visible: Type.Optional(Type.Boolean()),
})
export type NewCalendar = typeof NewCalendar.static

export const CalendarChanges = t.Object({
  name: t.Optional(name()),
  color: Type.Optional(color()),
  is_default: Type.Optional(Type.Boolean({ description: 'True makes this the default calendar.' })),
  is_visible: Type.Optional(Type.Boolean()),
})
export type CalendarChanges = typeof CalendarChanges.static

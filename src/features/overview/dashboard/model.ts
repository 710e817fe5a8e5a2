import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { day } from '../../../lib/wire/schema'
import { truncated } from '../../events/windows/model'
import { BirthdayView } from '../../people/birthdays/model'
import { EventView } from '../../events/events/model'
import { ReminderView } from '../../tasks/reminders/model'
import { TrackedTaskView } from '../../tasks/tasks/model'
import { TodoView } from '../../tasks/todos/model'

export const DashboardQuery = t.Object({ date: t.Optional(day()) })
export type DashboardQuery = typeof DashboardQuery.static

export const DashboardView = t.Object(
  {
    date: t.String({
      format: 'date',
      description: "The day shown; by default today in the user's time zone.",
    }),
    events: t.Array(EventView, {
      description:
        'The events of the day, as `GET /api/events` lists them. Invitations never displace events of the calendars, nor unanswered ones those that are answered.',
    }),
    invitations_truncated: truncated(),
    todos: t.Object(
      {
        overdue: t.Array(TodoView, { description: 'Due before the day.' }),
        today: t.Array(TodoView, { description: 'Due on the day.' }),
      },
      { description: 'Open todos, by due date.' },
    ),
    reminders: t.Object({
      due: t.Array(ReminderView, { description: 'Due now, independently of `date`.' }),
      upcoming: t.Array(ReminderView, {
        description: 'Still ahead, on the day or within 7 days after it.',
      }),
    }),
    tasks: t.Array(TrackedTaskView, {
      description: 'Open tasks of tracked projects, due before the day, on it or within 7 days after it.',
    }),
    birthdays: t.Array(BirthdayView, { description: 'On the day or within 7 days after it.' }),
    unread_count: Type.Integer({ description: 'Number of unread notifications.' }),
  },
  { title: 'Dashboard', description: 'At most 50 entries per list.' },
)
export type DashboardView = typeof DashboardView.static

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
      description: "The day that is looked at; today in the user's zone unless given.",
    }),
    events: t.Array(EventView, {
      description:
        'What happens on the day, as `GET /api/events` lists it; an unanswered invitation takes no place of anything else.',
    }),
    invitations_truncated: truncated(),
    todos: t.Object(
      {
        overdue: t.Array(TodoView, { description: 'Due before the day.' }),
        today: t.Array(TodoView, { description: 'Due on the day.' }),
      },
      { description: 'Open ones, by due date.' },
    ),
    reminders: t.Object({
      due: t.Array(ReminderView, { description: 'Due now, whatever the day is.' }),
      upcoming: t.Array(ReminderView, {
        description: 'Yet to come, on the day or within 7 days after.',
      }),
    }),
    tasks: t.Array(TrackedTaskView, {
      description: 'Open ones of tracked projects, due before the day, on it or within 7 days after.',
    }),
    birthdays: t.Array(BirthdayView, { description: 'On the day or within 7 days after.' }),
    unread_count: Type.Integer({ description: 'Of notifications.' }),
  },
  { title: 'Dashboard', description: 'At most 50 of each.' },
)
export type DashboardView = typeof DashboardView.static

import { type TObject, Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { pageQuery } from '../../../lib/wire/page'
import { CalendarView } from '../../calendars/calendars/model'
import { WholeEventView } from '../../events/exports/model'
import { EventTemplateView } from '../../events/templates/model'
import { AddressBookView } from '../../people/address-books/model'
import { PersonView } from '../../people/people/model'
import { PlacedCommentView } from '../../tasks/comments/model'
import { ProjectView } from '../../tasks/projects/model'
import { ReminderView } from '../../tasks/reminders/model'
import { TodoListView } from '../../tasks/todo-lists/model'
import { SubtaskView } from '../../tasks/tasks/model'
import { TodoView } from '../../tasks/todos/model'
import type { TrashType } from '../../../lib/history-tables'

const TrashTypes = t.Union([
  t.Literal('calendar'),
  t.Literal('event'),
  t.Literal('event_template'),
  t.Literal('todo_list'),
  t.Literal('todo'),
  t.Literal('reminder'),
  t.Literal('project'),
  t.Literal('task'),
  t.Literal('comment'),
  t.Literal('person'),
  t.Literal('address_book'),
])

export const TrashQuery = t.Object({ type: t.Optional(TrashTypes), ...pageQuery })
export type TrashQuery = typeof TrashQuery.static

const TrashItemView = t.Object(
  {
    id: Type.Integer({ description: 'Of the entry in the trash, not of the deleted record.' }),
    type: TrashTypes,
    title: t.String(),
    parent_id: t.Nullable(
      Type.Integer({
        description:
          'The calendar of an event, list of a todo, project of a task, task of a comment, or address book of a person.',
      }),
    ),
    contains: Type.Integer({
      description: 'How many events, todos, tasks, comments and people were in it and come back with it.',
    }),
    deleted_at: t.String({ format: 'date-time' }),
    deleted_by: t.Nullable(
      Type.Integer({ description: 'The user; null when it is not known any more, after 30 days.' }),
    ),
    operation_id: t.String({ format: 'uuid' }),
    expires_at: t.String({ format: 'date-time', description: 'When it is deleted for good.' }),
  },
  { title: 'TrashItem' },
)
export type TrashItemView = typeof TrashItemView.static

export const TrashPage = t.Object({ items: t.Array(TrashItemView), next_cursor: t.Nullable(t.String()) })
export type TrashPage = typeof TrashPage.static

const restored = <Name extends TrashType, View extends TObject>(name: Name, view: View) =>
  t.Object({
    type: t.Literal(name),
    id: Type.Integer({ description: 'Of the record, as before.' }),
    item: view,
  })

export const RestoredView = t.Union([
  restored('calendar', CalendarView),
  restored('event', WholeEventView),
  restored('event_template', EventTemplateView),
  restored('todo_list', TodoListView),
  restored('todo', TodoView),
  restored('reminder', ReminderView),
  restored('project', ProjectView),
  restored('task', SubtaskView),
  restored('comment', PlacedCommentView),
  restored('person', PersonView),
  restored('address_book', AddressBookView),
])
export type RestoredView = typeof RestoredView.static

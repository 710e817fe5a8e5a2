import { type TObject, Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { line, queryInteger, verbatim } from '../../../lib/wire/schema'
import { CalendarView } from '../../calendars/calendars/model'
import { InviteView } from '../../calendars/invites/model'
import { WholeEventView } from '../../events/exports/model'
import { EventTemplateView } from '../../events/templates/model'
import { SettingsView } from '../../identity/settings/model'
import { NotificationView } from '../../notifications/notifications/model'
import { SharingConnectionView } from '../../people/connections/model'
import { AddressBookView } from '../../people/address-books/model'
import { PersonView } from '../../people/people/model'
import { RequestView } from '../../people/requests/model'
import { PlacedCommentView } from '../../tasks/comments/model'
import { ProjectView } from '../../tasks/projects/model'
import { ReminderView } from '../../tasks/reminders/model'
import { TodoListView } from '../../tasks/todo-lists/model'
import { SubtaskView } from '../../tasks/tasks/model'
import { TodoView } from '../../tasks/todos/model'
import { type ChangeType, TYPES } from './rules.types'

export const DEFAULT_CHANGES = 200
/** Enough for the places in some thousand calendars. */
const MAX_SINCE_LENGTH = 30_000

const type = `(?:${TYPES.join('|')})`

export const ChangesQuery = t.Object({
  since: Type.Optional(
    verbatim({
      max: MAX_SINCE_LENGTH,
      description:
        'The `next` of the page before, or `now` for no changes but a `next`. Without it the pages begin with everything that the caller may see.',
    }),
  ),
  types: Type.Optional(
    line({
      max: 300,
      pattern: `^${type}(?: *, *${type})*$`,
      problem: `must be a comma-separated list of ${TYPES.join(', ')}`,
      description: `Only these types, comma-separated: ${TYPES.join(', ')}. They stay the same along one \`next\`.`,
      examples: ['calendar,event'],
    }),
  ),
  limit: Type.Optional(
    queryInteger(
      1,
      500,
      `The most changes on the page; ${DEFAULT_CHANGES} by default. A page of long texts has fewer: it ends at about 1 MiB.`,
    ),
  ),
})
export type ChangesQuery = typeof ChangesQuery.static

const change = <Name extends ChangeType, View extends TObject>(name: Name, view: View) =>
  t.Object({
    type: t.Literal(name),
    id: Type.Integer(),
    op: t.Union([t.Literal('put'), t.Literal('delete')]),
    parent_id: t.Nullable(
      Type.Integer({
        description:
          'The calendar of an event, null if the caller sees it by invitation only; the list of a todo; the project of a task, also of a subtask; the task of a comment; the address book of a person.',
      }),
    ),
    version: t.Nullable(Type.Integer({ description: 'That of the item, if it has one.' })),
    item: t.Nullable(view, { description: 'As the caller sees it now; null if it is gone.' }),
  })

export const ChangeView = t.Union([
  change('calendar', CalendarView),
  change('event', WholeEventView),
  change('event_template', EventTemplateView),
  change('todo', TodoView),
  change('reminder', ReminderView),
  change('project', ProjectView),
  change('task', SubtaskView),
  change('comment', PlacedCommentView),
  change('person', PersonView),
  change('connection', SharingConnectionView),
  change('connection_request', RequestView),
  change('calendar_invite', InviteView),
  change('notification', NotificationView),
  change('settings', SettingsView),
  change('todo_list', TodoListView),
  change('address_book', AddressBookView),
])
export type ChangeView = typeof ChangeView.static

export const ChangesPage = t.Object(
  {
    changes: t.Array(ChangeView),
    next: t.String({ description: 'The `since` of the next page.' }),
    has_more: t.Boolean({ description: 'Whether the next page has changes already.' }),
  },
  { title: 'ChangesPage' },
)
export type ChangesPage = typeof ChangesPage.static

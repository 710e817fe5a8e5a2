import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { SessionView } from '../../identity/active-sessions/model'
import { PlacedMemberView } from '../../calendars/members/model'
import { AddressBookView } from '../../people/address-books/model'
import { BlockView } from '../../people/blocks/model'
import { CalendarView } from '../../calendars/calendars/model'
import { PlacedCommentView } from '../../tasks/comments/model'
import { RequestView } from '../../people/requests/model'
import { SharingConnectionView } from '../../people/connections/model'
import { ExportedEventView } from '../../events/exports/model'
import { ExportedInvitationView } from '../../events/invitations/model'
import { EventTemplateView } from '../../events/templates/model'
import { NotificationView } from '../../notifications/notifications/model'
import { IdentityView } from '../../identity/identities/model'
import { PasskeyView } from '../../identity/passkeys/model'
import { ContactGroupView, ExportedPersonView } from '../../people/vcards/model'
import { ProjectView } from '../../tasks/projects/model'
import { ReminderView } from '../../tasks/reminders/model'
import { SettingsView } from '../../identity/settings/model'
import { SubtaskView } from '../../tasks/tasks/model'
import { TokenView } from '../../identity/tokens/model'
import { TodoListView } from '../../tasks/todo-lists/model'
import { TodoView } from '../../tasks/todos/model'
import { UserView } from '../../administration/directory/model'

const ProfileView = t.Object(
  {
    ...UserView.properties,
    date_of_birth: t.Nullable(t.String({ format: 'date' })),
    network_name: t.String(),
  },
  { title: 'Profile' },
)

const WrittenEventView = t.Object(
  {
    ...ExportedEventView.properties,
    icalendar: t.Nullable(
      t.String({
        description:
          'The event as an iCalendar object (RFC 5545), as another program wrote it but for what has changed here since; null for events made here.',
      }),
    ),
  },
  { title: 'WrittenEvent' },
)

const icalendar = t.Nullable(
  t.String({
    description:
      'As an iCalendar object (RFC 5545), as another program wrote it but for what has changed here since; null for what was made here.',
  }),
)

const WrittenTodoView = t.Object({ ...TodoView.properties, icalendar }, { title: 'WrittenTodo' })
const WrittenReminderView = t.Object({ ...ReminderView.properties, icalendar }, { title: 'WrittenReminder' })

/** Short lists, which are read in one query. */
const short = {
  passkeys: t.Array(PasskeyView),
  identities: t.Array(IdentityView),
  sessions: t.Array(SessionView),
  access_tokens: t.Array(TokenView),
}

/** Long lists, which are read in pages by id. */
const long = {
  calendars: t.Array(CalendarView, { description: 'Calendars that the account owns.' }),
  calendar_members: t.Array(PlacedMemberView, { description: 'Users with whom own calendars are shared.' }),
  events: t.Array(WrittenEventView, { description: 'Everything in own calendars.' }),
  event_templates: t.Array(EventTemplateView),
  event_invitations: t.Array(ExportedInvitationView, {
    description: 'Invitations that the account has received.',
  }),
  todo_lists: t.Array(TodoListView),
  todos: t.Array(WrittenTodoView),
  reminders: t.Array(WrittenReminderView),
  projects: t.Array(ProjectView),
  tasks: t.Array(SubtaskView, { description: 'Tasks and subtasks as one flat list.' }),
  comments: t.Array(PlacedCommentView),
  address_books: t.Array(AddressBookView),
  people: t.Array(ExportedPersonView),
  contact_groups: t.Array(ContactGroupView, {
    description: 'Groups of people in other programs, which are kept for these.',
  }),
  connections: t.Array(SharingConnectionView),
  connection_requests: t.Array(RequestView),
  blocks: t.Array(BlockView),
  notifications: t.Array(NotificationView),
}
export type LongLists = { readonly [Name in keyof typeof long]: (typeof long)[Name]['static'] }

const head = {
  format: t.Literal('organiser-export'),
  version: Type.Literal(1),
  exported_at: t.String({ format: 'date-time' }),
  profile: ProfileView,
  settings: SettingsView,
  ...short,
}

const HeadView = t.Object(head)
export type HeadView = typeof HeadView.static

export const ExportView = t.Object(
  { ...head, ...long },
  {
    title: 'Export',
    description:
      'Everything that the account owns, as the API shows it; no secrets. For an access token the lists are empty that its scopes do not cover.',
  },
)

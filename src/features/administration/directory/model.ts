import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { pageQuery } from '../../../lib/wire/page'
import { line, pathId, queryFlag } from '../../../lib/wire/schema'

export const Role = t.Union([t.Literal('admin'), t.Literal('standard')])

export const UserPath = t.Object({ id: pathId('The user.') })

export const UsersQuery = t.Object({
  q: t.Optional(
    line({
      min: 0,
      max: 254,
      description: 'Text contained in the username or e-mail address; literal, regardless of case.',
    }),
  ),
  role: t.Optional(Role),
  is_active: t.Optional(queryFlag('Only active accounts, or only disabled ones.')),
  ...pageQuery,
})
export type UsersQuery = typeof UsersQuery.static

const user = {
  id: Type.Integer(),
  username: t.String(),
  email: t.Nullable(t.String()),
  role: Role,
  is_active: t.Boolean({ description: 'False: the account is disabled.' }),
  last_login_at: t.Nullable(t.String({ format: 'date-time' })),
  locked_until: t.Nullable(
    t.String({
      format: 'date-time',
      description: 'When the later of the active locks ends; null without one.',
    }),
  ),
  totp_enabled: t.Boolean(),
  passwordless_enabled: t.Boolean(),
  mfa_required: t.Boolean({ description: 'This user must have a second factor.' }),
  mfa_enforce_pending: t.Boolean({ description: 'The user must have a second factor and has none yet.' }),
  must_change_password: t.Boolean(),
  passkey_count: Type.Integer(),
  token_count: Type.Integer({ description: 'How many access tokens have not expired.' }),
  counts: t.Object(
    {
      calendars: Type.Integer({ description: 'At most 200, including the Birthdays calendar.' }),
      feeds: Type.Integer({ description: 'At most 100.' }),
      events: Type.Integer({ description: 'In own calendars, no matter who created them.' }),
      event_templates: Type.Integer(),
      todo_lists: Type.Integer({ description: 'At most 200.' }),
      todos: Type.Integer(),
      reminders: Type.Integer(),
      projects: Type.Integer(),
      tasks: Type.Integer({ description: 'Including subtasks.' }),
      comments: Type.Integer(),
      people: Type.Integer(),
      address_books: Type.Integer({ description: 'At most 200.' }),
      occurrences: Type.Integer({
        description:
          'Occurrences that differ from their series or do not take place, of events in own calendars.',
      }),
      responses: Type.Integer({ description: 'Own answers for single occurrences.' }),
    },
    { description: 'How many records the user has; at most 250 000 of each kind unless stated otherwise.' },
  ),
  created_at: t.String({ format: 'date-time' }),
}

export const UserView = t.Object(user, { title: 'User' })
export type UserView = typeof UserView.static

export const UsersPage = t.Object({
  users: t.Array(UserView),
  total: Type.Integer({ description: 'How many users match, on all pages.' }),
  next_cursor: t.Nullable(t.String()),
})
export type UsersPage = typeof UsersPage.static

export const UserDetail = t.Object({
  ...user,
  active_sessions: Type.Integer(),
})
export type UserDetail = typeof UserDetail.static

export { SessionsView } from '../../identity/active-sessions/model'

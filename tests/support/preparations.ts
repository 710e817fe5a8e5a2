import { eq } from 'drizzle-orm'
import { users } from '../../src/db/schema'
import { Authenticator } from './authenticator'
import { connect, set } from './connecting'
import { type Actor, type Harness, PASSWORD } from './harness'
import { person } from './inviting'
import { BOOKS } from './books'
import { begin, PASSKEYS, register } from './passkeys'
import { CHOIR, OF_EVENTS } from './preparations.events'
import { sharer } from './sharing'
import { createToken, TOKENS } from './tokens'

/** What is sent, once it is prepared. */
type Prepared = () => ReturnType<Actor['request']>
export type Prepare = (ada: Actor, h: Harness) => Prepared | Promise<Prepared>
export type Preparation = readonly [name: string, prepare: Prepare]

const send =
  (method: string, path: string, body?: object): Prepare =>
  (ada) =>
  () =>
    ada.request(method, path, body ? { body } : {})

const proof = { password: PASSWORD, code: '000000' }

/** Something done with a calendar that may be deleted. */
const withCalendar =
  (method: string, body?: object): Prepare =>
  async (ada) => {
    const { id } = (await ada.request('POST', '/api/calendars', { body: { name: 'Work' } })).body
    return () => ada.request(method, `/api/calendars/${id}`, body ? { body } : {})
  }

/** Something done with a record that is created below `path`. */
const withOne =
  (path: string, create: object, ...[method, below, body]: [string, string, object?]): Prepare =>
  async (ada) => {
    const { id } = (await ada.request('POST', path, { body: create })).body
    return () => ada.request(method, `${path}/${id}${below}`, body ? { body } : {})
  }
const withTodo = (...act: [string, string, object?]) =>
  withOne('/api/todos', { title: 'Bins', recurrence: 'daily' }, ...act)
const withTodoList = (...act: [string, string, object?]) =>
  withOne('/api/todo-lists', { name: 'Shops' }, ...act)
const withReminder = (...act: [string, string, object?]) =>
  withOne('/api/reminders', { title: 'Bins', remind_at: '2026-03-04T09:00Z' }, ...act)
const withProject = (...act: [string, string, object?]) => withOne('/api/projects', { name: 'Move' }, ...act)

/** A new order of two records. */
const reorder =
  (path: string, ids: string, body: object): Prepare =>
  async (ada) => {
    const one = (await ada.request('POST', path, { body })).body.id
    const other = (await ada.request('POST', path, { body })).body.id
    return () => ada.request('PUT', `${path}/reorder`, { body: { [ids]: [other, one] } })
  }

/** Something done with a task of a project, which has a comment. */
const withTask =
  (
    request: (ids: { tasks: string; task: number; comment: number }) => Parameters<Actor['request']>,
  ): Prepare =>
  async (ada) => {
    const project = (await ada.request('POST', '/api/projects', { body: { name: 'Move' } })).body
    const tasks = `/api/projects/${project.id}/tasks`
    const task = (await ada.request('POST', tasks, { body: { title: 'Pack' } })).body.id
    const comment = (await ada.request('POST', `${tasks}/${task}/comments`, { body: { body: 'Yes' } })).body
      .id
    return () => ada.request(...request({ tasks, task, comment }))
  }

/** Something done with a connection of the user's. */
const connected =
  (request: (id: number) => Parameters<Actor['request']>): Prepare =>
  async (ada, h) => {
    await set(h, ada, { acceptConnections: true })
    const { theirs } = await connect(await person(h), ada)
    return () => ada.request(...request(theirs))
  }

/** Something done with a calendar that the user shares, and with whom. */
const sharing =
  (
    request: (ids: { calendar: number; member: number; other: number }) => Parameters<Actor['request']>,
  ): Prepare =>
  async (ada, h) => {
    const [bob, cyd] = [await person(h), await person(h)]
    await connect(ada, bob)
    await connect(ada, cyd)
    const calendar = (await ada.request('POST', '/api/calendars', { body: { name: 'Work' } })).body.id
    const body = { user_id: bob.row.id, permission: 'read' }
    const member = (await ada.request('POST', `/api/calendars/${calendar}/members`, { body })).body.id
    return () => ada.request(...request({ calendar, member, other: cyd.row.id }))
  }

/** Something done with a calendar that is shared with the user, who has accepted it or not. */
const shared =
  (
    isAccepted: boolean,
    request: (ids: { calendar: number; member: number }) => Parameters<Actor['request']>,
  ): Prepare =>
  async (ada, h) => {
    const bob = await sharer(h)
    await set(h, ada, { acceptConnections: true })
    await connect(bob, ada)
    const { id: calendar } = await bob.createCalendar('Work')
    const { id: member } = (await bob.shareWithId(calendar, ada.row.id, 'write')).body
    if (isAccepted) await ada.request('PUT', `/api/calendars/invites/${member}/accept`)
    return () => ada.request(...request({ calendar, member }))
  }

const CALENDAR =
  'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART:20260310\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n'
const ownCalendar = async (ada: Actor) =>
  `/api/calendars/${(await ada.request('POST', '/api/calendars', { body: { name: 'Work' } })).body.id}`

const CARD = 'BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Grace\r\nEND:VCARD\r\n'

/** Every operation that changes something, and what must be there before it. */
export const PREPARED: readonly Preparation[] = [
  ['verify-password', send('POST', '/api/auth/verify-password', proof)],
  [
    'change-password',
    send('POST', '/api/auth/change-password', {
      old_password: PASSWORD,
      new_password: 'a whole new password',
    }),
  ],
  ['account deletion', send('DELETE', '/api/auth/account', proof)],
  ['ending other sessions', send('DELETE', '/api/auth/sessions')],
  ['a new access token', send('POST', TOKENS, { name: 'Script', scopes: ['tasks:read'] })],
  [
    'the end of an access token',
    async (ada) => {
      const { id } = await createToken(ada)
      return () => ada.request('DELETE', `${TOKENS}/${id}`)
    },
  ],
  ['totp/setup', send('POST', '/api/auth/totp/setup')],
  ['totp/confirm', send('POST', '/api/auth/totp/confirm', proof)],
  ['passkeys/register/begin', send('POST', `${PASSKEYS}/register/begin`)],
  ['passwordless/enable', send('PUT', `${PASSKEYS}/passwordless/enable`, proof)],
  ['passwordless/disable/begin', send('POST', `${PASSKEYS}/passwordless/disable/begin`)],
  [
    'passkeys/register/complete',
    async (ada) => {
      const credential = await new Authenticator().create(await begin(ada, 'register'))
      return () => ada.request('POST', `${PASSKEYS}/register/complete`, { body: { credential } })
    },
  ],
  [
    'passkey deletion',
    async (ada) => {
      const { passkey } = await register(ada)
      return () => ada.request('DELETE', `${PASSKEYS}/${passkey.id}`)
    },
  ],
  [
    'passwordless/disable',
    async (ada, h) => {
      const { authenticator } = await register(ada)
      await h.db.update(users).set({ passwordlessEnabled: true }).where(eq(users.id, ada.row.id))
      const credential = await authenticator.get(await begin(ada, 'passwordless/disable'))
      return () => ada.request('PUT', `${PASSKEYS}/passwordless/disable`, { body: { credential } })
    },
  ],
  [
    'a change of settings',
    send('PUT', '/api/settings', { email: 'new@example.org', accept_connections: true }),
  ],
  ['a new calendar', send('POST', '/api/calendars', { name: 'Home', is_default: true })],
  ['a change of a calendar', withCalendar('PUT', { is_default: true })],
  ['the deletion of a calendar', withCalendar('DELETE')],
  ...OF_EVENTS,
  ['the end of a connection', connected((id) => ['DELETE', `/api/connections/${id}`])],
  [
    'a change of what a connected user is shown',
    connected((id) => ['PUT', `/api/connections/${id}/sharing`, { body: { share_email: true } }]),
  ],
  [
    'sharing a calendar',
    sharing(({ calendar, other }) => [
      'POST',
      `/api/calendars/${calendar}/members`,
      { body: { user_id: other, permission: 'read' } },
    ]),
  ],
  [
    'a change of a permission',
    sharing(({ calendar, member }) => [
      'PUT',
      `/api/calendars/${calendar}/members/${member}`,
      { body: { permission: 'write' } },
    ]),
  ],
  [
    'the end of a membership',
    sharing(({ calendar, member }) => ['DELETE', `/api/calendars/${calendar}/members/${member}`]),
  ],
  ['accepting a calendar', shared(false, ({ member }) => ['PUT', `/api/calendars/invites/${member}/accept`])],
  ['rejecting a calendar', shared(false, ({ member }) => ['PUT', `/api/calendars/invites/${member}/reject`])],
  [
    'an own view of a shared calendar',
    shared(true, ({ calendar }) => ['PUT', `/api/calendars/${calendar}`, { body: { color: '#000000' } }]),
  ],
  [
    'leaving a shared calendar',
    shared(true, ({ calendar, member }) => ['DELETE', `/api/calendars/${calendar}/members/${member}`]),
  ],
  [
    'a new event in a shared calendar',
    shared(true, ({ calendar }) => ['POST', '/api/events', { body: { ...CHOIR, calendar_id: calendar } }]),
  ],
  ['a new address book', send('POST', BOOKS, { name: 'Work', position: 1 })],
  ['a change of an address book', withOne(BOOKS, { name: 'Work' }, 'PUT', '', { position: 1 })],
  ['the deletion of an address book', withOne(BOOKS, { name: 'Work' }, 'DELETE', '')],
  ['a new person', send('POST', '/api/people', { nickname: 'Grace' })],
  ['a change of a person', withOne('/api/people', { nickname: 'Grace' }, 'PUT', '', { nickname: 'Gracie' })],
  ['the deletion of a person', withOne('/api/people', { nickname: 'Grace' }, 'DELETE', '')],
  [
    'an import of events',
    async (ada) => {
      const path = `${await ownCalendar(ada)}/import`
      const headers = { 'content-type': 'text/calendar' }
      return () => ada.request('POST', path, { body: CALENDAR, headers })
    },
  ],
  [
    'a new feed',
    async (ada) => {
      const path = await ownCalendar(ada)
      return () => ada.request('POST', `${path}/feed`)
    },
  ],
  [
    'the end of a feed',
    async (ada) => {
      const path = await ownCalendar(ada)
      await ada.request('POST', `${path}/feed`)
      return () => ada.request('DELETE', `${path}/feed`)
    },
  ],
  [
    'an import of people',
    (ada) => () =>
      ada.request('POST', '/api/people/import', { body: CARD, headers: { 'content-type': 'text/vcard' } }),
  ],
  ['a new todo', send('POST', '/api/todos', { title: 'Bins' })],
  ['a change of a todo', withTodo('PUT', '', { completed: true })],
  ['toggling a todo', withTodo('POST', '/toggle')],
  ['the deletion of a todo', withTodo('DELETE', '')],
  ['a new list of todos', send('POST', '/api/todo-lists', { name: 'Shops' })],
  ['a change of a list of todos', withTodoList('PUT', '', { name: 'Market' })],
  ['the deletion of a list of todos', withTodoList('DELETE', '')],
  ['a new order of the todos', reorder('/api/todos', 'todo_ids', { title: 'Bins' })],
  ['a new reminder', send('POST', '/api/reminders', { title: 'Bins' })],
  ['a change of a reminder', withReminder('PUT', '', { title: 'Bin' })],
  ['snoozing a reminder', withReminder('PUT', '/snooze', { minutes: 5 })],
  ['dismissing a reminder', withReminder('PUT', '/dismiss')],
  ['the deletion of a reminder', withReminder('DELETE', '')],
  ['a new project', send('POST', '/api/projects', { name: 'Move' })],
  ['a change of a project', withProject('PUT', '', { status: 'completed' })],
  ['the deletion of a project', withProject('DELETE', '')],
  ['a new order of the projects', reorder('/api/projects', 'project_ids', { name: 'Move' })],
  ['a new task', withProject('POST', '/tasks', { title: 'Pack' })],
  [
    'a change of a task',
    withTask(({ tasks, task }) => ['PUT', `${tasks}/${task}`, { body: { title: 'U' } }]),
  ],
  ['the deletion of a task', withTask(({ tasks, task }) => ['DELETE', `${tasks}/${task}`])],
  [
    'a new order of the tasks',
    withTask(({ tasks, task }) => ['PUT', `${tasks}/reorder`, { body: { task_ids: [task] } }]),
  ],
  [
    'a new comment',
    withTask(({ tasks, task }) => ['POST', `${tasks}/${task}/comments`, { body: { body: 'No' } }]),
  ],
  [
    'a change of a comment',
    withTask(({ tasks, task, comment }) => [
      'PUT',
      `${tasks}/${task}/comments/${comment}`,
      { body: { body: 'No' } },
    ]),
  ],
  [
    'the deletion of a comment',
    withTask(({ tasks, task, comment }) => ['DELETE', `${tasks}/${task}/comments/${comment}`]),
  ],
  ['reading all notifications', send('PUT', '/api/notifications/read-all')],
]

import type { Draw } from '../fuzz/draw'
import { connectionsOf, send, settle } from './connecting'
import { listed } from './changes'
import type { Harness } from './harness'
import type { Person } from './inviting'

type Json = Readonly<Record<string, unknown>>

/** Somebody, and whoever they may have to do with. */
interface Scene {
  readonly h: Harness
  readonly draw: Draw
  readonly me: Person
  readonly other: Person
}

type Operation = (scene: Scene) => Promise<unknown>

/** Sends a request, which may be refused: the path or the body may have become impossible. */
async function call(me: Person, method: string, path: string, body?: Json): Promise<Json> {
  const answered = await me.request(method, path, body === undefined ? {} : { body })
  if (answered.status >= 500) throw new Error(`${method} ${path}: ${answered.status}`)
  return answered.body
}

/** One of the entries of a list, if there is any. */
const some = async ({ draw, me }: Scene, path: string, name: string): Promise<Json | undefined> =>
  draw.oneOf(await listed(me, path, name))

/** The id of one of the calendars that users make. */
async function someCalendar({ draw, me }: Scene): Promise<string> {
  const calendars = await listed(me, '/api/calendars', 'calendars')
  return String(draw.oneOf(calendars.filter((calendar) => calendar['is_system'] === false))?.['id'])
}

/** Does something with one of the entries of a list. */
const withSome =
  (path: string, name: string, method: string, body?: (scene: Scene) => Json): Operation =>
  async (scene) => {
    const found = await some(scene, path, name)
    if (found) await call(scene.me, method, `${path}/${String(found['id'])}`, body?.(scene))
  }

const word = ({ draw }: Scene) => draw.text(1, 8).trim() || 'W'

const TODOS: readonly Operation[] = [
  (scene) => call(scene.me, 'POST', '/api/todo-lists', { name: word(scene), position: 1 }),
  withSome('/api/todo-lists', 'todo_lists', 'PUT', (scene) => ({
    name: word(scene),
    is_default: scene.draw.oneOf([undefined, true]),
  })),
  withSome('/api/todo-lists', 'todo_lists', 'DELETE'),
  async (scene) => {
    const list = await some(scene, '/api/todo-lists', 'todo_lists')
    await withSome('/api/todos', 'todos', 'PUT', () => ({ list_id: list?.['id'] }))(scene)
  },
  (scene) =>
    call(scene.me, 'POST', '/api/todos', {
      title: word(scene),
      position: scene.draw.integer(1, 5),
      recurrence: scene.draw.oneOf([null, 'daily']),
    }),
  withSome('/api/todos', 'todos', 'PUT', (scene) => ({
    position: scene.draw.integer(1, 5),
    completed: true,
  })),
  withSome('/api/todos', 'todos', 'PUT', (scene) => ({ description: word(scene), completed: false })),
  withSome('/api/todos', 'todos', 'DELETE'),
  async ({ me }) => {
    const todos = await listed(me, '/api/todos', 'todos')
    await call(me, 'PUT', '/api/todos/reorder', { todo_ids: todos.map(({ id }) => id).toReversed() })
  },
]

const REMINDERS: readonly Operation[] = [
  (scene) => call(scene.me, 'POST', '/api/reminders', { title: word(scene), remind_at: '2026-03-04T12:00' }),
  withSome('/api/reminders', 'reminders', 'PUT', (scene) => ({ title: word(scene) })),
  withSome('/api/reminders', 'reminders', 'DELETE'),
]

/** Does something with one of the tasks of one of the projects. */
const withTask =
  (act: (scene: Scene, path: string, task: Json) => Promise<unknown>): Operation =>
  async (scene) => {
    const project = await some(scene, '/api/projects', 'projects')
    const path = `/api/projects/${String(project?.['id'])}/tasks`
    const task = project && (await some(scene, path, 'tasks'))
    if (task) await act(scene, path, task)
  }

const PROJECTS: readonly Operation[] = [
  (scene) =>
    call(scene.me, 'POST', '/api/projects', { name: word(scene), position: scene.draw.integer(1, 3) }),
  withSome('/api/projects', 'projects', 'PUT', (scene) => ({ name: word(scene), position: 1 })),
  withSome('/api/projects', 'projects', 'DELETE'),
  async (scene) => {
    const project = await some(scene, '/api/projects', 'projects')
    if (project)
      await call(scene.me, 'POST', `/api/projects/${String(project['id'])}/tasks`, { title: word(scene) })
  },
  withTask(({ me }, path, task) => call(me, 'POST', path, { title: 'Sub', parent_task_id: task['id'] })),
  withTask(({ me, draw }, path, task) =>
    call(me, 'PUT', `${path}/${String(task['id'])}`, {
      status: draw.oneOf(['completed', 'pending']),
      position: draw.integer(1, 3),
    }),
  ),
  withTask(async (scene, path, task) => {
    const parent = await some(scene, path, 'tasks')
    const body = { parent_task_id: parent?.['id'] === task['id'] ? null : parent?.['id'] }
    await call(scene.me, 'PUT', `${path}/${String(task['id'])}`, body)
  }),
  withTask(({ me }, path, task) => call(me, 'DELETE', `${path}/${String(task['id'])}`)),
  withTask(({ me }, path, task) =>
    call(me, 'POST', `${path}/${String(task['id'])}/comments`, { body: 'Done' }),
  ),
  withTask((scene, path, task) => {
    const comments = `${path}/${String(task['id'])}/comments`
    return withSome(comments, 'comments', 'PUT', () => ({ body: word(scene) }))(scene)
  }),
  withTask((scene, path, task) =>
    withSome(`${path}/${String(task['id'])}/comments`, 'comments', 'DELETE')(scene),
  ),
]

const CALENDARS: readonly Operation[] = [
  (scene) => call(scene.me, 'POST', '/api/calendars', { name: word(scene) }),
  withSome('/api/calendars', 'calendars', 'PUT', (scene) => ({ name: word(scene) })),
  withSome('/api/calendars', 'calendars', 'PUT', () => ({ color: '#123456', is_visible: false })),
  withSome('/api/calendars', 'calendars', 'DELETE'),
  async (scene) => {
    const calendar = await someCalendar(scene)
    const body = { user_id: scene.other.row.id, permission: scene.draw.oneOf(['read', 'write']) }
    await call(scene.me, 'POST', `/api/calendars/${calendar}/members`, body)
  },
  async (scene) => {
    const invite = await some(scene, '/api/calendars/invites', 'invites')
    const answer = scene.draw.percent(80) ? 'accept' : 'reject'
    if (invite) await call(scene.me, 'PUT', `/api/calendars/invites/${String(invite['id'])}/${answer}`)
  },
  async (scene) => {
    const calendar = await someCalendar(scene)
    const members = `/api/calendars/${calendar}/members`
    await withSome(members, 'members', 'PUT', ({ draw }) => ({ permission: draw.oneOf(['read', 'write']) }))(
      scene,
    )
  },
  async (scene) => {
    const calendar = await someCalendar(scene)
    await withSome(`/api/calendars/${calendar}/members`, 'members', 'DELETE')(scene)
  },
  async (scene) => {
    const calendar = await someCalendar(scene)
    const method = scene.draw.oneOf(['POST', 'DELETE']) ?? 'POST'
    await call(scene.me, method, `/api/calendars/${calendar}/feed`)
  },
]

/** One of the events that the user sees in a calendar or was invited to. */
async function someEvent(scene: Scene): Promise<Json | undefined> {
  const calendar = await someCalendar(scene)
  return some(scene, `/api/calendars/${calendar}/events`, 'events')
}

const withEvent =
  (method: string, tail = '', body?: (scene: Scene) => Json): Operation =>
  async (scene) => {
    const event = await someEvent(scene)
    if (event) await call(scene.me, method, `/api/events/${String(event['id'])}${tail}`, body?.(scene))
  }

const HOUR = { start_at: '2026-03-10T09:00', end_at: '2026-03-10T10:00' }
const [THIS, FOLLOWING] = ['this', 'following'].map(
  (scope) => `?scope=${scope}&occurrence_start=2026-03-12T09:00`,
)

const EVENTS: readonly Operation[] = [
  async (scene) => {
    const calendar = await someCalendar(scene)
    const rule = scene.draw.percent(60) ? { recurrence_rule: 'FREQ=DAILY;COUNT=9' } : {}
    await call(scene.me, 'POST', '/api/events', {
      title: word(scene),
      ...HOUR,
      ...rule,
      calendar_id: Number(calendar),
    })
  },
  withEvent('PUT', '', (scene) => ({ title: word(scene) })),
  withEvent('PUT', THIS, (scene) => ({ title: word(scene) })),
  withEvent('DELETE', THIS),
  withEvent('PUT', FOLLOWING, (scene) => ({ location: word(scene) })),
  withEvent('DELETE'),
  async (scene) => {
    const calendar = await someCalendar(scene)
    await withEvent('PUT', '', () => ({ calendar_id: Number(calendar) }))(scene)
  },
  withEvent('POST', '/invitations', ({ other }) => ({ user_ids: [other.row.id] })),
  withEvent('POST', '/invitations', ({ other }) => ({ user_ids: [other.row.id] })),
  withSome('/api/event-invitations', 'invitations', 'PUT', ({ draw }) => ({
    response: draw.oneOf(['Going', 'Declined']),
    occurrence_start: draw.oneOf([null, '2026-03-11T09:00', '2026-03-12T09:00']),
  })),
  async (scene) => {
    const invitation = await some(scene, '/api/event-invitations', 'invitations')
    const calendar = await someCalendar(scene)
    const path = `/api/event-invitations/${String(invitation?.['id'])}/display-calendar`
    await call(scene.me, 'PUT', path, { calendar_id: scene.draw.percent(70) ? Number(calendar) : null })
  },
  async (scene) => {
    const invitation = await some(scene, '/api/event-invitations', 'invitations')
    const path = `/api/events/${String(invitation?.['event_id'])}/invitations/${String(invitation?.['id'])}`
    await call(scene.me, 'DELETE', path)
  },
  (scene) => call(scene.me, 'POST', '/api/event-templates', { name: word(scene), title: 'T' }),
  withSome('/api/event-templates', 'event_templates', 'DELETE'),
]

/** One of the caller's address books. */
const someBook = async (scene: Scene): Promise<number> =>
  Number((await some(scene, '/api/address-books', 'address_books'))?.['id'])

const PEOPLE: readonly Operation[] = [
  (scene) => call(scene.me, 'POST', '/api/address-books', { name: word(scene), position: 1 }),
  withSome('/api/address-books', 'address_books', 'PUT', (scene) => ({ name: word(scene), position: 2 })),
  withSome('/api/address-books', 'address_books', 'DELETE'),
  async (scene) => {
    const body = { first_name: word(scene), book_id: await someBook(scene) }
    await call(scene.me, 'POST', '/api/people', body)
  },
  async (scene) => {
    const book_id = await someBook(scene)
    await withSome('/api/people', 'people', 'PUT', () => ({ book_id }))(scene)
  },
  (scene) => call(scene.me, 'POST', '/api/people', { first_name: word(scene) }),
  withSome('/api/people', 'people', 'PUT', (scene) => ({ notes: word(scene) })),
  withSome('/api/people', 'people', 'DELETE'),
  ({ me, other }) => send(me, other),
  async (scene) => {
    const request = await some(scene, '/api/connections/requests', 'requests')
    const action = scene.draw.oneOf(['accept', 'accept', 'accept', 'reject', 'cancel'] as const) ?? 'accept'
    if (request) await settle(scene.me, action, Number(request['id']))
  },
  async ({ me, draw }) => {
    if (draw.percent(15)) await me.disconnect(draw.oneOf(await connectionsOf(me))?.id)
  },
  async ({ me, draw }) => {
    const path = `/api/connections/${draw.oneOf(await connectionsOf(me))?.id}/sharing`
    await call(me, 'PUT', path, {
      share_first_name: draw.percent(50),
      share_preferred_name: draw.percent(50),
    })
  },
  (scene) => call(scene.me, 'PUT', '/api/settings', { first_name: word(scene), preferred_name: word(scene) }),
  ({ me, draw }) =>
    call(me, 'PUT', '/api/settings', { network_name: `${me.row.networkName}-${draw.nat(9)}` }),
  ({ me }) => call(me, 'PUT', '/api/settings', { share_first_name: true }),
  ({ me }) => call(me, 'PUT', '/api/notifications/read-all'),
  withSome('/api/notifications', 'notifications', 'DELETE'),
  async ({ h, draw }) => h.clock.advance({ hours: draw.integer(1, 20) }),
]

/** What users may do, as far as others or they themselves see that something changed. */
export const OPERATIONS: readonly Operation[] = [
  ...TODOS,
  ...REMINDERS,
  ...PROJECTS,
  ...PEOPLE,
  // More often, as they take several steps.
  ...Array.from({ length: 3 }, () => [...CALENDARS, ...EVENTS]).flat(),
]

import { did } from './undoing'
import type { Harness } from './harness'
import { friends, type Person } from './inviting'

/** What the changes that can be undone need before them. */

export interface Scene {
  readonly me: Person
  /** Somebody with whom `me` is connected. */
  readonly guest: Person
  readonly connection: number
}

export interface Deed {
  readonly operation: string
  readonly title: string
  /** Prepares what is changed, and returns the change. */
  readonly prepare: (scene: Scene) => Promise<() => ReturnType<typeof did>>
}

export const deed = (operation: string, title: string, prepare: Deed['prepare']): Deed => ({
  operation,
  title,
  prepare,
})

async function ids({ me }: Scene, count: number, path: string, bodyOf: (place: number) => unknown) {
  const made: number[] = []
  for (let place = 1; place <= count; place++)
    made.push((await did(me, `POST ${path}`, bodyOf(place))).body['id'])
  return made
}

export const todos = (scene: Scene, count = 4) =>
  ids(scene, count, '/api/todos', (place) => ({
    title: `Todo ${place}`,
    recurrence: 'daily',
    due_date: '2026-03-09',
  }))
export const calendar = async (scene: Scene, name = 'Choir') =>
  (await did(scene.me, 'POST /api/calendars', { name })).body['id'] as number
export const SERIES = {
  title: 'Choir practice',
  description: 'Bring the scores',
  start_at: '2026-03-10T09:00',
  end_at: '2026-03-10T10:00',
  recurrence_rule: 'FREQ=DAILY;COUNT=9',
}
export const at = (scope: 'this' | 'following', day: number) =>
  `?scope=${scope}&occurrence_start=2026-03-${String(day).padStart(2, '0')}T09:00`

/** A series with an override, an exception and a guest who answered it and single occurrences. */
export async function series(scene: Scene, calendarId?: number): Promise<number> {
  const { me, guest } = scene
  const event = await did(me, 'POST /api/events', {
    ...SERIES,
    ...(calendarId !== undefined && { calendar_id: calendarId }),
  })
  const id = event.body['id'] as number
  await did(me, `PUT /api/events/${id}${at('this', 12)}`, { title: 'Dress rehearsal' })
  await did(me, `DELETE /api/events/${id}${at('this', 13)}`)
  const invited = await did(me, `POST /api/events/${id}/invitations`, { user_ids: [guest.row.id] })
  const invitation = invited.body['invitations'][0].id
  await guest.respond(invitation, 'Going')
  await guest.respond(invitation, 'Declined', '2026-03-11T09:00')
  await guest.respond(invitation, 'Tentative', '2026-03-15T09:00')
  return id
}

export async function project(scene: Scene) {
  const { me } = scene
  const [id = 0] = await ids(scene, 1, '/api/projects', () => ({ name: 'House' }))
  const tasks = await ids(scene, 3, `/api/projects/${id}/tasks`, (place) => ({ title: `Task ${place}` }))
  const [first = 0] = tasks
  await ids(scene, 2, `/api/projects/${id}/tasks`, (place) => ({
    title: `Sub ${place}`,
    parent_task_id: first,
  }))
  const comment = await did(me, `POST /api/projects/${id}/tasks/${first}/comments`, { body: 'Well done' })
  return { id, tasks, first, path: `/api/projects/${id}/tasks`, comment: comment.body['id'] as number }
}

export const one =
  (make: (scene: Scene) => Promise<number>, method: string, path: (id: number) => string, body?: unknown) =>
  async (scene: Scene) => {
    const id = await make(scene)
    return () => did(scene.me, `${method} ${path(id)}`, body)
  }

export const todo = async (scene: Scene) => (await todos(scene))[1] ?? 0
/** A list with two todos, between which one of another list stands. */
export async function todoList(scene: Scene) {
  const [id = 0] = await ids(scene, 1, '/api/todo-lists', () => ({ name: 'Shops' }))
  const made = await ids(scene, 3, '/api/todos', (place) => ({
    title: `Buy ${place}`,
    ...(place !== 2 && { list_id: id }),
  }))
  return { id, todos: [made[0] ?? 0, made[2] ?? 0] }
}
export const reminder = async (scene: Scene) =>
  (
    await ids(scene, 1, '/api/reminders', () => ({
      title: 'Call',
      remind_at: '2026-03-05T12:00',
    }))
  )[0] ?? 0
export const template = async (scene: Scene) =>
  (await ids(scene, 1, '/api/event-templates', () => ({ name: 'Standup', title: 'Standup' })))[0] ?? 0
export const contact = async (scene: Scene) =>
  (await ids(scene, 1, '/api/people', () => ({ first_name: 'Grace', birthday: '1906-12-09' })))[0] ?? 0

export const file = (...titles: readonly string[]) =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//tests//EN',
    ...titles.flatMap((title, index) => [
      'BEGIN:VEVENT',
      `UID:imported-${index}`,
      'DTSTAMP:20260101T000000Z',
      `DTSTART:2026031${index}T090000Z`,
      `DTEND:2026031${index}T100000Z`,
      `SUMMARY:${title}`,
      'RRULE:FREQ=WEEKLY;COUNT=5',
      'RDATE:20260401T090000Z',
      'X-KEPT:as it was',
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
    '',
  ].join('\r\n')

export const cards = (...names: readonly string[]) =>
  names
    .flatMap((name, index) => [
      'BEGIN:VCARD',
      'VERSION:4.0',
      `UID:card-${index}`,
      `FN:${name}`,
      `N:${name};;;;`,
      'END:VCARD',
    ])
    .join('\r\n')

/** Two who are connected. */
export async function sceneOf(h: Harness): Promise<Scene> {
  const { ada: me, bob: guest, connection } = await friends(h)
  return { me, guest, connection: connection.own }
}

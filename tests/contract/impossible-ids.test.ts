import { beforeAll, expect, test } from 'bun:test'
import { MAX_ID } from '../../src/lib/wire/id'
import { createCalendar } from '../support/calendars'
import type { Actor } from '../support/harness'
import { documentOf, requestSchemas } from '../support/openapi'
import { createPerson, createTodo, make } from '../support/records'
import { useHarness } from '../support/use-harness'

const h = useHarness()
let ada: Actor
let made: Readonly<Record<string, number>>
beforeAll(async () => {
  ada = await h.signedIn()
  const calendar = await createCalendar(ada)
  const event = await make(ada, '/api/events', { ...DAY, calendar_id: calendar.id })
  const template = await make(ada, '/api/event-templates', { name: 'Choir', title: 'Choir' })
  made = {
    calendar: calendar.id,
    event: event.id,
    template: template.id,
    todo: (await createTodo(ada)).id,
    project: (await make(ada, '/api/projects', { name: 'Garden' })).id,
    person: (await createPerson(ada, { nickname: 'Bob' })).id,
    invitation: 1,
  }
})

const SPAN = { from: '2026-03-05', to: '2026-03-06', minutes: 30 }
const DAY = { title: 'Choir', all_day: true, start_date: '2026-03-05', end_date: '2026-03-05' }

/** Where a body names a record by its id, and what a request says that names `id` there. */
const NAMED: Readonly<Record<string, (id: number) => object>> = {
  'POST /api/calendars/{calendar}/members body.user_id': (id) => ({ user_id: id, permission: 'read' }),
  'POST /api/events body.calendar_id': (id) => ({ ...DAY, calendar_id: id }),
  'PUT /api/events/{event} body.calendar_id': (id) => ({ calendar_id: id }),
  'POST /api/free-busy body.with[]': (id) => ({ ...SPAN, with: [id] }),
  'POST /api/free-busy body.except_event_id': (id) => ({ ...SPAN, except_event_id: id }),
  'POST /api/events/{event}/invitations body.user_ids[]': (id) => ({ user_ids: [id] }),
  'PUT /api/event-invitations/{invitation}/display-calendar body.calendar_id': (id) => ({ calendar_id: id }),
  'POST /api/event-templates body.calendar_id': (id) => ({ name: 'Other', title: 'Other', calendar_id: id }),
  'PUT /api/event-templates/{template} body.calendar_id': (id) => ({ calendar_id: id }),
  'POST /api/todos body.list_id': (id) => ({ title: 'Milk', list_id: id }),
  'PUT /api/todos/reorder body.todo_ids[]': (id) => ({ todo_ids: [id] }),
  'PUT /api/todos/{todo} body.list_id': (id) => ({ list_id: id }),
  'PUT /api/projects/reorder body.project_ids[]': (id) => ({ project_ids: [id] }),
  'PUT /api/projects/{project}/tasks/reorder body.task_ids[]': (id) => ({
    parent_task_id: null,
    task_ids: [id],
  }),
  'POST /api/people body.book_id': (id) => ({ nickname: 'Eve', book_id: id }),
  'PUT /api/people/{person} body.book_id': (id) => ({ book_id: id }),
  'PUT /api/people/{person}/link body.connection_id': (id) => ({ connection_id: id }),
}

test('every id in a body that the document leaves without bounds is tried', async () => {
  const integers = requestSchemas(await documentOf(h.app.fetch)).filter(([, { type }]) =>
    [type].flat().includes('integer'),
  )
  const unbounded = integers.filter(
    ([, { minimum, maximum }]) => !(minimum !== undefined && Number(maximum) <= MAX_ID),
  )
  const places = Object.keys(NAMED).map((place) => place.replaceAll(/\{\w+\}/g, '{id}'))
  expect(new Set(unbounded.map(([place]) => place))).toEqual(new Set(places))
})

test.each(Object.entries(NAMED))('an id that no record can have names nothing: %s', async (place, bodyOf) => {
  const [method = '', path = ''] = place.replaceAll(/\{(\w+)\}/g, (_, name) => String(made[name])).split(' ')
  for (const id of [0, -1, MAX_ID + 1, 2 ** 53, 1e300]) {
    const answer = await ada.request(method, path, { body: bodyOf(id) })
    expect([404, 409], `${id}: ${answer.status} ${JSON.stringify(answer.body)}`).toContain(answer.status)
  }
})

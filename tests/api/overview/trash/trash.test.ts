import { describe, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { history } from '../../../../src/db/schema'
import { DEEDS } from '../../../support/doing'
import { at, calendar, project, series, todos } from '../../../support/doing.scene'
import { friends, type Person } from '../../../support/inviting'
import { sharedWith } from '../../../support/sharing'
import { did, exported, historyRows, rowsOf, undo, undone } from '../../../support/undoing'
import { useHarness } from '../../../support/use-harness'

const h = useHarness({ per: 'test' })

const trashOf = async ({ request }: Pick<Person, 'request'>, query = '') =>
  (await request('GET', `/api/trash${query}`)).body.items as Array<Record<string, unknown>>

async function scene() {
  const { ada: me, bob: guest, connection } = await friends(h)
  return { me, guest, connection: connection.own }
}

describe('what was deleted comes back from the trash as it was', () => {
  const deletions = DEEDS.filter(
    ({ operation, title }) => operation.startsWith('delete') && !title.startsWith('one'),
  )
  test.each(deletions.map((deed) => [deed.operation, deed] as const))('%s', async (_, { prepare }) => {
    const { me, guest, connection } = await scene()
    const act = await prepare({ me, guest, connection })
    const [before, shown] = [await rowsOf(h.db), await exported(me)]
    const { operation } = await act()
    const [item, ...others] = await trashOf(me)
    expect(others).toEqual([])
    expect(item).toMatchObject({ operation_id: operation, deleted_by: me.row.id })
    const restored = await did(me, `POST /api/trash/${String(item?.['id'])}/restore`)
    expect(restored.body).toMatchObject({ type: item?.['type'], item: { id: restored.body.id } })
    expect(await rowsOf(h.db)).toEqual(before)
    expect(JSON.stringify(await exported(me)).length).toBeGreaterThan(JSON.stringify(shown).length - 20)
    expect(await trashOf(me)).toEqual([])
    await undone(me, restored.operation)
    expect(await trashOf(me)).toHaveLength(1)
  })
})

test('an entry says what was deleted, from where, and how much was in it', async () => {
  const all = await scene()
  const [choir, house] = [await calendar(all), await project(all)]
  await series(all, choir)
  await did(all.me, `DELETE /api/projects/${house.id}/tasks/${house.first}`)
  await did(all.me, `DELETE /api/projects/${house.id}`)
  await did(all.me, `DELETE /api/calendars/${choir}`)
  const brief = (await trashOf(all.me)).map(({ type, title, parent_id, contains }) => ({
    type,
    title,
    parent_id,
    contains,
  }))
  expect(brief).toEqual([
    { type: 'calendar', title: 'Choir', parent_id: null, contains: 1 },
    { type: 'project', title: 'House', parent_id: null, contains: 2 },
    { type: 'task', title: 'Task 1', parent_id: house.id, contains: 3 },
  ])
  expect(await trashOf(all.me, '?type=task')).toHaveLength(1)
})

test('pages of the trash go on where the last one ended', async () => {
  const all = await scene()
  for (const id of await todos(all)) await did(all.me, `DELETE /api/todos/${id}`)
  const first = (await all.me.request('GET', '/api/trash?limit=3')).body
  const second = (await all.me.request('GET', `/api/trash?limit=3&cursor=${first.next_cursor}`)).body
  expect([...first.items, ...second.items].map(({ title }) => title)).toEqual([
    'Todo 4',
    'Todo 3',
    'Todo 2',
    'Todo 1',
  ])
  expect(second.next_cursor).toBeNull()
})

test('something whose calendar or project is gone waits for that', async () => {
  const all = await scene()
  const [choir, house] = [await calendar(all), await project(all)]
  const event = await series(all, choir)
  await did(all.me, `DELETE /api/events/${event}`)
  await did(all.me, `DELETE /api/calendars/${choir}`)
  await did(all.me, `DELETE /api/projects/${house.id}/tasks/${house.first}`)
  await did(all.me, `DELETE /api/projects/${house.id}`)
  const restore = async (type: string) => {
    const [item] = await trashOf(all.me, `?type=${type}`)
    const { status, body } = await all.me.request('POST', `/api/trash/${String(item?.['id'])}/restore`)
    return `${status} ${body.detail ?? 'back'}`
  }
  expect(await restore('event')).toBe('409 Restore the calendar first')
  expect(await restore('task')).toBe('409 Restore the project first')
  expect(await restore('calendar')).toBe('200 back')
  expect(await restore('event')).toBe('200 back')
})

test('a taken name gets a number, a taken place becomes the next one, and a taken UID is refused', async () => {
  const all = await scene()
  const { me } = all
  const choir = await calendar(all)
  await did(me, `DELETE /api/calendars/${choir}`)
  await calendar(all)
  const [gone] = await trashOf(me)
  const back = await did(me, `POST /api/trash/${String(gone?.['id'])}/restore`)
  expect(back.body.item.name).toBe('Choir (2)')

  const [first = 0, second = 0] = await todos(all, 3)
  await did(me, `DELETE /api/todos/${second}`)
  await did(me, 'POST /api/todos', { title: 'Instead', position: 2 })
  const [item] = await trashOf(me, '?type=todo')
  await did(me, `POST /api/trash/${String(item?.['id'])}/restore`)
  const titles = (await me.request('GET', '/api/todos')).body.todos.map(
    ({ title }: { title: string }) => title,
  )
  expect(first).toBeGreaterThan(0)
  expect(titles).toEqual(['Todo 1', 'Instead', 'Todo 2', 'Todo 3'])

  const file = (title: string) =>
    [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:x',
      'BEGIN:VEVENT',
      'UID:one',
      'DTSTAMP:20260101T000000Z',
      'DTSTART:20260310T090000Z',
      `SUMMARY:${title}`,
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ].join('\r\n')
  await did(me, `POST /api/calendars/${choir}/import`, file('One'), 'text/calendar')
  const events = (await me.request('GET', `/api/calendars/${choir}/events`)).body.events
  await did(me, `DELETE /api/events/${events[0].id}`)
  await did(me, `POST /api/calendars/${choir}/import`, file('Another'), 'text/calendar')
  const [event] = await trashOf(me, '?type=event')
  const { status, body } = await me.request('POST', `/api/trash/${String(event?.['id'])}/restore`)
  expect([status, body.detail]).toEqual([409, 'This UID is in use again'])
})

test('nobody else sees, restores or deletes an entry', async () => {
  const all = await scene()
  const [id] = await todos(all)
  await did(all.me, `DELETE /api/todos/${id}`)
  const [item] = await trashOf(all.me)
  const entry = `/api/trash/${String(item?.['id'])}`
  expect(await trashOf(all.guest)).toEqual([])
  for (const [method, path] of [
    ['POST', `${entry}/restore`],
    ['DELETE', entry],
  ] as const) {
    const { status, body } = await all.guest.request(method, path)
    expect([status, body.detail]).toEqual([404, 'Trash item not found'])
  }
  for (const name of ['0', 'x', '99999999999999999999', '-1', String(Number(item?.['id']) + 100)]) {
    expect((await all.me.request('POST', `/api/trash/${name}/restore`)).status).toBe(404)
  }
  await did(all.guest, 'DELETE /api/trash')
  expect(await trashOf(all.me)).toHaveLength(1)
})

test('what a writer deletes from a lent calendar is in both trashes, as long as they may write', async () => {
  const { ada, bob, calendar: choir, member } = await sharedWith(h, 'write')
  const make = async () => {
    const event = await did(bob, 'POST /api/events', {
      title: 'Song',
      start_at: '2026-03-10T09:00',
      end_at: '2026-03-10T10:00',
      calendar_id: choir.id,
    })
    await did(bob, `DELETE /api/events/${event.body.id}`)
  }
  await make()
  await make()
  const [first, second] = [await trashOf(ada), await trashOf(bob)]
  expect(second).toEqual(first)
  expect(first).toHaveLength(2)
  const entry = `/api/trash/${String(first[0]?.['id'])}`
  expect((await bob.request('DELETE', entry)).status).toBe(403)
  await did(bob, `POST ${entry}/restore`)
  await ada.permit(choir.id, member.id, 'read')
  expect(await trashOf(bob)).toEqual([])
  expect((await bob.request('POST', `/api/trash/${String(first[1]?.['id'])}/restore`)).status).toBe(404)
  expect(await trashOf(ada)).toHaveLength(1)
})

test('deleting for good takes every image of it and of what was in it along, at once', async () => {
  const all = await scene()
  const house = await project(all)
  await did(all.me, `PUT /api/projects/${house.id}/tasks/${house.first}`, { title: 'Canary one' })
  const { operation } = await did(all.me, `DELETE /api/projects/${house.id}`)
  const [kept] = await todos(all)
  await did(all.me, `DELETE /api/todos/${kept}`)
  const [, item] = await trashOf(all.me)
  await did(all.me, `DELETE /api/trash/${String(item?.['id'])}`)
  expect(await historyRows(h, operation)).toBe(0)
  const images = await h.db.execute(
    `select from history where before::text like '%Canary%' or tab in ('projects', 'project_tasks', 'task_comments')`,
  )
  expect(images).toHaveLength(0)
  expect(await trashOf(all.me)).toHaveLength(1)
  expect((await undo(all.me, operation)).body.detail).toBe('Too old to undo')
  await did(all.me, 'DELETE /api/trash')
  expect(await trashOf(all.me)).toEqual([])
})

test('for good is also what was in it earlier, but not what has left it since', async () => {
  const all = await scene()
  const { me, guest } = all
  const [choir, band, house] = [await calendar(all), await calendar(all, 'Band'), await project(all)]
  const [event, gone, moved] = [await series(all, choir), await series(all, choir), await series(all, choir)]
  await did(me, `PUT /api/events/${event}`, { title: 'Canary: a former title' })
  await did(me, `PUT /api/events/${event}${at('this', 14)}`, { title: 'Canary: an override' })
  await did(me, `PUT /api/events/${event}`, { title: 'Choir', recurrence_rule: 'FREQ=DAILY;COUNT=2' })
  const { invitations } = (await me.request('GET', `/api/events/${event}/invitations`)).body
  await did(me, `DELETE /api/events/${event}/invitations/${invitations[0].id}`)
  await did(me, `PUT /api/events/${gone}`, { title: 'Canary: deleted before its calendar' })
  await did(me, `DELETE /api/events/${gone}`)
  await did(me, `PUT /api/events/${moved}`, { title: 'It plays', calendar_id: band })
  await did(me, `DELETE ${house.path}/${house.first}/comments/${house.comment}`)
  await did(me, `DELETE ${house.path}/${house.first}`)
  await did(me, `DELETE /api/calendars/${choir}`)
  await did(me, `DELETE /api/projects/${house.id}`)
  const imagesOf = (id: number) =>
    h.db.$count(history, and(eq(history.tab, 'events'), eq(history.rowKey, String(id))))
  const before = await imagesOf(moved)
  for (const type of ['calendar', 'project']) {
    const [item] = await trashOf(me, `?type=${type}`)
    await did(me, `DELETE /api/trash/${String(item?.['id'])}`)
  }
  expect(await trashOf(me)).toEqual([])
  const images = await h.db.execute<{ tab: string; key: string }>(`
    select distinct tab, split_part(row_key, '/', 1) as key from history
    where tab ~ '^event|project|comment' order by tab, key`)
  const kept = (await guest.invitations()).body.invitations.map(({ id }: { id: number }) => String(id))
  expect([...images]).toEqual([
    ...kept.map((key: string) => ({ tab: 'event_invitations', key })),
    { tab: 'event_occurrences', key: String(moved) },
    { tab: 'events', key: String(moved) },
  ])
  expect(await imagesOf(moved)).toBe(before)
})

test('a change of what was deleted for good is too old to undo', async () => {
  const all = await scene()
  const [first] = await todos(all)
  const event = await series(all)
  const changes = [
    await did(all.me, `PUT /api/todos/${first}`, { title: 'Other' }),
    await did(all.me, `POST /api/todos/${first}/toggle`),
    await did(all.me, `PUT /api/events/${event}`, { title: 'Other' }),
  ]
  await did(all.me, `DELETE /api/todos/${first}`)
  await did(all.me, `DELETE /api/events/${event}`)
  await did(all.me, 'DELETE /api/trash')
  for (const { operation } of changes) {
    const { status, body } = await undo(all.me, operation)
    expect([status, body.detail]).toEqual([410, 'Too old to undo'])
  }
})

test('of an import that was undone each event comes back alone', async () => {
  const all = await scene()
  const act = await DEEDS.find((deed) => deed.operation === 'importCalendar')?.prepare(all)
  const operation = (await act?.())?.operation ?? ''
  await undone(all.me, operation)
  const items = await trashOf(all.me)
  expect(items.map(({ title }) => title)).toEqual(['Drei'])
  await did(all.me, `POST /api/trash/${String(items[0]?.['id'])}/restore`)
  expect(await trashOf(all.me)).toEqual([])
})

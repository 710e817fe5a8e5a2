import { expect, test } from 'bun:test'
import { followBook as follow } from '../../support/cards'
import { type Phone, phoneOf } from '../../support/dav'
import { eventText, listed, mixedOwner, put, todoText } from '../../support/mixed'
import { loseChanges, promote } from '../../support/timelines'
import { undone } from '../../support/undoing'
import { useHarness } from '../../support/use-harness'

const h = useHarness({ env: { DAV_ALLOW_HTTP: 'on' }, per: 'test' })

const GONE = 'HTTP/1.1 404 Not Found'

const fill = async (phone: Phone, path: string, count: number) => {
  for (let n = 0; n < count; n++) {
    await put(phone, `${path}e${n}.ics`, eventText(`e${n}`))
    await put(phone, `${path}t${n}.ics`, todoText(`t${n}`))
  }
}

test('a token of a mixed collection names a place in both journals, from which each object is told once', async () => {
  const { ada, phone, path, listId } = await mixedOwner(h)
  const empty = await follow(phone, path)
  expect(empty).toMatchObject({ status: 207, changes: {} })
  await fill(phone, path, 2)
  const all = await follow(phone, path, empty.token)
  expect(Object.keys(all.changes).toSorted()).toEqual(['e0.ics', 'e1.ics', 't0.ics', 't1.ics'])
  expect((await follow(phone, path)).changes).toEqual(all.changes)
  await put(phone, `${path}e0.ics`, eventText('e0', 'Dinner'))
  await phone.send('DELETE', `${path}t0.ics`)
  const { todos } = (await ada.request('GET', `/api/todos?list_id=${listId}`)).body
  await ada.request('PUT', `/api/todos/${todos[0].id}`, { body: { title: 'Bread' } })
  const next = await follow(phone, path, all.token)
  expect(Object.keys(next.changes).toSorted()).toEqual(['e0.ics', 't0.ics', 't1.ics'])
  expect(next.changes['t0.ics']).toBe(GONE)
  expect(await follow(phone, path, next.token)).toMatchObject({ status: 207, changes: {}, token: next.token })
})

test('a name that goes from one half to the other is told as there, and never as gone', async () => {
  const { phone, path } = await mixedOwner(h)
  await fill(phone, path, 1)
  const { token } = await follow(phone, path)
  await phone.send('DELETE', `${path}e0.ics`)
  await phone.send('DELETE', `${path}t0.ics`)
  await put(phone, `${path}e0.ics`, todoText('e0'))
  await put(phone, `${path}t0.ics`, eventText('t0'))
  for (const limit of [undefined, 1]) {
    const copy = new Map<string, unknown>()
    for (let at = token, isOver = false; !isOver;) {
      const page = await follow(phone, path, at, limit)
      expect(page.status).toBe(207)
      for (const [name, tag] of Object.entries(page.changes)) if (name !== '') copy.set(name, tag)
      isOver = !('' in page.changes)
      at = page.token
    }
    expect([...copy.keys()].toSorted()).toEqual(['e0.ics', 't0.ics'])
    expect([...copy.values()]).not.toContain(GONE)
  }
})

test.each([1, 2, 3, 5])(
  'with a limit of %d a client goes on from page to page, through both halves',
  async (limit) => {
    const { phone, path } = await mixedOwner(h)
    await fill(phone, path, 3)
    await phone.send('DELETE', `${path}e1.ics`)
    await phone.send('DELETE', `${path}t1.ics`)
    const told: string[] = []
    let token = ''
    for (let isOver = false; !isOver;) {
      const page = await follow(phone, path, token, limit)
      const names = Object.keys(page.changes).filter((name) => name !== '')
      expect(names.length).toBeLessThanOrEqual(limit)
      told.push(...names)
      isOver = !('' in page.changes)
      expect(page.changes[''] ?? 'HTTP/1.1 507 Insufficient Storage').toBe(
        'HTTP/1.1 507 Insufficient Storage',
      )
      token = page.token
    }
    expect(told.toSorted()).toEqual(Object.keys(await listed(phone, path)).toSorted())
    expect(await follow(phone, path, token)).toMatchObject({ changes: {} })
  },
)

test('a token that is not its own, of the future, or of another collection of the address is refused', async () => {
  const { ada, phone, path, listId } = await mixedOwner(h)
  await fill(phone, path, 1)
  const { token } = await follow(phone, path)
  const [events, todos] = [
    await phoneOf(h, ada, ['dav', 'calendars:write']),
    await phoneOf(h, ada, ['dav', 'tasks:write']),
  ]
  const half = { events: (await follow(events, path)).token, todos: (await follow(todos, path)).token }
  const refused = [
    half.events,
    half.todos,
    `${half.todos}/${half.events.split('/sync/')[1]}`,
    token.replace(/\d+$/, '99'),
    token.replace(/(calendar-\d+\/[\w-]+)\/\d+/, '$1/99'),
    `${token}/1`,
    token.slice(0, -1),
  ]
  for (const other of refused)
    expect([other, (await follow(phone, path, other)).status]).toEqual([other, 403])
  expect((await follow(events, path, token)).status).toBe(403)
  expect((await follow(phone, path, token)).status).toBe(207)
  await ada.request('DELETE', `/api/todo-lists/${listId}`)
  expect((await follow(phone, path, token)).status).toBe(403)
  const [{ id }] = (await ada.request('GET', '/api/operations')).body.operations
  await undone(ada, id)
  // Whoever follows a restored list begins again.
  expect((await follow(phone, path, token)).status).toBe(403)
  expect(Object.keys((await follow(phone, path)).changes).toSorted()).toEqual(['e0.ics', 't0.ics'])
})

test('a failover that lost changes of one half refuses the tokens of whoever saw them, and no others', async () => {
  const { phone, path, listId } = await mixedOwner(h)
  await fill(phone, path, 1)
  const before = await follow(phone, path)
  await put(phone, `${path}t9.ics`, todoText('t9'))
  const saw = await follow(phone, path)
  await loseChanges(h.db, 'l', listId, 1)
  await promote(h.db, 2)
  await put(phone, `${path}e8.ics`, eventText('e8'))
  expect((await follow(phone, path, saw.token)).status).toBe(403)
  await put(phone, `${path}t8.ics`, todoText('t8'))
  expect((await follow(phone, path, saw.token)).status).toBe(403)
  const { status, changes, token } = await follow(phone, path, before.token)
  expect([status, Object.keys(changes).toSorted()]).toEqual([207, ['e8.ics', 't8.ics']])
  await promote(h.db, 3)
  await put(phone, `${path}e7.ics`, eventText('e7'))
  expect(Object.keys((await follow(phone, path, token)).changes)).toEqual(['e7.ics'])
})

import { describe, expect, test } from 'bun:test'
import { brief, changesOf, Follower, knownTo, truthOf } from '../../../support/changes'
import { connect } from '../../../support/connecting'
import { person, type Person } from '../../../support/inviting'
import { createProject, createTask } from '../../../support/projects'
import { createPerson, createReminder, createTodo, make } from '../../../support/records'
import { observed } from '../../../support/statements'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const HOUR = { start_at: '2026-03-10T09:00', end_at: '2026-03-10T10:00' }

/** An account with some of everything, and somebody who shares with it. */
async function fill(ada: Person, bob: Person) {
  await connect(ada, bob)
  const series = await ada.create({ ...HOUR, recurrence_rule: 'FREQ=DAILY' })
  const scope = (day: number) => ({ scope: 'this', occurrence_start: `2026-03-${day}T09:00` })
  await ada.change(series.id, { title: 'Moved' }, scope(12))
  await ada.remove(series.id, scope(13))
  await ada.invite(series.id, bob)
  const project = await createProject(ada, { name: 'House' })
  const task = await createTask(ada, project.id, {})
  const sub = await createTask(ada, project.id, { parent_task_id: task.id })
  await make(ada, `/api/projects/${project.id}/tasks/${sub.id}/comments`, { body: 'Done' })
  await createTodo(ada, { position: 1 })
  await createTodo(ada, { position: 1 })
  await createReminder(ada)
  await createPerson(ada, { first_name: 'Grace' })
  await make(ada, '/api/event-templates', { name: 'N', title: 'T' })
  const event = await bob.create(HOUR)
  const theirs = await bob.createCalendar('Theirs')
  await bob.create({ ...HOUR, calendar_id: theirs.id })
  await bob.invite(event.id, ada)
  await make(bob, `/api/calendars/${theirs.id}/members`, { user_id: ada.row.id, permission: 'read' })
  const { invites } = (await ada.request('GET', '/api/calendars/invites')).body
  await ada.request('PUT', `/api/calendars/invites/${invites[0].id}/accept`)
  await make(bob, `/api/calendars/${(await bob.createCalendar('More')).id}/members`, {
    user_id: ada.row.id,
    permission: 'write',
  })
  return { series, event, theirs, project, task, sub }
}

describe('GET /api/changes', () => {
  test.each([1, 3, 500])('tells everything without since, in pages of %d, field by field', async (limit) => {
    const [ada, bob] = [await person(h), await person(h)]
    await fill(ada, bob)
    const follower = new Follower(ada)
    const changes = await follower.catchUp(limit)
    expect(knownTo(follower)).toEqual(await truthOf(ada))
    expect(changes.filter(({ op }) => op === 'delete')).toEqual([])
  })

  test('tells of a parent with each item that is in one', async () => {
    const [ada, bob] = [await person(h), await person(h)]
    const { series, event, theirs, project, task, sub } = await fill(ada, bob)
    const { changes } = await changesOf(ada)
    const parents = (type: string) =>
      changes.flatMap((change) => (change.type === type ? [[change.id, change.parent_id]] : []))
    expect(parents('event').slice(0, 2)).toEqual([
      [event.id, null],
      [series.id, series.calendar_id],
    ])
    expect(parents('event')[2]?.[1]).toBe(theirs.id)
    expect(parents('task')).toEqual([
      [task.id, project.id],
      [sub.id, project.id],
    ])
    expect(parents('comment')).toEqual([[expect.any(Number), sub.id]])
    expect(parents('calendar').every(([, parent]) => parent === null)).toBe(true)
  })

  test('tells an event without the name, colour and access of its calendar, whose change sends no event', async () => {
    const ada = await person(h)
    const event = await ada.create({ ...HOUR, recurrence_rule: 'FREQ=DAILY' })
    const { calendar_name: _name, calendar_color: _color, access: _access, ...bare } = event
    const { changes, next } = await changesOf(ada)
    expect(changes.find(({ type }) => type === 'event')).toEqual({
      type: 'event',
      id: event.id,
      op: 'put',
      parent_id: event.calendar_id,
      version: event.version,
      item: { ...bare, overrides: [], exceptions: [], invitations: [] },
    })
    await ada.changeCalendar(event.calendar_id, { name: 'Other', color: '#123456' })
    expect((await changesOf(ada, { since: next })).changes.map(brief)).toEqual([
      `+ calendar ${event.calendar_id}`,
    ])
  })

  test('tells each item once a page, as it is now, and what is gone by its id', async () => {
    const ada = await person(h)
    const { next } = await changesOf(ada)
    const [kept, gone] = [await createTodo(ada), await createTodo(ada)]
    await ada.request('PUT', `/api/todos/${kept.id}`, { body: { title: 'First' } })
    await ada.request('PUT', `/api/todos/${kept.id}`, { body: { title: 'Second' } })
    await ada.request('DELETE', `/api/todos/${gone.id}`)
    expect((await changesOf(ada, { since: next })).changes).toEqual([
      expect.objectContaining({ type: 'todo', id: kept.id, op: 'put', version: 3 }),
      { type: 'todo', id: gone.id, op: 'delete', parent_id: null, version: null, item: null },
    ])
  })

  test('sends one todo when one of many is moved', async () => {
    const ada = await person(h)
    for (const title of ['One', 'Two', 'Three', 'Four']) await createTodo(ada, { title })
    const last = await createTodo(ada, { title: 'Last' })
    const follower = new Follower(ada)
    await follower.catchUp()
    await ada.request('PUT', `/api/todos/${last.id}`, { body: { position: 2 } })
    expect((await follower.catchUp()).map(brief)).toEqual([`+ todo ${last.id}`])
    const todos = [...follower.items.values()].flatMap(({ type, item }) =>
      type === 'todo' && item ? [item] : [],
    )
    const inOrder = todos.toSorted((a, b) => Number(a.rank) - Number(b.rank)).map(({ title }) => title)
    expect(inOrder).toEqual(['One', 'Last', 'Two', 'Three', 'Four'])
  })

  test('opens recurring todos whose time has come before it reads', async () => {
    const ada = await person(h)
    const todo = await createTodo(ada, { recurrence: 'daily', due_date: '2026-03-04' })
    await ada.request('POST', `/api/todos/${todo.id}/toggle`)
    const { next } = await changesOf(ada)
    h.clock.advance({ days: 2 })
    expect((await changesOf(ada, { since: next })).changes).toEqual([
      expect.objectContaining({ id: todo.id, item: expect.objectContaining({ completed: false }) }),
    ])
  })

  test('begins with what comes from now on where since is now', async () => {
    const ada = await person(h)
    await createTodo(ada)
    const { changes, next, has_more } = await changesOf(ada, { since: 'now' })
    expect({ changes, has_more }).toEqual({ changes: [], has_more: false })
    expect((await changesOf(ada, { since: next })).changes).toEqual([])
    const { id } = await createTodo(ada)
    expect((await changesOf(ada, { since: next })).changes.map(brief)).toEqual([`+ todo ${id}`])
  })

  test('tells only the types that are asked for, in whatever order they are named', async () => {
    const ada = await person(h)
    await createTodo(ada)
    await createReminder(ada)
    const { changes, next } = await changesOf(ada, { types: 'todo, settings' })
    expect(changes.map(({ type }) => type)).toEqual(['settings', 'todo'])
    await createReminder(ada)
    const { id } = await createTodo(ada)
    const later = await changesOf(ada, { types: 'settings,todo', since: next })
    expect(later.changes.map(brief)).toEqual([`+ todo ${id}`])
  })

  test('ends a page at about a MiB of texts, and one long item is a page', async () => {
    const ada = await person(h)
    const { next } = await changesOf(ada)
    const description = '☃'.repeat(10_000)
    for (let i = 0; i < 40; i++) await createTodo(ada, { description })
    const series = await ada.create({ ...HOUR, description, recurrence_rule: 'FREQ=DAILY' })
    for (let day = 11; day < 31; day++) {
      const scope = { scope: 'this', occurrence_start: `2026-03-${day}T09:00` }
      for (const text of ['m', 'n'])
        await ada.change(series.id, { description: text.repeat(9000) + description.slice(0, 900) }, scope)
    }
    const sizes: number[] = []
    const names = new Set<string>()
    for (let [since, hasMore] = [next, true]; hasMore;) {
      const page = await changesOf(ada, { since })
      ;[since, hasMore] = [page.next, page.has_more]
      sizes.push(Buffer.byteLength(JSON.stringify(page)))
      for (const change of page.changes) names.add(brief(change))
      expect(page.changes.length).toBeGreaterThan(0)
    }
    expect(names.size).toBe(41)
    expect(Math.max(...sizes)).toBeLessThan(1.1 * 1_048_576)
    expect(sizes.length).toBeLessThan(5)
  })

  test('answers a poll without changes with the statement that checks the session', async () => {
    const [ada, bob] = [await person(h), await person(h)]
    await fill(ada, bob)
    const follower = new Follower(ada)
    await follower.catchUp()
    using statements = observed(h.db)
    expect(await follower.poll()).toMatchObject({ changes: [], has_more: false })
    expect(statements.length).toBe(1)
    expect(statements[0]?.text).toContain('"sessions"')
  })

  test('tells one user nothing of another', async () => {
    const [ada, bob, eve] = [await person(h), await person(h), await person(h)]
    const follower = new Follower(eve)
    await follower.catchUp()
    await fill(ada, bob)
    expect(await follower.catchUp()).toEqual([])
    const types = (await changesOf(eve)).changes.map(({ type }) => type)
    expect(types.toSorted()).toEqual(['address_book', 'calendar', 'calendar', 'settings', 'todo_list'])
  })

  test('comes to an end while something is written before each page', async () => {
    const [ada, bob] = [await person(h), await person(h)]
    await fill(ada, bob)
    const { changes } = await changesOf(ada, { limit: 500 })
    const follower = new Follower(ada)
    let pages = 0
    for (let hasMore = true; hasMore; pages++) {
      await createTodo(ada)
      await ada.createCalendar(`New ${pages}`)
      await bob.create(HOUR)
      hasMore = (await follower.poll(1)).has_more
      if (pages > 2 * changes.length) throw new Error('the pages do not end')
    }
    await follower.catchUp(2)
    expect(knownTo(follower)).toEqual(await truthOf(ada))
  })
})

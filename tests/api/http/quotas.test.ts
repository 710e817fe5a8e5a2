import { describe, expect, test } from 'bun:test'
import { calendar as calendarFile, calendarOf, importInto, newCalendar } from '../../support/calendar-files'
import { connect } from '../../support/connecting'
import { type Actor } from '../../support/harness'
import { invitedTo, person } from '../../support/inviting'
import { createProject, createTask } from '../../support/projects'
import { sharedWith } from '../../support/sharing'
import { MANY, pretendCount } from '../../support/tallies'
import { useHarness } from '../../support/use-harness'
import { useSql } from '../../support/use-sql'

const h = useHarness()
const sql = useSql(h)

const DAY = { all_day: true, start_date: '2026-05-01', end_date: '2026-05-01' }

const pretend = (actor: Actor, kind: string, count: number) => pretendCount(sql, actor, kind, count)
const countOf = async ({ row }: Actor, kind: string): Promise<number> =>
  (await sql`select count from tallies where kind = ${kind} and owner_id = ${row.id}`)[0]?.count ?? 0
const create = (actor: Actor, path: string, body: object = {}) => actor.request('POST', path, { body })
const FULL = { status: 409, body: { detail: 'This calendar is full' } }
const tooMany = (plural: string) => ({ status: 409, body: { detail: `You have too many ${plural}` } })

let serial = 0
interface Kind {
  readonly kind: string
  readonly bound: number
  readonly plural: string
  /** Creates one more each time that it is called. */
  readonly creator: (actor: Actor) => Promise<() => ReturnType<Actor['request']>>
  readonly list: string
}
const below = async (actor: Actor, rest = '') => {
  const { id } = await createProject(actor)
  const task = await createTask(actor, id)
  return {
    path: `/api/projects/${id}/tasks`,
    task: task.id,
    comments: `/api/projects/${id}/tasks/${task.id}${rest}`,
  }
}

const KINDS: readonly Kind[] = [
  {
    kind: 'calendars',
    bound: 200,
    plural: 'calendars',
    creator: async (actor) => () => create(actor, '/api/calendars', { name: `C${++serial}` }),
    list: 'calendars',
  },
  {
    kind: 'events',
    bound: MANY,
    plural: 'events',
    creator: async (actor) => () => create(actor, '/api/events', { title: 'E', ...DAY }),
    list: 'events',
  },
  {
    kind: 'event_templates',
    bound: MANY,
    plural: 'event templates',
    creator: async (actor) => () =>
      create(actor, '/api/event-templates', { name: `N${++serial}`, title: 'T' }),
    list: 'event_templates',
  },
  {
    kind: 'todo_lists',
    bound: 200,
    plural: 'todo lists',
    creator: async (actor) => () => create(actor, '/api/todo-lists', { name: `L${++serial}` }),
    list: 'todo_lists',
  },
  {
    kind: 'todos',
    bound: MANY,
    plural: 'todos',
    creator: async (actor) => () => create(actor, '/api/todos', { title: 'T' }),
    list: 'todos',
  },
  {
    kind: 'reminders',
    bound: MANY,
    plural: 'reminders',
    creator: async (actor) => () => create(actor, '/api/reminders', { title: 'R' }),
    list: 'reminders',
  },
  {
    kind: 'projects',
    bound: MANY,
    plural: 'projects',
    creator: async (actor) => () => create(actor, '/api/projects', { name: 'P' }),
    list: 'projects',
  },
  {
    kind: 'all_tasks',
    bound: MANY,
    plural: 'tasks',
    creator: async (actor) => {
      const { path, task } = await below(actor)
      return () => create(actor, path, { title: 'T', parent_task_id: ++serial % 2 === 0 ? task : null })
    },
    list: 'project_tasks',
  },
  {
    kind: 'comments',
    bound: MANY,
    plural: 'comments',
    creator: async (actor) => {
      const { comments } = await below(actor, '/comments')
      return () => create(actor, comments, { body: 'C' })
    },
    list: 'task_comments',
  },
  {
    kind: 'people',
    bound: MANY,
    plural: 'people',
    creator: async (actor) => () => create(actor, '/api/people', { nickname: 'N' }),
    list: 'people',
  },
]

describe.each(KINDS.map((one) => [one.plural, one] as const))(
  '%s',
  (_, { kind, bound, plural, creator, list }) => {
    const rows = async () => Number((await sql.unsafe(`select count(*) from ${list}`))[0]?.count)

    test('are refused beyond as many as a user may have, and nothing is written', async () => {
      const [ada, bob] = [await h.signedIn(), await h.signedIn()]
      const more = await creator(ada)
      await pretend(ada, kind, bound - 1)
      expect((await more()).status).toBe(201)
      const before = await rows()
      expect(await more()).toMatchObject(tooMany(plural))
      expect([await rows(), await countOf(ada, kind)]).toEqual([before, bound])
      expect((await (await creator(bob))()).status).toBe(201)
      await pretend(ada, kind, bound - 1)
      expect((await more()).status).toBe(201)
    })

    test('are as many as there is room for, of 20 at once', async () => {
      const ada = await h.signedIn()
      const more = await creator(ada)
      await pretend(ada, kind, bound - 5)
      const before = await rows()
      const statuses = (await Promise.all(Array.from({ length: 20 }, more))).map(({ status }) => status)
      expect(statuses.toSorted((a, b) => a - b)).toEqual([...Array(5).fill(201), ...Array(15).fill(409)])
      expect([await rows(), await countOf(ada, kind)]).toEqual([before + 5, bound])
    })
  },
)

describe('feeds', () => {
  test('are refused beyond a hundred, and one takes the place of another of its calendar', async () => {
    const ada = await h.signedIn()
    const [first, second] = [await calendarOf(ada), await newCalendar(ada)]
    expect((await create(ada, `/api/calendars/${first}/feed`)).status).toBe(200)
    await pretend(ada, 'feeds', 100)
    expect(await create(ada, `/api/calendars/${second}/feed`)).toMatchObject(tooMany('feeds'))
    expect((await create(ada, `/api/calendars/${first}/feed`)).status).toBe(200)
    await ada.request('DELETE', `/api/calendars/${first}/feed`)
    expect((await create(ada, `/api/calendars/${second}/feed`)).status).toBe(200)
  })
})

describe('single occurrences of a series', () => {
  const SERIES = { title: 'S', ...DAY, recurrence_rule: 'FREQ=DAILY' }
  const at = (id: number, day: string) => `/api/events/${id}?scope=this&occurrence_start=${day}`

  test('differ or are left out as often as the owner of the calendar may have it', async () => {
    const { ada, bob, calendar } = await sharedWith(h, 'write')
    const { body: made } = await create(ada, '/api/events', { ...SERIES, calendar_id: calendar.id })
    const change = (actor: Actor, day: string) =>
      actor.request('PUT', at(made.id, day), { body: { title: day } })
    const cancel = (actor: Actor, day: string) => actor.request('DELETE', at(made.id, day))
    expect((await change(bob, '2026-05-02')).status).toBe(200)
    await pretend(ada, 'occurrences', MANY - 1)
    expect((await cancel(ada, '2026-05-03')).status).toBe(204)
    for (const [actor, answer] of [
      [bob, FULL],
      [ada, tooMany('occurrences')],
    ] as const) {
      expect(await change(actor, '2026-05-04')).toMatchObject(answer)
      expect(await cancel(actor, '2026-05-05')).toMatchObject(answer)
    }
    // One that differs may differ otherwise, or not take place.
    expect((await cancel(bob, '2026-05-02')).status).toBe(204)
    expect([await countOf(ada, 'occurrences'), await countOf(bob, 'occurrences')]).toEqual([MANY, 0])
  })

  test('are answered as often as the invitee may answer', async () => {
    const { bob, invitation } = await invitedTo(h, SERIES)
    await pretend(bob, 'responses', MANY - 1)
    expect((await bob.respond(invitation.id, 'Going', '2026-05-02')).status).toBe(200)
    expect(await bob.respond(invitation.id, 'Going', '2026-05-03')).toMatchObject(tooMany('responses'))
    expect((await bob.respond(invitation.id, 'Declined', '2026-05-02')).status).toBe(200)
    expect((await bob.respond(invitation.id, 'Going')).status).toBe(200)
    expect(await countOf(bob, 'responses')).toBe(MANY)
  })
})

describe('who has more than they may', () => {
  test('changes and deletes what there is, and is shown what it is', async () => {
    const admin = await h.signedIn({ role: 'admin' })
    const ada = await h.signedIn()
    const { body: todo } = await create(ada, '/api/todos', { title: 'T' })
    await pretend(ada, 'todos', MANY + 10)
    await pretend(ada, 'all_tasks', 7)
    expect((await ada.request('PUT', `/api/todos/${todo.id}`, { body: { title: 'U' } })).status).toBe(200)
    expect((await ada.request('DELETE', `/api/todos/${todo.id}`)).status).toBe(204)
    const { users } = (await admin.request('GET', `/api/admin/users?q=${ada.row.username}`)).body
    const shown = users.find(({ id }: { id: number }) => id === ada.row.id).counts
    expect(shown).toMatchObject({ todos: MANY + 9, tasks: 7, calendars: 2, people: 0 })
    expect(await create(ada, '/api/todos', { title: 'T' })).toMatchObject(tooMany('todos'))
    expect(
      (await ada.request('DELETE', '/api/auth/account', { body: { password: 'correct horse battery' } }))
        .status,
    ).toBe(204)
  })
})

describe('what passes the bound beside a creation', () => {
  const card = (n: number) =>
    `BEGIN:VCARD\r\nVERSION:4.0\r\nUID:p${n}\r\nFN:P${n}\r\nN:P${n};;;;\r\nEND:VCARD\r\n`
  const cards = (count: number) => Array.from({ length: count }, (_, n) => card(n)).join('')
  const event = (n: number) => [`UID:e${n}`, 'DTSTART;VALUE=DATE:20260501', `SUMMARY:E${n}`]
  const importPeople = (actor: Actor, body: string, query = '') =>
    actor.request('POST', `/api/people/import${query}`, { body, headers: { 'content-type': 'text/vcard' } })

  test('a file with more than there is room for is refused, and one of what is there already is not', async () => {
    const ada = await h.signedIn()
    const id = await calendarOf(ada)
    const files = [1, 3].map((count) => calendarFile(...Array.from({ length: count }, (_, n) => event(n))))
    await pretend(ada, 'events', MANY - 2)
    await pretend(ada, 'people', MANY - 2)
    expect((await importInto(ada, id, files[0] ?? '')).body).toMatchObject({ created: 1 })
    for (const query of ['?dry_run=true', ''])
      expect(await importInto(ada, id, files[1] ?? '', query)).toMatchObject(tooMany('events'))
    expect((await importInto(ada, id, files[0] ?? '', '?dry_run=true')).status).toBe(200)
    expect((await importInto(ada, id, (files[0] ?? '').replace('E0', 'Other'))).body).toMatchObject({
      updated: 1,
    })
    expect((await importPeople(ada, cards(1))).body).toMatchObject({ created: 1 })
    for (const query of ['?dry_run=true', ''])
      expect(await importPeople(ada, cards(3), query)).toMatchObject(tooMany('people'))
    expect((await importPeople(ada, cards(1))).body).toMatchObject({ unchanged: 1 })
    expect([await countOf(ada, 'events'), await countOf(ada, 'people')]).toEqual([MANY - 1, MANY - 1])
  })

  test('an event that goes to the calendar of an owner who has too many stays where it is', async () => {
    const { ada, bob, calendar } = await sharedWith(h, 'write')
    const { body: made } = await bob.request('POST', '/api/events', { body: { title: 'T', ...DAY } })
    await pretend(ada, 'events', MANY)
    const move = { body: { calendar_id: calendar.id } }
    expect(await bob.request('PUT', `/api/events/${made.id}`, move)).toMatchObject(FULL)
    expect((await bob.request('GET', `/api/events/${made.id}`)).body).toEqual(made)
  })

  test('a writer is told that the calendar is full, and its owner that they have too many events', async () => {
    const { ada, bob, calendar } = await sharedWith(h, 'write')
    await pretend(ada, 'events', MANY)
    const body = { title: 'T', ...DAY, calendar_id: calendar.id }
    for (const [actor, answer] of [
      [bob, FULL],
      [ada, tooMany('events')],
    ] as const) {
      expect(await create(actor, '/api/events', body)).toMatchObject(answer)
      for (const query of ['?dry_run=true', ''])
        expect(await importInto(actor, calendar.id, calendarFile(event(1)), query)).toMatchObject(answer)
    }
    expect((await create(bob, '/api/events', { title: 'T', ...DAY })).status).toBe(201)
  })

  test('two connect however many people either has, and who is full gets no person record', async () => {
    for (const full of [[0], [1], [0, 1]]) {
      const [ada, bob] = [await person(h), await person(h)]
      const both = [ada, bob]
      for (const index of full) await pretend(both[index] ?? ada, 'people', MANY)
      await connect(ada, bob)
      for (const [index, one] of both.entries()) {
        const { connections } = (await one.request('GET', '/api/connections')).body
        const expected = full.includes(index) ? null : expect.any(Number)
        expect(connections).toMatchObject([{ person_id: expected }])
        expect(await countOf(one, 'people')).toBe(full.includes(index) ? MANY : 1)
      }
    }
  })

  test('a series that is divided into more than there is room for stays whole', async () => {
    const ada = await h.signedIn()
    const series = { title: 'S', ...DAY, recurrence_rule: 'FREQ=DAILY' }
    const { body: made } = await create(ada, '/api/events', series)
    await pretend(ada, 'events', MANY)
    const path = `/api/events/${made.id}?scope=following&occurrence_start=2026-05-03`
    expect(await ada.request('PUT', path, { body: { title: 'U' } })).toMatchObject(tooMany('events'))
    expect((await ada.request('GET', `/api/events/${made.id}`)).body).toEqual(made)
  })
})

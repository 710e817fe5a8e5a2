import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { calendarMembers, calendars, events, notifications, settings, todos } from '../../../../src/db/schema'
import { birthdaysOf, invite, organiser } from '../../../support/events'
import { type Actor } from '../../../support/harness'
import { observed } from '../../../support/statements'
import { createProject, createTask } from '../../../support/projects'
import { createPerson, createReminder, createTodo, make } from '../../../support/records'
import { IN_DEFAULT_LIST } from '../../../support/todo-lists'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

// It is Wednesday, 2026-03-04, 10:30 in Berlin.
const TODAY = '2026-03-04'

const dashboardOf = async (actor: Actor, query = '') => {
  const { status, body } = await actor.request('GET', `/api/dashboard${query}`)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body
}
const titles = (records: Array<{ title: string }>) => records.map(({ title }) => title)

/** A calendar of the first that the second sees. */
async function share(owner: Actor, member: Actor) {
  const { id } = await make(owner, '/api/calendars', { name: `Shared ${crypto.randomUUID()}` })
  const now = h.clock.now()
  const membership = {
    calendarId: id,
    userId: member.row.id,
    permission: 'read',
    status: 'accepted',
  } as const
  await h.db.insert(calendarMembers).values({ ...membership, createdAt: now, updatedAt: now })
  return id
}

describe('GET /api/dashboard', () => {
  test('of somebody without anything is empty, for today', async () => {
    expect(await dashboardOf(await h.signedIn())).toEqual({
      date: TODAY,
      events: [],
      invitations_truncated: false,
      todos: { overdue: [], today: [] },
      reminders: { due: [], upcoming: [] },
      tasks: [],
      birthdays: [],
      unread_count: 0,
    })
  })

  test('shows each record as its own list does, and nobody else’s', async () => {
    const [ada, bob] = [await organiser(h), await organiser(h)]
    for (const actor of [ada, bob]) {
      await actor.create({ title: 'Choir', start_at: `${TODAY}T19:00`, end_at: `${TODAY}T20:00` })
      await createTodo(actor, { title: 'Late', due_date: '2026-03-03' })
      await createTodo(actor, { title: 'Now', due_date: TODAY })
      await createReminder(actor, { title: 'Due', remind_at: `${TODAY}T10:30` })
      await createReminder(actor, { title: 'Soon', remind_at: `${TODAY}T10:31` })
      const project = await createProject(actor, { is_tracked: true, name: 'House' })
      await createTask(actor, project.id, { title: 'Roof', due_date: '2026-03-11' })
      await createPerson(actor, { nickname: 'Grace', birthday: '--03-11' })
      const note = { type: 'system' as const, title: 'T', message: 'M', data: {}, createdAt: h.clock.now() }
      await h.db.insert(notifications).values({ ...note, userId: actor.row.id })
    }
    const read = async (path: string) => (await ada.request('GET', path)).body
    const { reminders: due } = await read('/api/reminders/due')
    const { reminders: upcoming } = await read('/api/reminders?state=upcoming')
    const { todos: open } = await read('/api/todos?sort=due_date')
    expect([open.length, due.length, upcoming.length]).toEqual([2, 1, 1])
    expect(await dashboardOf(ada)).toEqual({
      date: TODAY,
      events: await ada.list(TODAY, '2026-03-05'),
      invitations_truncated: false,
      todos: { overdue: [open[0]], today: [open[1]] },
      reminders: { due, upcoming },
      tasks: (await read('/api/projects/tracked-tasks')).tasks,
      birthdays: (await read('/api/people/upcoming-birthdays?days=7')).birthdays,
      unread_count: 1,
    })
  })

  test('shows what happens on the day: occurrences, shared and invited events, birthdays, and no more', async () => {
    const [ada, bob] = [await organiser(h), await organiser(h)]
    const hours = (day: string) => ({ start_at: `${day}T09:00`, end_at: `${day}T10:00` })
    await ada.create({ title: 'single', ...hours(TODAY) })
    await ada.create({ title: 'all day', all_day: true, start_date: '2026-03-03', end_date: TODAY })
    await ada.create({ title: 'other day', ...hours('2026-03-05') })
    await ada.create({ title: 'ends at midnight', start_at: '2026-03-03T20:00', end_at: `${TODAY}T00:00` })
    await ada.create({ title: 'begins at midnight', start_at: `${TODAY}T00:00`, end_at: `${TODAY}T00:00` })
    const weekly = await ada.create({
      title: 'weekly',
      ...hours('2026-02-25'),
      recurrence_rule: 'FREQ=WEEKLY',
    })
    await ada.change(weekly.id, { title: 'override' }, { scope: 'this', occurrence_start: `${TODAY}T09:00` })
    const moved = await ada.create({ title: 'moved', ...hours('2026-03-20'), recurrence_rule: 'FREQ=WEEKLY' })
    const onto = { scope: 'this', occurrence_start: '2026-03-27T09:00' }
    await ada.change(moved.id, hours(TODAY), onto)
    const cancelled = await ada.create({ title: 'cancelled', ...hours(TODAY), recurrence_rule: 'FREQ=DAILY' })
    await ada.remove(cancelled.id, { scope: 'this', occurrence_start: `${TODAY}T09:00` })
    const hidden = await make(ada, '/api/calendars', { name: 'Hidden', is_visible: false })
    await ada.create({ title: 'hidden', ...hours(TODAY), calendar_id: hidden.id })
    await bob.create({ title: 'shared', ...hours(TODAY), calendar_id: await share(bob, ada) })
    await bob.create({ title: 'private', ...hours(TODAY) })
    for (const response of [null, 'Declined'] as const) {
      const event = await bob.create({ title: `invited ${response}`, ...hours(TODAY) })
      await invite(h, { eventId: event.id, userId: ada.row.id, response })
    }
    await createPerson(ada, { nickname: 'Grace', birthday: `2000-${TODAY.slice(5)}` })
    const { events: shown } = await dashboardOf(ada)
    expect(shown).toEqual(await ada.list(TODAY, '2026-03-05'))
    expect(titles(shown)).toEqual([
      'all day',
      "Grace's birthday (26)",
      'begins at midnight',
      'single',
      'override',
      'moved',
      'shared',
      'invited null',
    ])
  })

  test('leaves out what was declined, also of a calendar that one sees', async () => {
    const [ada, bob] = [await organiser(h), await organiser(h)]
    const calendar_id = await share(bob, ada)
    const times = { start_at: `${TODAY}T09:00`, end_at: `${TODAY}T10:00` }
    const event = await bob.create({ title: 'declined', ...times, calendar_id })
    await invite(h, { eventId: event.id, userId: ada.row.id, response: 'Declined' })
    expect((await dashboardOf(ada)).events).toEqual([])
  })

  test('shows 50 of each at most: the first', async () => {
    const ada = await organiser(h)
    const now = { createdAt: h.clock.now(), updatedAt: h.clock.now() }
    const [personal] = await h.db.select().from(calendars).where(eq(calendars.userId, ada.row.id)).limit(1)
    const project = await createProject(ada, { is_tracked: true })
    const many = Array.from({ length: 60 }, (_, i) => i)
    const minute = (i: number) => `${TODAY}T08:${String(59 - i).padStart(2, '0')}:00.000`
    await h.db.insert(events).values(
      many.map((i) => {
        const at = new Date(`${minute(i)}Z`)
        const times = { startAt: at, endAt: at, lastEndAt: at, startWall: minute(i), timeZone: 'UTC' }
        return { calendarId: personal?.id ?? 0, title: `Event ${i}`, allDay: false, ...times, ...now }
      }),
    )
    await ada.create({ title: 'first', all_day: true, start_date: TODAY, end_date: TODAY })
    await ada.create({
      title: 'seconds',
      start_at: '2026-03-03T08:00',
      end_at: '2026-03-03T08:00',
      recurrence_rule: 'FREQ=DAILY;BYSECOND=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20',
    })
    await h.db.insert(todos).values(
      many.flatMap((i) =>
        ['2026-03-01', TODAY].map((dueDate, day) => ({
          userId: ada.row.id,
          listId: IN_DEFAULT_LIST,
          title: `Todo ${i}`,
          priority: 'none' as const,
          dueDate,
          rank: String(1000 - 2 * i - day),
          ...now,
        })),
      ),
    )
    for (const i of many) {
      await createTask(ada, project.id, { title: `Task ${i}`, due_date: TODAY })
      await createPerson(ada, { nickname: `P ${i}`, birthday: '--03-05' })
      await createReminder(ada, { title: 'Due', remind_at: `${TODAY}T01:00` })
      await createReminder(ada, { title: 'Soon', remind_at: `${TODAY}T20:00` })
    }
    const shown = await dashboardOf(ada)
    expect(shown.events).toEqual((await ada.list(TODAY, '2026-03-05')).slice(0, 50))
    expect(titles(shown.events).slice(0, 3)).toEqual(['first', 'seconds', 'seconds'])
    const { todos: listed } = (await ada.request('GET', '/api/todos?sort=due_date&limit=200')).body
    expect(shown.todos).toEqual({ overdue: listed.slice(0, 50), today: listed.slice(60, 110) })
    const lengths = [shown.reminders.due, shown.reminders.upcoming, shown.tasks, shown.birthdays]
    expect(lengths.map(({ length }) => length)).toEqual([50, 50, 50, 50])
  })

  test('first opens again what is to be done again', async () => {
    const ada = await organiser(h)
    const { id } = await createTodo(ada, { title: 'Dishes', due_date: TODAY, recurrence: 'daily' })
    await ada.request('POST', `/api/todos/${id}/toggle`)
    expect((await dashboardOf(ada)).todos.today).toEqual([])
    await h.db.update(todos).set({ resetAt: h.clock.now() }).where(eq(todos.id, id))
    const { todos: shown } = await dashboardOf(ada, '?date=2026-03-05')
    expect(shown).toMatchObject({ overdue: [], today: [{ id, completed: false, due_date: '2026-03-05' }] })
  })

  test('leaves out what is completed, dismissed, snoozed, untracked or too far ahead', async () => {
    const ada = await organiser(h)
    await createTodo(ada, { title: 'done', due_date: TODAY, completed: true })
    await createTodo(ada, { title: 'tomorrow', due_date: '2026-03-05' })
    await createTodo(ada, { title: 'some day' })
    for (const action of ['dismiss', 'snooze']) {
      const { id } = await createReminder(ada, { title: action, remind_at: `${TODAY}T10:00` })
      const body = action === 'snooze' ? { minutes: 10 } : undefined
      const answered = await ada.request('PUT', `/api/reminders/${id}/${action}`, { ...(body && { body }) })
      expect(answered.status).toBe(200)
    }
    await createReminder(ada, { title: 'far', remind_at: '2026-03-12T00:00' })
    const [tracked, untracked] = [await createProject(ada, { is_tracked: true }), await createProject(ada)]
    await createTask(ada, untracked.id, { due_date: TODAY })
    await createTask(ada, tracked.id, { due_date: '2026-03-12' })
    await createTask(ada, tracked.id, { due_date: TODAY, status: 'completed' })
    await createPerson(ada, { nickname: 'Far', birthday: '--03-12' })
    expect(await dashboardOf(ada)).toMatchObject({
      todos: { overdue: [], today: [] },
      reminders: { due: [], upcoming: [] },
      tasks: [],
      birthdays: [],
    })
  })

  test('takes today in the zone of the user', async () => {
    const ada = await organiser(h, 'Pacific/Kiritimati')
    await createTodo(ada, { title: 'Now', due_date: '2026-03-04' })
    expect(await dashboardOf(ada)).toMatchObject({ date: '2026-03-04', todos: { today: [{ title: 'Now' }] } })
    await h.db.update(settings).set({ timeZone: 'Pacific/Pago_Pago' }).where(eq(settings.userId, ada.row.id))
    expect(await dashboardOf(ada)).toMatchObject({ date: '2026-03-03', todos: { today: [] } })
  })

  test('of another day looks at todos, tasks, birthdays and what is upcoming from there, at the rest from now', async () => {
    const ada = await organiser(h)
    await ada.create({ title: 'Choir', start_at: '2026-03-20T19:00', end_at: '2026-03-20T20:00' })
    await createTodo(ada, { title: 'Late', due_date: '2026-03-19' })
    await createTodo(ada, { title: 'Then', due_date: '2026-03-20' })
    await createReminder(ada, { title: 'due', remind_at: `${TODAY}T10:00` })
    await createReminder(ada, { title: 'before', remind_at: '2026-03-19T23:59' })
    await createReminder(ada, { title: 'then', remind_at: '2026-03-27T23:59' })
    const project = await createProject(ada, { is_tracked: true })
    await createTask(ada, project.id, { title: 'Roof', due_date: '2026-03-27' })
    await createPerson(ada, { nickname: 'Grace', birthday: '--03-27' })
    expect(await dashboardOf(ada, '?date=2026-03-20')).toMatchObject({
      date: '2026-03-20',
      events: [{ title: 'Choir' }],
      todos: { overdue: [{ title: 'Late' }], today: [{ title: 'Then' }] },
      reminders: { due: [{ title: 'due' }], upcoming: [{ title: 'then' }] },
      tasks: [{ title: 'Roof' }],
      birthdays: [{ name: 'Grace', date: '2026-03-27' }],
    })
  })

  test('shows who was born on a leap day on 28 February of a common year', async () => {
    const ada = await organiser(h)
    await createPerson(ada, { nickname: 'Leap', birthday: '2000-02-29' })
    const { birthdays, events: shown } = await dashboardOf(ada, '?date=2027-02-28')
    expect([birthdays, titles(shown)]).toMatchObject([[{ date: '2027-02-28' }], ["Leap's birthday (27)"]])
    expect((await dashboardOf(ada, '?date=2028-02-28')).birthdays).toMatchObject([{ date: '2028-02-29' }])
  })

  test.each(['1900-01-01', '2200-12-31'])('answers for %s too', async (date) => {
    expect(await dashboardOf(await organiser(h), `?date=${date}`)).toMatchObject({ date, events: [] })
  })

  test.each(['today', '2026-02-30', '2026-03-04T10:00'])('refuses %s as a date', async (date) => {
    const { status, body } = await (await h.signedIn()).request('GET', `/api/dashboard?date=${date}`)
    expect([status, body.detail]).toEqual([422, 'date: must be a day as YYYY-MM-DD'])
  })

  test('asks as many queries whatever there is', async () => {
    const [ada, bob] = [await organiser(h), await organiser(h)]
    const queries = async () => {
      using statements = observed(h.db)
      await dashboardOf(ada)
      expect(statements.filter(({ isInTransaction }) => isInTransaction)).toEqual([])
      return statements.length
    }
    const none = await queries()
    const series = { start_at: '2026-03-01T09:00', end_at: '2026-03-01T10:00', recurrence_rule: 'FREQ=DAILY' }
    const project = await createProject(ada, { is_tracked: true })
    for (let made = 0; made < 20; made++) {
      const { id } = await ada.create(series)
      await ada.change(id, { title: 'Other' }, { scope: 'this', occurrence_start: `${TODAY}T09:00` })
      await bob.create({ ...series, calendar_id: await share(bob, ada) })
      const invited = await bob.create(series)
      const answers = { [`${TODAY}T09:00`]: 'Going' } as const
      await invite(h, { eventId: invited.id, userId: ada.row.id, answers })
      await createTodo(ada, { title: 'Late', due_date: '2026-03-03' })
      await createReminder(ada, { title: 'Due', remind_at: `${TODAY}T10:00` })
      await createTask(ada, project.id, { due_date: TODAY })
      await createPerson(ada, { nickname: 'Grace', birthday: `--${TODAY.slice(5)}` })
    }
    expect(await queries()).toBe(none)
    expect((await dashboardOf(ada)).events).toHaveLength(50)
    expect(none).toBeGreaterThan(10)
  })

  test('has no birthdays among the events where their calendar is hidden', async () => {
    const ada = await organiser(h)
    await createPerson(ada, { nickname: 'Grace', birthday: `--${TODAY.slice(5)}` })
    const { id } = await birthdaysOf(h, ada.row.id)
    await h.db.update(calendars).set({ isVisible: false }).where(eq(calendars.id, id))
    expect(await dashboardOf(ada)).toMatchObject({ events: [], birthdays: [{ name: 'Grace' }] })
  })
})

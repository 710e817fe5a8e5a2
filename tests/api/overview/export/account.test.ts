import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { calendarMembers, notifications, users } from '../../../../src/db/schema'
import { connect, send as ask, set } from '../../../support/connecting'
import { birthdaysOf } from '../../../support/events'
import { type Actor } from '../../../support/harness'
import { person, type Person } from '../../../support/inviting'
import { register } from '../../../support/passkeys'
import { createProject, createTask } from '../../../support/projects'
import { createToken } from '../../../support/tokens'
import { createPerson, createReminder, createTodo, make } from '../../../support/records'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

type Json = Record<string, unknown> & { id: number }

const read = async (actor: Actor, path: string) => {
  const { status, body } = await actor.request('GET', path)
  if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`)
  return body
}
/** Everything in a paged list of the API, by id. */
async function everything(actor: Actor, path: string, name: string): Promise<Json[]> {
  const found: Json[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await read(actor, `${path}?limit=2${cursor && `&cursor=${cursor}`}`)
    found.push(...page[name])
    cursor = page.next_cursor
  }
  return found.toSorted((a, b) => a.id - b.id)
}

const HOUR = { start_at: '2026-03-10T09:00', end_at: '2026-03-10T10:00' }
const DAILY = { ...HOUR, recurrence_rule: 'FREQ=DAILY' }
const NTFY_TOKEN = 'tk_Samarkand'

/** An account with some of everything; `mark` stands in all of its texts. Answers the secrets that it has. */
async function fill(ada: Person, friend: Person, mark: string) {
  await ada.request('PUT', '/api/settings', {
    body: { first_name: mark, ntfy_auth_token: NTFY_TOKEN, ntfy_topic: 'ada', share_email: true },
  })
  const { secret } = (await ada.request('POST', '/api/auth/totp/setup')).body
  await register(ada, { name: mark })
  await h.session(ada.row.id, { userAgent: mark })
  const { token } = await createToken(ada, ['tasks:read'], { name: mark })
  const work = await make(ada, '/api/calendars', { name: mark, color: '#abcdef' })
  const now = { createdAt: h.clock.now(), updatedAt: h.clock.now() }
  await h.db
    .insert(calendarMembers)
    .values({ calendarId: work.id, userId: friend.row.id, permission: 'write', status: 'accepted', ...now })
  const { theirs } = await connect(friend, ada)
  await ada.request('PUT', `/api/connections/${theirs}/sharing`, { body: { share_phone: true } })
  await ask(ada, await person(h), mark)
  await make(ada, '/api/connections/blocks', { network_name: (await person(h)).row.networkName })
  const series = await ada.create({ title: mark, ...DAILY, calendar_id: work.id })
  const at = (day: number) => ({ scope: 'this', occurrence_start: `2026-03-${day}T09:00` })
  await ada.change(series.id, { title: `${mark} moved`, start_at: '2026-04-01T08:00' }, at(12))
  await ada.remove(series.id, at(13))
  const days = { all_day: true, start_date: '2026-03-10', end_date: '2026-03-11', title: mark }
  const week = await ada.create({ ...days, recurrence_rule: 'FREQ=WEEKLY;COUNT=3' })
  await ada.change(week.id, { location: 'Elsewhere' }, { scope: 'this', occurrence_start: '2026-03-17' })
  await ada.remove(week.id, { scope: 'this', occurrence_start: '2026-03-24' })
  await ada.create({ ...days, description: 'two\nlines', reminder_minutes: 5 })
  await friend.create({ title: `${mark} by a friend`, ...HOUR, calendar_id: work.id })
  const [asked] = (await ada.invite(series.id, friend)).body.invitations
  await friend.respond(asked.id, 'Going')
  await friend.respond(asked.id, 'Declined', '2026-03-11T09:00')
  const weekly = await friend.create({ ...days, title: mark, recurrence_rule: 'FREQ=WEEKLY' })
  const [own] = (await friend.invite(weekly.id, ada)).body.invitations
  await ada.respond(own.id, 'Tentative', '2026-03-24')
  await ada.respond(own.id, 'Going', '2026-03-17')
  for (const title of ['One', 'Two', 'Three']) {
    const event = await friend.create({ title: `${mark} ${title}`, ...HOUR })
    const { body } = await friend.invite(event.id, ada)
    await ada.display(body.invitations[0].id, work.id)
    await make(ada, '/api/event-templates', { name: `${mark} ${title}`, title, calendar_id: work.id })
    const todo = await createTodo(ada, { title: mark, due_date: '2026-03-04', position: 1 })
    await createReminder(ada, { title: mark, remind_at: '2026-03-05T09:00' })
    await createPerson(ada, { first_name: mark, birthday: '1990-05-05', notes: 'n' })
    const project = await createProject(ada, { name: mark, is_tracked: true, position: 1 })
    const task = await createTask(ada, project.id, { title: mark })
    const subtask = await createTask(ada, project.id, { title: mark, parent_task_id: task.id })
    for (const { id } of [task, task, subtask]) {
      await make(ada, `/api/projects/${project.id}/tasks/${id}/comments`, { body: mark })
    }
    if (title === 'Two') await ada.request('PUT', `/api/todos/${todo.id}`, { body: { completed: true } })
  }
  const recurring = await createTodo(ada, { title: mark, recurrence: 'daily' })
  await ada.request('POST', `/api/todos/${recurring.id}/toggle`)
  const { reminders } = await read(ada, '/api/reminders')
  await ada.request('PUT', `/api/reminders/${reminders[0].id}/snooze`, { body: { minutes: 60 } })
  const note = { type: 'system' as const, title: mark, message: mark, data: { event_id: series.id } }
  await h.db.insert(notifications).values({ ...note, userId: ada.row.id, createdAt: h.clock.now() })
  return [secret, NTFY_TOKEN, token]
}

const FROM_TO = '?from=2026-03-01&to=2026-05-01'

/** Invitations as the export has them. */
const answering = (invitations: readonly Json[]) =>
  invitations.map((invitation) => ({ ...invitation, occurrence_responses: expect.any(Array) }))

/** The events of own calendars with what the API knows of each. */
/** What no other program wrote. */
const asMadeHere = (record: Json): Json => ({ ...record, icalendar: null })

async function eventsOf(ada: Person, exported: readonly Json[]) {
  const views = await Promise.all(
    exported.map(async ({ id }) => {
      const event = await read(ada, `/api/events/${id}`)
      const { occurrences } = await read(ada, `/api/events/${id}/occurrences${FROM_TO}`)
      return {
        ...event,
        overrides: event.recurrence_rule
          ? occurrences.filter(({ is_override }: { is_override: boolean }) => is_override)
          : [],
        exceptions: expect.any(Array),
        icalendar: null,
        invitations: answering((await read(ada, `/api/events/${id}/invitations`)).invitations),
      }
    }),
  )
  return views
}

async function tasksOf(ada: Actor, projects: readonly Json[]) {
  const nested = await Promise.all(
    projects.map(({ id }) => everything(ada, `/api/projects/${id}/tasks`, 'tasks')),
  )
  return nested.flat().flatMap(({ subtasks, ...task }) => {
    delete task['subtasks_next_cursor']
    return [task, ...(subtasks as Json[])] as Json[]
  })
}

const commentsOf = async (ada: Actor, tasks: readonly Json[]) => {
  const lists = await Promise.all(
    tasks.map(async ({ id, project_id }) => {
      const path = `/api/projects/${String(project_id)}/tasks/${id}/comments`
      const comments = await everything(ada, path, 'comments')
      return comments.map((comment) => ({ ...comment, project_id, task_id: id }))
    }),
  )
  return lists.flat() as Json[]
}

const byId = (records: readonly Json[]) => records.toSorted((a, b) => a.id - b.id)

describe('GET /api/export', () => {
  test('holds every record of the account, field by field as the API shows it, and nothing else', async () => {
    const [ada, bob] = [await person(h), await person(h)]
    await set(h, bob, { acceptConnections: true, firstName: 'Bob', shareFirstName: true })
    await fill(ada, bob, 'Ada’s')
    const { status, headers, body } = await ada.request('GET', '/api/export')
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json'])
    expect(headers.get('content-disposition')).toBe('attachment; filename="organiser-export.json"')
    const calendars = await everything(ada, '/api/calendars', 'calendars')
    const settings = await read(ada, '/api/settings')
    const [projects, connections] = [
      await everything(ada, '/api/projects', 'projects'),
      await everything(ada, '/api/connections', 'connections'),
    ]
    const tasks = byId(await tasksOf(ada, projects))
    expect(body).toEqual({
      format: 'organiser-export',
      version: 1,
      exported_at: '2026-03-04T10:30:00+01:00',
      profile: expect.objectContaining({
        id: ada.row.id,
        username: ada.row.username,
        network_name: ada.row.networkName,
        email: settings.email,
        role: 'standard',
      }),
      settings,
      calendars: calendars.filter(({ access }) => access === 'owner'),
      passkeys: (await read(ada, '/api/auth/passkeys')).passkeys,
      identities: [],
      sessions: (await read(ada, '/api/auth/sessions')).sessions,
      access_tokens: (await read(ada, '/api/auth/tokens')).tokens,
      calendar_members: [
        {
          id: expect.any(Number),
          calendar_id: calendars.find(({ name }) => name === 'Ada’s')?.id,
          user_id: bob.row.id,
          network_name: bob.row.networkName,
          permission: 'write',
          status: 'accepted',
        },
      ],
      events: await eventsOf(ada, body.events),
      event_templates: await everything(ada, '/api/event-templates', 'event_templates'),
      event_invitations: answering(await everything(ada, '/api/event-invitations', 'invitations')),
      todo_lists: await everything(ada, '/api/todo-lists', 'todo_lists'),
      todos: (await everything(ada, '/api/todos', 'todos')).map(asMadeHere),
      reminders: (await everything(ada, '/api/reminders', 'reminders')).map(asMadeHere),
      projects,
      tasks,
      comments: byId(await commentsOf(ada, tasks)),
      address_books: await everything(ada, '/api/address-books', 'address_books'),
      people: (await everything(ada, '/api/people', 'people')).map((contact) => ({
        ...contact,
        vcard: null,
      })),
      contact_groups: [],
      connections: await Promise.all(
        connections.map(async (connection) => ({
          ...connection,
          sharing: await read(ada, `/api/connections/${connection.id}/sharing`),
        })),
      ),
      connection_requests: await everything(ada, '/api/connections/requests', 'requests'),
      blocks: await everything(ada, '/api/connections/blocks', 'blocks'),
      notifications: await everything(ada, '/api/notifications', 'notifications'),
    })
    const counts = [
      'events',
      'todos',
      'tasks',
      'comments',
      'people',
      'connection_requests',
      'blocks',
      'sessions',
    ]
    expect(counts.map((name) => body[name].length)).toEqual([4, 4, 6, 9, 4, 2, 1, 2])
    expect(body.events.map(({ exceptions }: { exceptions: string[] }) => exceptions)).toEqual([
      ['2026-03-13T09:00:00+01:00'],
      ['2026-03-24'],
      [],
      [],
    ])
    const moved = { title: 'Ada’s moved', occurrence_start: '2026-03-12T09:00:00+01:00' }
    expect(body.events[0]).toMatchObject({ overrides: [moved], invitations: [{ user_id: bob.row.id }] })
    expect(body.events[1].overrides).toMatchObject([
      { location: 'Elsewhere', occurrence_start: '2026-03-17' },
    ])
    expect(body.events[0].invitations[0].occurrence_responses).toEqual([
      { occurrence_start: '2026-03-11T09:00:00+01:00', response: 'Declined' },
    ])
    const answers = body.event_invitations.map(
      ({ occurrence_responses }: { occurrence_responses: unknown }) => occurrence_responses,
    )
    expect(answers).toEqual([
      [
        { occurrence_start: '2026-03-17', response: 'Going' },
        { occurrence_start: '2026-03-24', response: 'Tentative' },
      ],
      [],
      [],
      [],
    ])
  })

  test('names nothing of anybody else’s, and no secret', async () => {
    const [ada, bob, eve] = [await person(h), await person(h), await person(h)]
    await h.db.update(users).set({ username: 'bobs-login' }).where(eq(users.id, bob.row.id))
    const secrets = await fill(ada, bob, 'Ada’s')
    await fill(eve, await person(h), 'Eve’s')
    const text = JSON.stringify((await ada.request('GET', '/api/export')).body)
    expect(text).toContain('Ada’s')
    for (const foreign of ['Eve’s', 'bobs-login']) expect(text).not.toContain(foreign)
    const [row] = await h.db.select().from(users).where(eq(users.id, ada.row.id))
    const others = [row?.passwordHash, row?.webauthnHandle, ada.token, ada.sid]
    for (const secret of [...secrets, ...others]) expect(text).not.toContain(String(secret))
    expect(text).not.toMatch(
      /"[^"]*(?:hash|secret|public_key|credential_id|sign_count|ntfy_auth_token)[^"]*":/i,
    )
  })

  test('of a new account has all lists, empty but for its calendars, its list of todos and its session', async () => {
    const ada = await h.signedIn()
    const { body } = await ada.request('GET', '/api/export')
    const lengths = Object.entries(body).flatMap(([name, value]) =>
      Array.isArray(value) && value.length > 0 ? [[name, value.length]] : [],
    )
    expect(lengths).toEqual([
      ['sessions', 1],
      ['calendars', 2],
      ['todo_lists', 1],
      ['address_books', 1],
    ])
    expect(body.calendars.map(({ id }: Json) => id)).toContain((await birthdaysOf(h, ada.row.id)).id)
  })

  test('needs a session', async () => {
    expect((await h.request('GET', '/api/export')).status).toBe(401)
  })
})

import { describe, expect, test } from 'bun:test'
import { firstMigrations, MIGRATIONS } from '../../src/adapters/migrations-folder'
import { applyMigrations } from '../../src/db/migrations'
import { administer, freshDatabaseUrl } from '../support/database'
import { type Actor, PASSWORD } from '../support/harness'
import { countsOf, expectTrueTallies } from '../support/tallies'
import {
  createProject,
  createTask,
  idsOf,
  projectsOf,
  send,
  sorted,
  tasksOf,
  upTo,
} from '../support/projects'
import { useHarness } from '../support/use-harness'
import { useSql } from '../support/use-sql'

const ROUNDS = 20
/** Migrations before that which brings the tallies. */
const BEFORE = 15

const h = useHarness()
const sql = useSql(h)

const createTodo = async (actor: Actor, fields: object = {}) =>
  (await actor.request('POST', '/api/todos', { body: { title: 'T', ...fields } })).body
const todosOf = async (actor: Actor) => (await actor.request('GET', '/api/todos?limit=200')).body.todos

/** Two projects with three tasks each, the first of which has two subtasks. */
async function furnished() {
  const ada = await h.signedIn()
  const project = async () => {
    const { id } = await createProject(ada)
    const tasks: number[] = []
    while (tasks.length < 3) tasks.push((await createTask(ada, id)).id)
    const [parent_task_id = 0] = tasks
    const subtasks: number[] = []
    while (subtasks.length < 2) subtasks.push((await createTask(ada, id, { parent_task_id })).id)
    await ada.request('POST', `/api/projects/${id}/tasks/${parent_task_id}/comments`, { body: { body: 'C' } })
    return { project: id, tasks, subtasks }
  }
  const todos: number[] = []
  while (todos.length < 4) todos.push((await createTodo(ada)).id)
  return { ada, first: await project(), second: await project(), todos }
}

describe('a tally', () => {
  test('is the number of rows in its list, whatever is created, moved, arranged and deleted at once', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { ada, first, second, todos } = await furnished()
      const [a, b, c] = first.tasks
      const [child, other] = first.subtasks
      const move = (id: number | undefined, parent_task_id: number | null | undefined) =>
        send(ada, 'PUT', `/${first.project}/tasks/${id}`, { parent_task_id })
      const answers = await Promise.all([
        move(child, b),
        move(other, null),
        move(c, b),
        send(ada, 'POST', `/${first.project}/tasks`, { title: 'N', parent_task_id: b }),
        send(ada, 'POST', `/${first.project}/tasks`, { title: 'N', position: 1 }),
        send(ada, 'DELETE', `/${first.project}/tasks/${round % 2 === 0 ? a : b}`),
        send(ada, 'PUT', `/${first.project}/tasks/reorder`, { task_ids: first.tasks.toReversed() }),
        send(ada, 'DELETE', `/${second.project}`),
        send(ada, 'POST', `/${second.project}/tasks`, { title: 'N' }),
        send(ada, 'POST', '', { name: 'N' }),
        createTodo(ada, { position: 1 }),
        ada.request('DELETE', `/api/todos/${todos[0]}`),
        ada.request('POST', `/api/todos/${todos[1]}/toggle`),
        ada.request('PUT', '/api/todos/reorder', { body: { todo_ids: todos.toReversed() } }),
        createTodo(ada),
      ])
      expect(answers.filter(({ status }) => status >= 500)).toEqual([])
      await expectTrueTallies(sql)
    }
  }, 60_000)

  test('is gone once its list is: deleting an account leaves none of its own behind, and all of the others', async () => {
    const { ada } = await furnished()
    await furnished()
    const before = await expectTrueTallies(sql)
    const removed = await ada.request('DELETE', '/api/auth/account', { body: { password: PASSWORD } })
    expect(removed.status).toBe(204)
    // Todos, their lists, projects, tasks, comments, calendars, address books, the tasks of two projects and the subtasks of two tasks.
    expect(await expectTrueTallies(sql)).toBe(before - 11)
  })

  test('counts rows of several lists that come and go in one statement', async () => {
    const users = [await h.user(), await h.user()].map(({ id }) => id)
    for (const count of [1, 300]) {
      await sql`
        insert into todos (user_id, title, priority, rank, created_at, updated_at)
        select id, 'T', 'none', ${count}::integer + n, now(), now()
        from users, generate_series(1, ${count}::integer) n where id = any(${users})`
      await expectTrueTallies(sql)
    }
    await sql`delete from todos where user_id = any(${users}) and (rank < 5 or user_id = ${users[0] ?? 0})`
    await expectTrueTallies(sql)
    expect(
      (await countsOf(sql)).tallied.filter(
        ({ kind, owner_id }) => kind === 'todos' && users.includes(owner_id),
      ),
    ).toHaveLength(1)
    await sql`delete from todos where user_id = any(${users})`
    await expectTrueTallies(sql)
  })

  test('stands for every list that there was before there were tallies', async () => {
    await using database = await freshDatabaseUrl({ migrated: false })
    await using old = await firstMigrations(MIGRATIONS, BEFORE)
    await applyMigrations(database.url, old.path)
    const admin = administer(database.url)
    await admin`
      insert into users (username, network_name, password_hash, role, created_at, updated_at)
      select name, name, 'x', 'standard', now(), now() from unnest(array['a', 'b', 'c']) as name`
    await admin`
      insert into todos (user_id, title, priority, rank, created_at, updated_at)
      select id, 'T', 'none', n, now(), now() from users, generate_series(1, id) n where id > 1`
    await admin`
      insert into projects (user_id, name, rank, created_at, updated_at)
      select id, 'P', n, now(), now() from users, generate_series(1, 2) n`
    await admin`
      insert into project_tasks (project_id, title, rank, created_at, updated_at)
      select id, 'T', n, now(), now() from projects, generate_series(1, 3) n where id > 1`
    await admin`
      insert into project_tasks (project_id, parent_task_id, title, rank, created_at, updated_at)
      select project_id, id, 'T', 1, now(), now() from project_tasks where id % 2 = 0`
    await admin`
      insert into task_comments (task_id, author_id, body, created_at, updated_at)
      select id, 2, 'C', now(), now() from project_tasks where id % 3 = 0`
    await admin`
      insert into calendars (user_id, name, color, created_at, updated_at)
      select id, 'C' || n, '#000000', now(), now() from users, generate_series(1, id) n`
    await admin`
      insert into calendar_feeds (calendar_id, token_hash, created_at) select id, id, now() from calendars where id % 2 = 0`
    await admin`
      insert into events (calendar_id, title, all_day, start_date, end_date, last_end_date, created_at, updated_at)
      select id, 'E', true, '2026-05-01', '2026-05-01', '2026-05-01', now(), now() from calendars, generate_series(1, id)`
    await admin`
      insert into event_occurrences (event_id, occurrence_start, changes, created_at, updated_at)
      select id, timestamp '2026-05-01' + n * interval '1 day', '{}', now(), now() from events, generate_series(1, 3) n
      where id % 2 = 0`
    await admin`
      insert into event_invitations (event_id, user_id, created_at, updated_at)
      select id, 1 + id % 2, now(), now() from events`
    await admin`
      insert into occurrence_responses (invitation_id, occurrence_start, response, created_at, updated_at)
      select id, '2026-05-02', 'Going', now(), now() from event_invitations where id % 3 = 0`
    await admin`
      insert into event_templates (user_id, name, title, created_at, updated_at)
      select id, 'N' || n, 'T', now(), now() from users, generate_series(1, 2) n where id > 1`
    await admin`
      insert into reminders (user_id, title, time_zone, created_at, updated_at)
      select id, 'T', 'UTC', now(), now() from users, generate_series(1, id)`
    await admin`
      insert into people (user_id, nickname, created_at, updated_at)
      select id, 'P', now(), now() from users, generate_series(1, id + 1) where id < 3`
    await applyMigrations(database.url, MIGRATIONS)
    expect(await expectTrueTallies(admin)).toBeGreaterThan(30)
    await admin.end()
  })
})

describe('what is appended', () => {
  test('is told the position at which its list shows it, after deletes, moves and new orders', async () => {
    const { ada, first, todos } = await furnished()
    const [a = 0, b = 0] = first.tasks
    const [child = 0] = first.subtasks
    const tasks = `/${first.project}/tasks`
    const steps: Array<() => Promise<unknown>> = [
      async () => {},
      () => ada.request('DELETE', `/api/todos/${todos[1]}`),
      () => ada.request('PUT', `/api/todos/${todos[3]}`, { body: { position: 1 } }),
      async () =>
        ada.request('PUT', '/api/todos/reorder', {
          body: { todo_ids: idsOf(await todosOf(ada)).toReversed() },
        }),
      () => send(ada, 'PUT', `${tasks}/${child}`, { parent_task_id: b }),
      () => send(ada, 'PUT', `${tasks}/${child}`, { parent_task_id: null, position: 1 }),
      () => send(ada, 'PUT', `${tasks}/${child}`, { parent_task_id: a }),
      async () =>
        send(ada, 'PUT', `${tasks}/reorder`, { task_ids: idsOf(await tasksOf(ada, first.project)) }),
      () => send(ada, 'DELETE', `${tasks}/${child}`),
      () => send(ada, 'DELETE', `${tasks}/${b}`),
      async () => send(ada, 'DELETE', `/${(await createProject(ada, { position: 1 })).id}`),
    ]
    for (const step of steps) {
      await step()
      const todo = await createTodo(ada)
      const project = await createProject(ada)
      const task = await createTask(ada, first.project)
      const subtask = await createTask(ada, first.project, { parent_task_id: a })
      expect((await todosOf(ada)).at(-1)).toEqual(todo)
      expect((await projectsOf(ada)).at(-1)).toEqual(project)
      expect((await tasksOf(ada, first.project)).at(-1)).toEqual(task)
      const shown = (await send(ada, 'GET', `${tasks}/${a}`)).body.subtasks
      expect({ ...shown.at(-1), subtasks: [], subtasks_next_cursor: null }).toEqual(subtask)
    }
  }, 30_000)

  test('twenty times at once has twenty positions, in each of twenty rounds', async () => {
    const ada = await h.signedIn()
    const project = (await createProject(ada)).id
    const parent_task_id = (await createTask(ada, project)).id
    const ways = [
      () => createTodo(ada),
      () => createTask(ada, project, { parent_task_id }),
      () => createTask(ada, project),
      () => createProject(ada),
    ]
    // The project and the task that there were before.
    for (const [index, way] of ways.entries()) {
      const offset = index < 2 ? 0 : 1
      for (let round = 0; round < ROUNDS / ways.length; round++) {
        const created = await Promise.all(upTo(20).map(way))
        expect(sorted(created.map(({ position }) => position))).toEqual(
          upTo(20).map((place) => place + offset + 20 * round),
        )
      }
    }
    await expectTrueTallies(sql)
  }, 60_000)

  test('at a position is told it, and that of the end where it lies beyond', async () => {
    const ada = await h.signedIn()
    const positions = []
    for (const position of [5, 1, 3, 4, 2_147_483_647, 2])
      positions.push((await createTodo(ada, { position })).position)
    expect(positions).toEqual([1, 1, 3, 4, 5, 2])
  })
})

import { describe, expect, test } from 'bun:test'
import { count, eq } from 'drizzle-orm'
import { projects, projectTasks, taskComments } from '../../../../src/db/schema'
import { type Actor } from '../../../support/harness'
import {
  createProject,
  createTask,
  expecting,
  idsOf,
  NO_PROJECT,
  PROJECTS,
  projectsOf,
  refused,
  send,
} from '../../../support/projects'
import { raceOf } from '../../../support/racing'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const rowOf = async (id: number) => (await h.db.select().from(projects).where(eq(projects.id, id)))[0]
const names = async (actor: Actor, query = '') => (await projectsOf(actor, query)).map(({ name }) => name)

describe('POST /api/projects', () => {
  test('creates one from its name: not started, untracked, without colour or due date, the last one', async () => {
    const ada = await h.signedIn()
    await createProject(ada)
    const answered = await ada.request('POST', PROJECTS, {
      body: { name: '  Cafe\u0301  ', id: 1, user_id: 1, version: 9, task_count: 9 },
    })
    expect([answered.status, answered.headers.get('etag')]).toEqual([201, '"1"'])
    expect(answered.body).toEqual({
      id: expect.any(Number),
      name: 'Caf\u00e9',
      description: null,
      color: null,
      status: 'not_started',
      due_date: null,
      is_tracked: false,
      position: 2,
      rank: '2',
      task_count: 0,
      completed_task_count: 0,
      version: 1,
      created_at: '2026-03-04T10:30:00+01:00',
      updated_at: '2026-03-04T10:30:00+01:00',
    })
    expect((await rowOf(answered.body.id))?.userId).toBe(ada.row.id)
  })

  test('takes every field', async () => {
    const fields = {
      name: 'Move',
      description: 'First line\n\n second ',
      color: '#A0b1C2',
      status: 'on_hold',
      due_date: '2026-12-24',
      is_tracked: true,
      position: 1,
    }
    const ada = await h.signedIn()
    await createProject(ada)
    expect(await createProject(ada, fields)).toMatchObject(fields)
  })

  test('refuses what does not fit, and creates nothing', async () => {
    const ada = await h.signedIn()
    const wrong: Array<[string, unknown]> = [
      ['name', undefined],
      ['name', null],
      ['name', ' '],
      ['name', 'a'.repeat(201)],
      ['name', 'a\0b'],
      ['description', 'a'.repeat(10_001)],
      ['color', 'red'],
      ['color', '#fff'],
      ['color', '#12345g'],
      ['status', 'done'],
      ['status', null],
      ['due_date', '2026-02-30'],
      ['due_date', '1899-12-31'],
      ['due_date', '2026-03-04T00:00:00Z'],
      ['is_tracked', 'true'],
      ['position', 0],
      ['position', 1.5],
      ['position', '1'],
      ['position', 2_147_483_648],
    ]
    for (const [field, value] of wrong) {
      const { status, body } = await send(ada, 'POST', '', { name: 'A', [field]: value })
      expect([field, value, status]).toEqual([field, value, 422])
      expect(body.detail).toStartWith(`${field}: `)
    }
    expect(await projectsOf(ada)).toEqual([])
  })

  test('counts code points, not bytes', async () => {
    const ada = await h.signedIn()
    const name = '\u{1F600}'.repeat(200)
    expect((await createProject(ada, { name })).name).toBe(name)
  })
})

describe('GET /api/projects', () => {
  test('lists the caller’s by position, with the tasks counted, subtasks included', async () => {
    const ada = await h.signedIn()
    await createProject(await h.signedIn())
    const [second, first] = [await createProject(ada), await createProject(ada, { position: 1 })]
    const parent = await createTask(ada, first.id, { status: 'completed' })
    await createTask(ada, first.id, { parent_task_id: parent.id, status: 'completed' })
    await createTask(ada, first.id, { parent_task_id: parent.id, status: 'in_progress' })
    await createTask(ada, second.id)
    const { body } = await send(ada, 'GET', '')
    expect(body).toMatchObject({
      projects: [
        { id: first.id, position: 1, task_count: 3, completed_task_count: 2 },
        { id: second.id, position: 2, task_count: 1, completed_task_count: 0 },
      ],
      next_cursor: null,
    })
    expect((await send(ada, 'GET', `/${first.id}`)).body).toEqual(body.projects[0])
  })

  test('filters by status and by whether a project is tracked; positions stay those among all', async () => {
    const ada = await h.signedIn()
    for (const fields of [
      { name: 'a' },
      { name: 'b', is_tracked: true },
      { name: 'c', status: 'on_hold' },
      { name: 'd', status: 'on_hold', is_tracked: true },
    ])
      await createProject(ada, fields)
    expect(await names(ada, '?status=on_hold')).toEqual(['c', 'd'])
    expect(await names(ada, '?is_tracked=true')).toEqual(['b', 'd'])
    expect(await names(ada, '?is_tracked=false')).toEqual(['a', 'c'])
    expect(await projectsOf(ada, '?is_tracked=true&status=on_hold')).toMatchObject([
      { name: 'd', position: 4 },
    ])
    for (const query of ['?status=done', '?is_tracked=2', '?limit=0', '?limit=201', '?cursor=x'])
      expect([query, (await send(ada, 'GET', query)).status]).toEqual([query, 422])
  })
})

describe('PUT /api/projects/{id}', () => {
  test('changes what is given, clears what may be null and leaves the rest', async () => {
    const ada = await h.signedIn()
    const fields = { description: 'Text', color: '#000000', due_date: '2026-05-01', is_tracked: true }
    const { id } = await createProject(ada, { name: 'Old', ...fields })
    const answered = await ada.request('PUT', `${PROJECTS}/${id}`, {
      body: { name: 'New', status: 'completed', user_id: 1, version: 7 },
    })
    expect([answered.status, answered.headers.get('etag')]).toEqual([200, '"2"'])
    expect(answered.body).toMatchObject({ ...fields, name: 'New', status: 'completed', version: 2 })
    const cleared = { description: null, color: null, due_date: null }
    expect((await send(ada, 'PUT', `/${id}`, cleared)).body).toMatchObject({
      ...cleared,
      name: 'New',
      is_tracked: true,
      version: 3,
    })
    expect((await send(ada, 'PUT', `/${id}`, { name: null })).status).toBe(422)
    expect((await rowOf(id))?.userId).toBe(ada.row.id)
  })

  test('with a stale If-Match changes and deletes nothing', async () => {
    const ada = await h.signedIn()
    const { id } = await createProject(ada, { name: 'Old' })
    const stale = refused(412, 'This item has changed since you read it')
    expect((await send(expecting(ada, '"1"'), 'PUT', `/${id}`, { name: 'Mine' })).status).toBe(200)
    expect(await send(expecting(ada, '"1"'), 'PUT', `/${id}`, { name: 'Late', position: 9 })).toEqual(stale)
    expect(await send(expecting(ada, '"1"'), 'DELETE', `/${id}`)).toEqual(stale)
    expect((await send(ada, 'GET', `/${id}`)).body).toMatchObject({
      name: 'Mine',
      version: 2,
    })
    expect((await ada.request('GET', `${PROJECTS}/${id}`)).headers.get('etag')).toBe('"2"')
    expect((await send(expecting(ada, '"2"'), 'DELETE', `/${id}`)).status).toBe(204)
  })

  test('Of 20 changes of one version of a project at once one is made', async () => {
    const ada = await h.signedIn()
    const { id } = await createProject(ada)
    const answers = await raceOf(20, (i) =>
      send(expecting(ada, '"1"'), 'PUT', `/${id}`, { name: `Name ${i}` }),
    )
    const [winner, ...others] = answers.filter(({ status }) => status === 200)
    expect(others).toEqual([])
    expect(answers.filter(({ status }) => status === 412).length).toBe(19)
    expect((await send(ada, 'GET', `/${id}`)).body).toEqual(winner?.body)
  })
})

describe('DELETE /api/projects/{id}', () => {
  test('ends the project with its tasks, subtasks and comments, and nothing else', async () => {
    const ada = await h.signedIn()
    const [gone, kept] = [await createProject(ada), await createProject(ada)]
    const keptTask = await createTask(ada, kept.id)
    const parent = await createTask(ada, gone.id)
    const child = await createTask(ada, gone.id, { parent_task_id: parent.id })
    for (const [project, task] of [
      [gone, parent],
      [gone, child],
      [kept, keptTask],
    ] as const)
      await send(ada, 'POST', `/${project.id}/tasks/${task.id}/comments`, { body: 'Yes' })
    expect(await send(ada, 'DELETE', `/${gone.id}`)).toEqual({ status: 204, body: '' })
    expect(await send(ada, 'DELETE', `/${gone.id}`)).toEqual(NO_PROJECT)
    expect(await projectsOf(ada)).toMatchObject([{ id: kept.id, position: 1, task_count: 1 }])
    const left = await h.db
      .select({ comments: count(taskComments.id), tasks: count(projectTasks.id) })
      .from(projectTasks)
      .leftJoin(taskComments, eq(taskComments.taskId, projectTasks.id))
      .innerJoin(projects, eq(projects.id, projectTasks.projectId))
      .where(eq(projects.userId, ada.row.id))
    expect(left).toEqual([{ comments: 1, tasks: 1 }])
    expect(await h.db.$count(taskComments, eq(taskComments.authorId, ada.row.id))).toBe(1)
  })

  test('goes with the account', async () => {
    const ada = await h.signedIn({ role: 'standard' })
    const project = await createProject(ada)
    const task = await createTask(ada, project.id)
    await send(ada, 'POST', `/${project.id}/tasks/${task.id}/comments`, { body: 'Yes' })
    const ended = await ada.request('DELETE', '/api/auth/account', {
      body: { password: 'correct horse battery' },
    })
    expect(ended.status).toBe(204)
    expect(await rowOf(project.id)).toBeUndefined()
    expect(await h.db.$count(taskComments, eq(taskComments.authorId, ada.row.id))).toBe(0)
  })
})

describe('Somebody else’s project', () => {
  test('is as absent as one that does not exist', async () => {
    const [ada, eve] = [await h.signedIn(), await h.signedIn()]
    const { id } = await createProject(ada, { name: 'Mine' })
    const own = await createProject(eve)
    for (const foreign of [id, 2_147_483_647, 2_147_483_648, 0, '-1', 'x', '1.0', '%00', "'"]) {
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const body = method === 'PUT' ? { name: 'Theirs' } : undefined
        expect(await send(eve, method, `/${foreign}`, body)).toEqual(NO_PROJECT)
        expect(await send(expecting(eve, '"99"'), method, `/${foreign}`, body)).toEqual(NO_PROJECT)
      }
    }
    expect(await send(eve, 'PUT', '/reorder', { project_ids: [own.id, id] })).toEqual(
      refused(409, 'The list of projects is out of date'),
    )
    expect((await send(ada, 'GET', `/${id}`)).body).toMatchObject({ name: 'Mine', version: 1 })
    expect(idsOf(await projectsOf(eve))).toEqual([own.id])
  })
})

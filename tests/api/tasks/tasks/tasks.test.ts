import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { projectTasks, taskComments } from '../../../../src/db/schema'
import {
  createProject,
  createTask,
  expecting,
  idsOf,
  NO_PROJECT,
  NO_TASK,
  PROJECTS,
  refused,
  send,
  sorted,
  tasksOf,
} from '../../../support/projects'
import { raceOf } from '../../../support/racing'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

async function withProject() {
  const ada = await h.signedIn()
  return { ada, project: (await createProject(ada)).id }
}

describe('POST /api/projects/{id}/tasks', () => {
  test('creates one from its title: pending, no priority, top level, the last one', async () => {
    const { ada, project } = await withProject()
    await createTask(ada, project)
    const answered = await ada.request('POST', `${PROJECTS}/${project}/tasks`, {
      body: { title: '  Cafe\u0301 ', id: 1, project_id: 1, version: 9, comment_count: 9, subtasks: [{}] },
    })
    expect([answered.status, answered.headers.get('etag')]).toEqual([201, '"1"'])
    expect(answered.body).toEqual({
      id: expect.any(Number),
      project_id: project,
      parent_task_id: null,
      title: 'Caf\u00e9',
      description: null,
      status: 'pending',
      priority: 'none',
      due_date: null,
      position: 2,
      rank: '2',
      comment_count: 0,
      version: 1,
      created_at: '2026-03-04T10:30:00+01:00',
      updated_at: '2026-03-04T10:30:00+01:00',
      subtasks: [],
      subtasks_next_cursor: null,
    })
  })

  test('takes every field', async () => {
    const { ada, project } = await withProject()
    const parent = await createTask(ada, project)
    await createTask(ada, project, { parent_task_id: parent.id })
    const fields = {
      parent_task_id: parent.id,
      title: 'Pack',
      description: 'First line\n second ',
      status: 'in_progress',
      priority: 'high',
      due_date: '2026-12-24',
      position: 1,
    }
    expect(await createTask(ada, project, fields)).toMatchObject(fields)
  })

  test('refuses what does not fit, and creates nothing', async () => {
    const { ada, project } = await withProject()
    const wrong: Array<[string, unknown]> = [
      ['title', undefined],
      ['title', ' '],
      ['title', 'a'.repeat(201)],
      ['description', 'a'.repeat(10_001)],
      ['status', 'not_started'],
      ['status', null],
      ['priority', 'urgent'],
      ['priority', null],
      ['due_date', '2026-02-30'],
      ['parent_task_id', 0],
      ['parent_task_id', '1'],
      ['parent_task_id', 2_147_483_648],
      ['position', 0],
    ]
    for (const [field, value] of wrong) {
      const { status, body } = await send(ada, 'POST', `/${project}/tasks`, {
        title: 'A',
        [field]: value,
      })
      expect([field, value, status]).toEqual([field, value, 422])
      expect(body.detail).toStartWith(`${field}: `)
    }
    expect(await tasksOf(ada, project)).toEqual([])
  })
})

describe('GET /api/projects/{id}/tasks', () => {
  test('lists the top-level tasks by position, their subtasks within them, and counts comments', async () => {
    const { ada, project } = await withProject()
    await createTask(ada, (await createProject(ada)).id)
    const [b, a] = [await createTask(ada, project), await createTask(ada, project, { position: 1 })]
    const a2 = await createTask(ada, project, { parent_task_id: a.id })
    const a1 = await createTask(ada, project, { parent_task_id: a.id, position: 1 })
    for (const { id } of [b, a1, a1])
      await send(ada, 'POST', `/${project}/tasks/${id}/comments`, { body: 'Yes' })
    const { body } = await send(ada, 'GET', `/${project}/tasks`)
    expect(body).toMatchObject({
      tasks: [
        {
          id: a.id,
          position: 1,
          comment_count: 0,
          subtasks: [
            { id: a1.id, parent_task_id: a.id, position: 1, comment_count: 2 },
            { id: a2.id, parent_task_id: a.id, position: 2, comment_count: 0 },
          ],
        },
        { id: b.id, position: 2, comment_count: 1, subtasks: [] },
      ],
      next_cursor: null,
    })
    expect((await send(ada, 'GET', `/${project}/tasks/${a.id}`)).body).toEqual(body.tasks[0])
    const {
      subtasks: none,
      subtasks_next_cursor,
      ...single
    } = (await send(ada, 'GET', `/${project}/tasks/${a1.id}`)).body
    expect([single, none, subtasks_next_cursor]).toEqual([body.tasks[0].subtasks[0], [], null])
  })

  test('refuses a cursor of another list and a wrong limit', async () => {
    const { ada, project } = await withProject()
    const foreign = btoa(JSON.stringify(['2026-03-04T09:30:00.000Z', 1]))
    for (const query of ['limit=0', 'limit=201', 'cursor=x', `cursor=${foreign}`])
      expect([query, (await send(ada, 'GET', `/${project}/tasks?${query}`)).status]).toEqual([query, 422])
  })
})

describe('PUT /api/projects/{id}/tasks/{task_id}', () => {
  test('changes what is given, clears what may be null and leaves the rest', async () => {
    const { ada, project } = await withProject()
    const fields = { description: 'Text', priority: 'low', due_date: '2026-05-01' }
    const { id } = await createTask(ada, project, fields)
    const answered = await ada.request('PUT', `${PROJECTS}/${project}/tasks/${id}`, {
      body: { title: 'New', status: 'completed', project_id: 1, version: 7 },
    })
    expect([answered.status, answered.headers.get('etag')]).toEqual([200, '"2"'])
    expect(answered.body).toMatchObject({ ...fields, title: 'New', status: 'completed', project_id: project })
    const cleared = { description: null, due_date: null }
    expect((await send(ada, 'PUT', `/${project}/tasks/${id}`, cleared)).body).toMatchObject({
      ...cleared,
      title: 'New',
      priority: 'low',
      version: 3,
    })
  })

  test('with a stale If-Match changes and deletes nothing', async () => {
    const { ada, project } = await withProject()
    const path = `/${project}/tasks/${(await createTask(ada, project)).id}`
    const stale = refused(412, 'This item has changed since you read it')
    expect((await send(expecting(ada, '"1"'), 'PUT', path, { title: 'Mine' })).status).toBe(200)
    expect(await send(expecting(ada, '"1"'), 'PUT', path, { title: 'Late', position: 9 })).toEqual(stale)
    expect(await send(expecting(ada, '"1"'), 'DELETE', path)).toEqual(stale)
    expect((await send(ada, 'GET', path)).body).toMatchObject({ title: 'Mine', version: 2 })
    expect((await send(expecting(ada, '"2"'), 'DELETE', path)).status).toBe(204)
  })

  test('Of 20 changes of one version of a task at once one is made', async () => {
    const { ada, project } = await withProject()
    const path = `/${project}/tasks/${(await createTask(ada, project)).id}`
    const answers = await raceOf(20, (i) => send(expecting(ada, '"1"'), 'PUT', path, { title: `Title ${i}` }))
    expect(sorted(answers.map(({ status }) => status))).toEqual([200, ...Array(19).fill(412)])
  })
})

describe('DELETE /api/projects/{id}/tasks/{task_id}', () => {
  test('ends the task with its subtasks and comments, and nothing else', async () => {
    const { ada, project } = await withProject()
    const [gone, kept] = [await createTask(ada, project), await createTask(ada, project)]
    const child = await createTask(ada, project, { parent_task_id: gone.id })
    for (const { id } of [gone, child, kept])
      await send(ada, 'POST', `/${project}/tasks/${id}/comments`, { body: 'Yes' })
    expect(await send(ada, 'DELETE', `/${project}/tasks/${gone.id}`)).toEqual({ status: 204, body: '' })
    for (const { id } of [gone, child])
      expect(await send(ada, 'GET', `/${project}/tasks/${id}`)).toEqual(NO_TASK)
    expect(await tasksOf(ada, project)).toMatchObject([{ id: kept.id, position: 1, comment_count: 1 }])
    expect(await h.db.$count(taskComments, eq(taskComments.authorId, ada.row.id))).toBe(1)
  })

  test('The deletion of a subtask leaves its parent', async () => {
    const { ada, project } = await withProject()
    const parent = await createTask(ada, project)
    const child = await createTask(ada, project, { parent_task_id: parent.id })
    expect((await send(ada, 'DELETE', `/${project}/tasks/${child.id}`)).status).toBe(204)
    expect(await tasksOf(ada, project)).toMatchObject([{ id: parent.id, subtasks: [] }])
  })
})

describe('Tasks of somebody else, and of another project', () => {
  test('are as absent as those that do not exist, on every part of the path', async () => {
    const { ada, project } = await withProject()
    const { id: task } = await createTask(ada, project, { title: 'Mine' })
    const eve = await h.signedIn()
    const own = (await createProject(eve)).id
    const calls = [
      ['GET', ''],
      ['POST', ''],
      ['PUT', '/reorder'],
      ['GET', `/${task}`],
      ['PUT', `/${task}`],
      ['DELETE', `/${task}`],
    ] as const
    const body = { title: 'Theirs', task_ids: [] }
    for (const [method, rest] of calls) {
      for (const foreign of [project, 2_147_483_647, 2_147_483_648, '0', 'x', '%00'])
        expect(
          await send(eve, method, `/${foreign}/tasks${rest}`, method.startsWith('P') ? body : undefined),
        ).toEqual(NO_PROJECT)
    }
    for (const method of ['GET', 'PUT', 'DELETE']) {
      for (const foreign of [task, 2_147_483_647, 2_147_483_648, '0', 'x', '%00'])
        expect(
          await send(
            expecting(eve, '"9"'),
            method,
            `/${own}/tasks/${foreign}`,
            method === 'PUT' ? body : undefined,
          ),
        ).toEqual(NO_TASK)
    }
    const [row] = await h.db.select().from(projectTasks).where(eq(projectTasks.id, task))
    expect(row).toMatchObject({ title: 'Mine', version: 1, projectId: project })
  })

  test('A task of another project is not found, also where both projects are the caller’s', async () => {
    const { ada, project } = await withProject()
    const other = (await createProject(ada)).id
    const { id } = await createTask(ada, project)
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect(await send(ada, method, `/${other}/tasks/${id}`, method === 'PUT' ? {} : undefined)).toEqual(
        NO_TASK,
      )
    expect(idsOf(await tasksOf(ada, project))).toEqual([id])
    expect(await tasksOf(ada, other)).toEqual([])
  })
})

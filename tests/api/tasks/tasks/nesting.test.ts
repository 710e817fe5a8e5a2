import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { projectTasks } from '../../../../src/db/schema'
import { type Actor } from '../../../support/harness'
import {
  createProject,
  createTask,
  idsOf,
  NO_TASK,
  positionsOf,
  send,
  sorted,
  tasksOf,
  TWO_LEVELS,
} from '../../../support/projects'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

async function withProject() {
  const ada = await h.signedIn()
  return { ada, project: (await createProject(ada)).id }
}
const moveTo = (actor: Actor, project: number, id: number, place: Record<string, number | null>) =>
  send(actor, 'PUT', `/${project}/tasks/${id}`, place)
const move = (actor: Actor, project: number, id: number, parent_task_id: number | null) =>
  moveTo(actor, project, id, { parent_task_id })

/** Ids of the tasks with those of their subtasks. */
const treeOf = async (actor: Actor, project: number) =>
  (await tasksOf(actor, project)).map(({ id, subtasks = [] }) => [id, ...idsOf(subtasks)])

/** How many levels there are, and tasks whose parent is missing or elsewhere, by what the database holds. */
async function shapeOf(project: number) {
  const rows = await h.db.select().from(projectTasks).where(eq(projectTasks.projectId, project))
  const parentOf = new Map(rows.map(({ id, parentTaskId }) => [id, parentTaskId]))
  const depth = (id: number, seen = 0): number => {
    const parent = parentOf.get(id)
    return parent === undefined || seen > 9 ? 99 : parent === null ? 1 : 1 + depth(parent, seen + 1)
  }
  return Math.max(...rows.map(({ id }) => depth(id)))
}

describe('A task', () => {
  test('goes below another, to a third and back to the top, last unless a position is given', async () => {
    const { ada, project } = await withProject()
    const [a, b, c, d] = [
      await createTask(ada, project),
      await createTask(ada, project),
      await createTask(ada, project),
      await createTask(ada, project),
    ]
    expect((await move(ada, project, c.id, a.id)).body).toMatchObject({ parent_task_id: a.id, position: 1 })
    expect((await move(ada, project, d.id, a.id)).body).toMatchObject({ position: 2, version: 2 })
    expect(await treeOf(ada, project)).toEqual([[a.id, c.id, d.id], [b.id]])
    expect((await move(ada, project, d.id, b.id)).body).toMatchObject({ parent_task_id: b.id, position: 1 })
    expect((await moveTo(ada, project, c.id, { parent_task_id: b.id, position: 1 })).body).toMatchObject({
      position: 1,
    })
    expect(await treeOf(ada, project)).toEqual([[a.id], [b.id, c.id, d.id]])
    expect((await move(ada, project, c.id, null)).body).toMatchObject({ parent_task_id: null, position: 3 })
    expect((await moveTo(ada, project, d.id, { parent_task_id: null, position: 2 })).body).toMatchObject({
      position: 2,
    })
    expect(await treeOf(ada, project)).toEqual([[a.id], [d.id], [b.id], [c.id]])
    expect(positionsOf(await tasksOf(ada, project))).toEqual([1, 2, 3, 4])
  })

  test('stays in its place where the parent is given again', async () => {
    const { ada, project } = await withProject()
    const a = await createTask(ada, project)
    const [b, c] = [
      await createTask(ada, project, { parent_task_id: a.id }),
      await createTask(ada, project, { parent_task_id: a.id }),
    ]
    expect((await move(ada, project, b.id, a.id)).body).toMatchObject({ position: 1 })
    expect((await move(ada, project, a.id, null)).body).toMatchObject({ position: 1 })
    expect(await treeOf(ada, project)).toEqual([[a.id, b.id, c.id]])
  })
})

describe('A second level', () => {
  test('is refused: below a subtask, of a task with subtasks, of a task and itself', async () => {
    const { ada, project } = await withProject()
    const [parent, other] = [await createTask(ada, project), await createTask(ada, project)]
    const child = await createTask(ada, project, { parent_task_id: parent.id })
    const before = await tasksOf(ada, project)
    const below = { title: 'Third', parent_task_id: child.id }
    expect(await send(ada, 'POST', `/${project}/tasks`, below)).toEqual(TWO_LEVELS)
    expect(await move(ada, project, other.id, child.id)).toEqual(TWO_LEVELS)
    expect(await move(ada, project, parent.id, other.id)).toEqual(TWO_LEVELS)
    expect(await move(ada, project, parent.id, child.id)).toEqual(TWO_LEVELS)
    for (const { id } of [parent, child, other]) expect(await move(ada, project, id, id)).toEqual(TWO_LEVELS)
    expect(await tasksOf(ada, project)).toEqual(before)
  })

  test('The database itself refuses a third level, and a parent elsewhere', async () => {
    const { ada, project } = await withProject()
    const foreign = await createTask(ada, (await createProject(ada)).id)
    const parent = await createTask(ada, project)
    const child = await createTask(ada, project, { parent_task_id: parent.id })
    const other = await createTask(ada, project)
    for (const [id, parentTaskId] of [
      [other.id, child.id],
      [parent.id, other.id],
      [other.id, other.id],
      [other.id, foreign.id],
    ] as const) {
      const write = h.db.update(projectTasks).set({ parentTaskId }).where(eq(projectTasks.id, id))
      expect(
        await write.then(
          () => 'written',
          (error: Error) => Reflect.get(error.cause ?? error, 'constraint_name'),
        ),
      ).toBe('project_tasks_parent_fkey')
    }
  })
})

describe('A parent', () => {
  test('of another project, of somebody else or of nowhere is not found', async () => {
    const { ada, project } = await withProject()
    const eve = await h.signedIn()
    const task = await createTask(ada, project)
    const parents = [
      (await createTask(ada, (await createProject(ada)).id)).id,
      (await createTask(eve, (await createProject(eve)).id)).id,
      2_147_483_647,
    ]
    for (const parent_task_id of parents) {
      expect(await send(ada, 'POST', `/${project}/tasks`, { title: 'x', parent_task_id })).toEqual(NO_TASK)
      expect(await move(ada, project, task.id, parent_task_id)).toEqual(NO_TASK)
      const reorder = { parent_task_id, task_ids: [] }
      expect(await send(ada, 'PUT', `/${project}/tasks/reorder`, reorder)).toEqual(NO_TASK)
    }
    expect(await treeOf(ada, project)).toEqual([[task.id]])
  })
})

describe('In a race', () => {
  const ROUNDS = 20
  const settled = (answers: ReadonlyArray<{ status: number }>) => sorted(answers.map(({ status }) => status))

  test('of two tasks that go below each other one does', async () => {
    const { ada } = await withProject()
    for (let round = 0; round < ROUNDS; round++) {
      const project = (await createProject(ada)).id
      const [a, b] = [await createTask(ada, project), await createTask(ada, project)]
      const answers = await Promise.all([move(ada, project, a.id, b.id), move(ada, project, b.id, a.id)])
      expect(settled(answers)).toEqual([200, 409])
      expect(await shapeOf(project)).toBe(2)
    }
  }, 60_000)

  test('a task gets a subtask or becomes one, not both', async () => {
    const { ada } = await withProject()
    for (let round = 0; round < ROUNDS; round++) {
      const project = (await createProject(ada)).id
      const [a, b, c] = [
        await createTask(ada, project),
        await createTask(ada, project),
        await createTask(ada, project),
      ]
      const becoming = () => move(ada, project, a.id, b.id)
      const adding = () => send(ada, 'POST', `/${project}/tasks`, { title: 'x', parent_task_id: a.id })
      const moving = () => move(ada, project, c.id, a.id)
      const calls = round % 2 === 0 ? [becoming, adding, moving] : [adding, moving, becoming]
      const answers = await Promise.all(calls.map((call) => call()))
      expect(answers.filter(({ status }) => ![200, 201, 409].includes(status))).toEqual([])
      expect(await shapeOf(project)).toBe(2)
    }
  }, 60_000)

  test('a ring of tasks that go below one another stays flat', async () => {
    const { ada } = await withProject()
    for (let round = 0; round < ROUNDS; round++) {
      const project = (await createProject(ada)).id
      const ids: number[] = []
      for (let i = 0; i < 5; i++) ids.push((await createTask(ada, project)).id)
      const answers = await Promise.all(ids.map((id, i) => move(ada, project, id, ids[(i + 1) % 5] ?? 0)))
      expect(answers.filter(({ status }) => ![200, 409].includes(status))).toEqual([])
      expect(await shapeOf(project)).toBe(2)
    }
  }, 60_000)

  test('a task goes below another that ends: it goes with it, or is refused', async () => {
    const { ada } = await withProject()
    for (let round = 0; round < ROUNDS; round++) {
      const project = (await createProject(ada)).id
      const [a, b] = [await createTask(ada, project), await createTask(ada, project)]
      const [moved, ended] = await Promise.all([
        move(ada, project, a.id, b.id),
        send(ada, 'DELETE', `/${project}/tasks/${b.id}`),
      ])
      expect(ended.status).toBe(204)
      expect(idsOf(await tasksOf(ada, project))).toEqual(moved.status === 200 ? [] : [a.id])
      if (moved.status !== 200) expect(moved).toEqual(NO_TASK)
    }
  }, 60_000)

  test('a project ends while its tasks are written: nothing is left of it', async () => {
    const { ada } = await withProject()
    for (let round = 0; round < ROUNDS; round++) {
      const project = (await createProject(ada)).id
      const a = await createTask(ada, project)
      const answers = await Promise.all([
        addTask(ada, project, a.id),
        send(ada, 'DELETE', `/${project}`),
        send(ada, 'POST', `/${project}/tasks/${a.id}/comments`, { body: 'Yes' }),
        addTask(ada, project, null),
      ])
      expect(answers.filter(({ status }) => ![201, 204, 404].includes(status))).toEqual([])
      expect(await h.db.$count(projectTasks, eq(projectTasks.projectId, project))).toBe(0)
    }
  }, 60_000)

  const addTask = (actor: Actor, project: number, parent_task_id: number | null) =>
    send(actor, 'POST', `/${project}/tasks`, { title: 'x', parent_task_id })
})

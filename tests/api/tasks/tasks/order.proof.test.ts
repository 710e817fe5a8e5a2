import { describe, expect, test } from 'bun:test'
import { projectTasks } from '../../../../src/db/schema'
import { type Actor } from '../../../support/harness'
import {
  createProject,
  createTask,
  idsOf,
  type Item,
  pagesOf,
  positionsOf,
  refused,
  send,
  sorted,
  tasksOf,
  upTo,
} from '../../../support/projects'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const OUT_OF_DATE = refused(409, 'The list of tasks is out of date')

async function withTasks(count: number) {
  const ada = await h.signedIn()
  const project = (await createProject(ada)).id
  const ids: number[] = []
  for (let i = 0; i < count; i++) ids.push((await createTask(ada, project)).id)
  return { ada, project, ids }
}
const subtasksOf = async (actor: Actor, project: number, id: number): Promise<readonly Item[]> =>
  (await pagesOf(actor, `/${project}/tasks?limit=200&parent_task_id=${id}`, 'tasks')).flat()
const reorder = (actor: Actor, project: number, task_ids: readonly unknown[], parent_task_id?: number) =>
  send(actor, 'PUT', `/${project}/tasks/reorder`, { task_ids, ...(parent_task_id && { parent_task_id }) })

describe('A position', () => {
  test('counts among siblings: top-level tasks and the subtasks of each have their own', async () => {
    const { ada, project, ids } = await withTasks(2)
    const [a = 0, b = 0] = ids
    const c = await createTask(ada, project, { parent_task_id: b })
    const d = await createTask(ada, project, { parent_task_id: b, position: 1 })
    expect([c.position, d.position]).toEqual([1, 1])
    expect((await send(ada, 'PUT', `/${project}/tasks/${b}`, { position: 1 })).body.position).toBe(1)
    expect((await send(ada, 'PUT', `/${project}/tasks/${d.id}`, { position: 9 })).body.position).toBe(2)
    expect(idsOf(await tasksOf(ada, project))).toEqual([b, a])
    expect(idsOf(await subtasksOf(ada, project, b))).toEqual([c.id, d.id])
  })

  test('is one of a strict order after 20 moves at once, between parents too', async () => {
    for (let round = 0; round < 20; round++) {
      const { ada, project, ids } = await withTasks(2)
      const [a = 0, b = 0] = ids
      const children: number[] = []
      for (const parent_task_id of [a, a, b])
        children.push((await createTask(ada, project, { parent_task_id })).id)
      const answers = await Promise.all(
        upTo(20).map((i) =>
          send(ada, 'PUT', `/${project}/tasks/${children[i % 3]}`, {
            parent_task_id: [a, b, null][Math.floor(i / 4) % 3],
            position: 1 + (i % 4),
          }),
        ),
      )
      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
      const top = await tasksOf(ada, project)
      const lists = [top, ...top.map(({ subtasks = [] }) => subtasks)]
      for (const list of lists) expect(positionsOf(list)).toEqual(upTo(list.length))
      expect(sorted(lists.flatMap(idsOf))).toEqual(sorted([a, b, ...children]))
    }
  }, 60_000)
})

describe('1 000 subtasks put at one spot', () => {
  test('all come there, each before the one put before it, four at a time', async () => {
    const { ada, project, ids } = await withTasks(1)
    const [parent = 0] = ids
    const first = await createTask(ada, project, { parent_task_id: parent })
    const last = await createTask(ada, project, { parent_task_id: parent })
    const putSome = async () => {
      const answered = []
      const body = { title: 'x', parent_task_id: parent, position: 2 }
      for (let i = 0; i < 250; i++) answered.push((await send(ada, 'POST', `/${project}/tasks`, body)).status)
      return answered
    }
    const statuses = (await Promise.all([putSome(), putSome(), putSome(), putSome()])).flat()
    expect(statuses).toEqual(Array(1000).fill(201))
    const all = await subtasksOf(ada, project, parent)
    expect(positionsOf(all)).toEqual(upTo(1002))
    expect([all[0]?.id, all.at(-1)?.id]).toEqual([first.id, last.id])
    const between = idsOf(all.slice(1, -1))
    expect(between).toEqual(between.toSorted((one, other) => other - one))
  }, 60_000)
})

describe('PUT /api/projects/{id}/tasks/reorder', () => {
  test('gives the top-level tasks a new order, with their subtasks, and leaves the versions', async () => {
    const { ada, project, ids } = await withTasks(3)
    const [parent = 0] = ids
    const child = await createTask(ada, project, { parent_task_id: parent })
    for (const wanted of [ids.toReversed(), ids]) {
      const { status, body } = await reorder(ada, project, wanted)
      expect([status, idsOf(body.tasks), positionsOf(body.tasks)]).toEqual([200, wanted, [1, 2, 3]])
      expect(body.tasks).toEqual(await tasksOf(ada, project))
    }
    expect(await tasksOf(ada, project)).toMatchObject([
      { version: 1, subtasks: [{ id: child.id, version: 1 }] },
      { version: 1 },
      { version: 1 },
    ])
  })

  test('gives the subtasks of one parent a new order, and nobody else', async () => {
    const { ada, project, ids } = await withTasks(2)
    const [a = 0, b = 0] = ids
    const [c, d, e] = [
      await createTask(ada, project, { parent_task_id: a }),
      await createTask(ada, project, { parent_task_id: a }),
      await createTask(ada, project, { parent_task_id: b }),
    ]
    const { status, body } = await reorder(ada, project, [d.id, c.id], a)
    expect([status, idsOf(body.tasks), positionsOf(body.tasks)]).toEqual([200, [d.id, c.id], [1, 2]])
    expect(idsOf(await subtasksOf(ada, project, a))).toEqual([d.id, c.id])
    expect(idsOf(await subtasksOf(ada, project, b))).toEqual([e.id])
    expect(idsOf(await tasksOf(ada, project))).toEqual([a, b])
    expect((await reorder(ada, project, [], c.id)).body).toEqual({ tasks: [], next_cursor: null })
  })

  test('refuses any list that is not exactly the siblings, and changes nothing', async () => {
    const { ada, project, ids } = await withTasks(2)
    const [a = 0, b = 0] = ids
    const child = (await createTask(ada, project, { parent_task_id: a })).id
    const elsewhere = (await createTask(ada, (await createProject(ada)).id)).id
    const wrong = [[], [a], [a, a], [b, a, a], [b, a, child], [b, child], [b, elsewhere], [b, 0], [b, 1e300]]
    for (const list of wrong) expect(await reorder(ada, project, list)).toEqual(OUT_OF_DATE)
    for (const list of [[], [b], [child, b], [child, child]])
      expect(await reorder(ada, project, list, a)).toEqual(OUT_OF_DATE)
    expect((await reorder(ada, project, [String(a), b])).status).toBe(422)
    expect((await send(ada, 'PUT', `/${project}/tasks/reorder`, {})).status).toBe(422)
    expect(idsOf(await tasksOf(ada, project))).toEqual([a, b])
  })

  test('against moves, inserts and deletes at once ends in strict orders', async () => {
    for (let round = 0; round < 20; round++) {
      const { ada, project, ids } = await withTasks(3)
      const [a = 0, b = 0, c = 0] = ids
      const answers = await Promise.all([
        reorder(ada, project, ids.toReversed()),
        send(ada, 'POST', `/${project}/tasks`, { title: 'New', position: 2 }),
        send(ada, 'PUT', `/${project}/tasks/${a}`, { parent_task_id: c, position: 1 }),
        send(ada, 'DELETE', `/${project}/tasks/${b}`),
        reorder(ada, project, ids),
        send(ada, 'POST', `/${project}/tasks`, { title: 'New', parent_task_id: c, position: 1 }),
      ])
      expect(answers.filter(({ status }) => status >= 500)).toEqual([])
      const top = await tasksOf(ada, project)
      expect(positionsOf(top)).toEqual([1, 2])
      expect(top.flatMap(({ subtasks = [] }) => positionsOf(subtasks))).toEqual([1, 2])
    }
  }, 60_000)
})

describe('5 000 tasks', () => {
  test('are paged by position, each with its subtasks: what is written between pages neither skips nor repeats one', async () => {
    const { ada, project } = await withTasks(0)
    const now = h.clock.now()
    const rows = upTo(5000).map((i) => ({
      projectId: project,
      title: `T${i}`,
      rank: String(i),
      createdAt: now,
      updatedAt: now,
    }))
    const expected: number[] = []
    for (let i = 0; i < rows.length; i += 1000) {
      const some = await h.db
        .insert(projectTasks)
        .values(rows.slice(i, i + 1000))
        .returning({ id: projectTasks.id })
      expected.push(...some.map(({ id }) => id))
    }
    const parent_task_id = expected[300] ?? 0
    const child = await createTask(ada, project, { parent_task_id })
    const pages = await pagesOf(ada, `/${project}/tasks?limit=200`, 'tasks', async (page, number) => {
      if (number !== 1) return
      await send(ada, 'DELETE', `/${project}/tasks/${page.at(-1)?.id}`)
      await send(ada, 'PUT', `/${project}/tasks/${page[7]?.id}`, { position: 1 })
      await createTask(ada, project, { position: 1 })
    })
    expect(pages.map(({ length }) => length)).toEqual(Array(25).fill(200))
    expect(pages.flatMap(idsOf)).toEqual(expected)
    expect(pages.flat().flatMap(({ subtasks = [] }) => idsOf(subtasks))).toEqual([child.id])
    expect((await send(ada, 'GET', `/${project}`)).body.task_count).toBe(5001)
    const reversed = expected.filter((id) => id !== pages[0]?.at(-1)?.id).toReversed()
    const [added] = idsOf(await tasksOf(ada, project))
    expect((await reorder(ada, project, [...reversed, added])).status).toBe(200)
    expect(idsOf(await tasksOf(ada, project))).toEqual(reversed.slice(0, 200))
    expect((await send(ada, 'DELETE', `/${project}`)).status).toBe(204)
  }, 60_000)
})

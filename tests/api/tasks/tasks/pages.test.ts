import { describe, expect, test } from 'bun:test'
import { type Actor } from '../../../support/harness'
import {
  createProject,
  createTask,
  idsOf,
  NO_TASK,
  pagesOf,
  positionsOf,
  send,
  upTo,
} from '../../../support/projects'
import { useHarness } from '../../../support/use-harness'
import { useSql } from '../../../support/use-sql'

const h = useHarness()
const sql = useSql(h)

const MIB = 1_048_576
/** As long as a description may be, in four bytes each. */
const LONGEST = '𝒳'.repeat(10_000)

/** Puts tasks that long into a project: `top` of them, and `below` under each. */
async function fill(actor: Actor, { top, below }: { readonly top: number; readonly below: number }) {
  const { id: project } = await createProject(actor)
  const ids = await sql`
    insert into project_tasks (project_id, title, description, rank, created_at, updated_at)
    select ${project}, 'T', ${LONGEST}, n, now(), now() from generate_series(1, ${top}) as n returning id`
  await sql`
    insert into project_tasks (project_id, parent_task_id, title, description, rank, created_at, updated_at)
    select ${project}, id, 'S', ${LONGEST}, n, now(), now()
    from unnest(${ids.map(({ id }) => Number(id))}::integer[]) as id, generate_series(1, ${below}) as n`
  return { project, ids: ids.map(({ id }) => Number(id)) }
}

const sizeOf = (body: unknown) => new TextEncoder().encode(JSON.stringify(body)).length

describe('subtasks', () => {
  test('stand in their task up to the fiftieth, and are paged from there', async () => {
    const ada = await h.signedIn()
    const { id: project } = await createProject(ada)
    const [parent, other] = [await createTask(ada, project), await createTask(ada, project)]
    const made: number[] = []
    for (let i = 0; i < 53; i++) made.push((await createTask(ada, project, { parent_task_id: parent.id })).id)
    const inOther = await createTask(ada, project, { parent_task_id: other.id })
    const { body } = await send(ada, 'GET', `/${project}/tasks`)
    const [first, second] = body.tasks
    expect(idsOf(first.subtasks)).toEqual(made.slice(0, 50))
    expect(positionsOf(first.subtasks)).toEqual(upTo(50))
    expect([idsOf(second.subtasks), second.subtasks_next_cursor]).toEqual([[inOther.id], null])
    expect((await send(ada, 'GET', `/${project}/tasks/${parent.id}`)).body).toEqual(first)
    const path = `/${project}/tasks?parent_task_id=${parent.id}`
    const rest = await send(ada, 'GET', `${path}&cursor=${first.subtasks_next_cursor}`)
    expect([idsOf(rest.body.tasks), rest.body.next_cursor]).toEqual([made.slice(50), null])
    expect(positionsOf(rest.body.tasks)).toEqual([51, 52, 53])
    const { subtasks_next_cursor, subtasks, ...nested } = (await send(ada, 'GET', path)).body.tasks[0]
    expect([nested, subtasks, subtasks_next_cursor]).toEqual([first.subtasks[0], [], null])
    const pages = await pagesOf(ada, `${path}&limit=20`, 'tasks')
    expect(pages.map(({ length }) => length)).toEqual([20, 20, 13])
    expect(idsOf(pages.flat())).toEqual(made)
  })

  test('of fifty have no cursor', async () => {
    const ada = await h.signedIn()
    const { project } = await fill(ada, { top: 1, below: 50 })
    const { body } = await send(ada, 'GET', `/${project}/tasks`)
    expect([body.tasks[0].subtasks.length, body.tasks[0].subtasks_next_cursor]).toEqual([50, null])
  })

  test('of a foreign, absent or other project’s task are none', async () => {
    const [ada, eve] = [await h.signedIn(), await h.signedIn()]
    const [mine, other] = [await createProject(ada), await createProject(ada)]
    const task = await createTask(ada, mine.id)
    expect(await send(ada, 'GET', `/${mine.id}/tasks?parent_task_id=2147483647`)).toEqual(NO_TASK)
    expect(await send(ada, 'GET', `/${other.id}/tasks?parent_task_id=${task.id}`)).toEqual(NO_TASK)
    const { id } = await createProject(eve)
    expect(await send(eve, 'GET', `/${id}/tasks?parent_task_id=${task.id}`)).toEqual(NO_TASK)
    for (const wrong of ['0', 'x', '2147483648']) {
      const refused = await send(ada, 'GET', `/${mine.id}/tasks?parent_task_id=${wrong}`)
      expect([refused.status, refused.body.errors[0].field]).toEqual([422, 'query.parent_task_id'])
    }
    const none = await send(ada, 'GET', `/${mine.id}/tasks?parent_task_id=${task.id}`)
    expect(none).toEqual({ status: 200, body: { tasks: [], next_cursor: null } })
  })
})

describe('an answer is bounded in bytes', () => {
  test('a task with a thousand long subtasks', async () => {
    const ada = await h.signedIn()
    const { project, ids } = await fill(ada, { top: 1, below: 1000 })
    const [id = 0] = ids
    const answered = [
      await send(ada, 'GET', `/${project}/tasks?limit=1`),
      await send(ada, 'GET', `/${project}/tasks/${id}`),
      await send(ada, 'PUT', `/${project}/tasks/${id}`, { title: 'Other' }),
      await send(ada, 'GET', `/${project}/tasks?parent_task_id=${id}&limit=200`),
      await send(ada, 'PUT', `/${project}/tasks/reorder`, { task_ids: [id] }),
    ]
    for (const { status, body } of answered) {
      expect(status).toBe(200)
      // The task itself and the 50 subtasks that stand in it.
      expect(sizeOf(body)).toBeLessThan(2 * MIB)
    }
  })

  test.each([
    { below: 60, shown: 50, lengths: [1, 1, 1, 1], most: 2 },
    { below: 7, shown: 7, lengths: [3, 1], most: 1 },
  ])(
    'a page of tasks with $below long subtasks: it ends early, and the pages hold each of them once',
    async ({ below, shown, lengths, most }) => {
      const ada = await h.signedIn()
      const { project, ids } = await fill(ada, { top: 4, below })
      const pages = await pagesOf(ada, `/${project}/tasks?limit=200`, 'tasks')
      expect(pages.map(({ length }) => length)).toEqual([...lengths])
      for (const page of pages) expect(sizeOf(page)).toBeLessThan(most * MIB)
      expect(idsOf(pages.flat())).toEqual(ids)
      expect(pages.flat().every(({ subtasks = [] }) => subtasks.length === shown)).toBe(true)
      const reordered = await send(ada, 'PUT', `/${project}/tasks/reorder`, { task_ids: ids.toReversed() })
      const [first = 0] = lengths
      expect(idsOf(reordered.body.tasks)).toEqual(ids.toReversed().slice(0, first))
      const next = await send(ada, 'GET', `/${project}/tasks?cursor=${reordered.body.next_cursor}&limit=1`)
      expect(idsOf(next.body.tasks)).toEqual(ids.toReversed().slice(first, first + 1))
    },
  )
})

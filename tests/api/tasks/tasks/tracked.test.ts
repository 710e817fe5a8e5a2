import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { projectTasks, settings } from '../../../../src/db/schema'
import { type Actor } from '../../../support/harness'
import { createProject, createTask, idsOf, type Item, pagesOf, send, upTo } from '../../../support/projects'
import { useHarness } from '../../../support/use-harness'

// It is 2026-03-04, 09:30 in London.
const h = useHarness()

const tracked = async (actor: Actor, query = ''): Promise<Item[]> =>
  (await send(actor, 'GET', `/tracked-tasks${query}`)).body.tasks
const titles = async (actor: Actor, query = '') => (await tracked(actor, query)).map(({ title }) => title)

async function withTracked() {
  const ada = await h.signedIn()
  const project = (await createProject(ada, { name: 'Move', is_tracked: true })).id
  const due = (due_date: string, fields: Record<string, unknown> = {}) =>
    createTask(ada, project, { title: due_date, due_date, ...fields })
  return { ada, project, due }
}

describe('GET /api/projects/tracked-tasks', () => {
  test('lists open tasks and subtasks that are overdue or due within the days, by due date', async () => {
    const { ada, project, due } = await withTracked()
    await due('2026-03-12')
    const last = await due('2026-03-11', { priority: 'high' })
    const parent = await createTask(ada, project, { status: 'completed', due_date: '2026-03-01' })
    const child = await due('2026-03-04', { parent_task_id: parent.id, status: 'in_progress' })
    const overdue = await due('1999-12-31')
    await createTask(ada, project)
    await send(ada, 'POST', `/${project}/tasks/${child.id}/comments`, { body: 'Yes' })
    const { body } = await send(ada, 'GET', '/tracked-tasks')
    expect(idsOf(body.tasks)).toEqual([overdue.id, child.id, last.id])
    expect(body).toMatchObject({
      tasks: [
        { position: 4 },
        { parent_task_id: parent.id, position: 1, comment_count: 1, status: 'in_progress' },
        { project_id: project, project_name: 'Move', priority: 'high', position: 2, parent_task_id: null },
      ],
      next_cursor: null,
    })
    expect(await titles(ada, '?days=8')).toEqual(['1999-12-31', '2026-03-04', '2026-03-11', '2026-03-12'])
    expect(await titles(ada, '?days=1')).toEqual(['1999-12-31', '2026-03-04'])
  })

  test('names tasks of tracked projects of the caller alone, whatever the projects’ status', async () => {
    const { ada, project, due } = await withTracked()
    const eve = await h.signedIn()
    await createTask(eve, (await createProject(eve, { is_tracked: true })).id, { due_date: '2026-03-04' })
    await createTask(ada, (await createProject(ada)).id, { title: 'untracked', due_date: '2026-03-04' })
    const done = await createProject(ada, { is_tracked: true, status: 'completed' })
    await createTask(ada, done.id, { title: 'left over', due_date: '2026-03-05' })
    const task = await due('2026-03-04')
    expect(await titles(ada)).toEqual(['2026-03-04', 'left over'])
    await send(ada, 'PUT', `/${done.id}`, { is_tracked: false })
    expect(idsOf(await tracked(ada))).toEqual([task.id])
    await send(ada, 'PUT', `/${project}/tasks/${task.id}`, { status: 'completed' })
    expect(await tracked(ada)).toEqual([])
  })

  test('takes today from the zone of the user', async () => {
    const { ada, due } = await withTracked()
    for (const day of ['2026-03-04', '2026-03-05', '2026-03-06']) await due(day)
    h.clock.advance({ hours: 1 }) // In Kiritimati it is the 5th now, in Etc/GMT+12 still the 3rd.
    for (const [timeZone, days] of [
      ['Pacific/Kiritimati', ['2026-03-04', '2026-03-05', '2026-03-06']],
      ['Etc/GMT+12', ['2026-03-04']],
      [null, ['2026-03-04', '2026-03-05']],
    ] as const) {
      await h.db.update(settings).set({ timeZone }).where(eq(settings.userId, ada.row.id))
      expect([timeZone, await titles(ada, '?days=1')]).toEqual([timeZone, [...days]])
    }
  })

  test('refuses days out of 1 to 366 and the cursor of another list', async () => {
    const { ada } = await withTracked()
    for (const query of ['days=0', 'days=367', 'days=x', 'days=', 'days=1.5', 'cursor=x', 'cursor=WyIxIl0'])
      expect([query, (await send(ada, 'GET', `/tracked-tasks?${query}`)).status]).toEqual([query, 422])
    expect((await send(ada, 'GET', '/tracked-tasks?days=366')).status).toBe(200)
  })

  test('pages 5 000 tasks by due date: what ends between pages neither skips nor repeats one', async () => {
    const { ada, project } = await withTracked()
    const now = h.clock.now()
    const rows = upTo(5000).map((i) => ({
      projectId: project,
      title: `T${i}`,
      dueDate: `2026-01-${String(1 + (i % 28)).padStart(2, '0')}`,
      rank: String(i),
      createdAt: now,
      updatedAt: now,
    }))
    for (let i = 0; i < rows.length; i += 1000)
      await h.db.insert(projectTasks).values(rows.slice(i, i + 1000))
    const all = await h.db
      .select({ id: projectTasks.id })
      .from(projectTasks)
      .where(eq(projectTasks.projectId, project))
      .orderBy(projectTasks.dueDate, projectTasks.id)
    const pages = await pagesOf(ada, '/tracked-tasks?limit=200', 'tasks', async (page, number) => {
      if (number !== 1) return
      await send(ada, 'PUT', `/${project}/tasks/${page.at(-1)?.id}`, { status: 'completed' })
      await send(ada, 'DELETE', `/${project}/tasks/${page[0]?.id}`)
    })
    expect(pages.map(({ length }) => length)).toEqual(Array(25).fill(200))
    expect(pages.flatMap(idsOf)).toEqual(all.map(({ id }) => id))
  }, 60_000)
})

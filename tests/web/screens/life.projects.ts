import type { Actor } from '../../support/harness'
import { createProject, createTask, send } from '../../support/projects'

const TASKS = [
  { title: 'Draw a plan of the beds', status: 'completed' },
  { title: 'Order seeds', status: 'in_progress', priority: 'high', due_date: '2026-03-01' },
  {
    title: 'Build the greenhouse',
    priority: 'medium',
    due_date: '2026-03-06',
    description: 'Two metres by three.',
  },
  { title: 'Ask the neighbours about the hedge' },
] as const
const COMMENT = 'The frame comes on Thursday.\nSomebody has to be there.'
const DESCRIPTION = 'Beds, a greenhouse, and somewhere to sit.'
const SUBTASKS = ['Lay the floor', 'Put up the frame'] as const
const PROJECTS = [
  { name: 'Move the office', status: 'on_hold', due_date: '2026-05-29' },
  { name: 'Tax return', status: 'completed', color: '#78787d' },
] as const

const WRITTEN = ['name', 'title', 'description']

/** A project in the middle of its life, and others beside it. */
export async function fillProjects(actor: Actor) {
  const garden = await createProject(actor, {
    name: 'Garden',
    description: DESCRIPTION,
    color: '#2f8f5b',
    status: 'in_progress',
    due_date: '2026-04-30',
    is_tracked: true,
  })
  const ids: number[] = []
  for (const fields of TASKS) ids.push((await createTask(actor, garden.id, fields)).id)
  const task = ids[2] ?? 0
  for (const title of SUBTASKS) await createTask(actor, garden.id, { title, parent_task_id: task })
  await send(actor, 'POST', `/${garden.id}/tasks/${task}/comments`, { body: COMMENT })
  for (const project of PROJECTS) await createProject(actor, project)
  return {
    project: garden.id,
    task,
    /** Nobody translates what people write. */
    names: [
      'Garden',
      DESCRIPTION,
      COMMENT,
      ...[...TASKS, ...PROJECTS].flatMap((each) =>
        Object.entries(each).flatMap(([field, text]) => (WRITTEN.includes(field) ? [text] : [])),
      ),
      ...SUBTASKS,
    ],
  }
}

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
const SUBTASKS = ['Lay the floor', 'Put up the frame'] as const
const PROJECTS = [
  { name: 'Move the office', status: 'on_hold', due_date: '2026-05-29' },
  { name: 'Tax return', status: 'completed', color: '#78787d' },
] as const

/** A project in the middle of its life, and others beside it. */
export async function fillProjects(actor: Actor) {
  const garden = await createProject(actor, {
    name: 'Garden',
    description: 'Beds, a greenhouse, and somewhere to sit.',
    color: '#2f8f5b',
    status: 'in_progress',
    due_date: '2026-04-30',
    is_tracked: true,
  })
  const ids: number[] = []
  for (const fields of TASKS) ids.push((await createTask(actor, garden.id, fields)).id)
  const task = ids[2] ?? 0
  for (const title of SUBTASKS) await createTask(actor, garden.id, { title, parent_task_id: task })
  const body = 'The frame comes on Thursday.\nSomebody has to be there.'
  await send(actor, 'POST', `/${garden.id}/tasks/${task}/comments`, { body })
  for (const project of PROJECTS) await createProject(actor, project)
  return {
    project: garden.id,
    task,
    names: ['Garden', ...TASKS.map(({ title }) => title), ...SUBTASKS, ...PROJECTS.map(({ name }) => name)],
  }
}

import { Type } from '@sinclair/typebox'
import { NewTask, TaskChanges } from '../../features/tasks/tasks/model'
import {
  changeTask,
  createTask,
  deleteTask,
  pageTasksById,
  type TaskPath,
} from '../../features/tasks/tasks/service'
import { notFound } from '../../lib/errors'
import { MAX_ID } from '../../lib/wire/id'
import type { Assistant } from '../assistant'
import { taskItem } from '../items/views'
import { kindOfRecord, NO_FIELDS } from './kinds'

const NewTaskInProject = Type.Object({
  project_id: Type.Integer({ minimum: 1, maximum: MAX_ID, description: 'Of a project.' }),
  ...NewTask.properties,
})

/** @throws {AppError} 404. */
async function findTask({ deps, session }: Assistant, id: number) {
  const [task] = await pageTasksById(deps, session.userId, { ids: [id] })
  if (!task) throw notFound('Task')
  return task
}

const pathOf = async (assistant: Assistant, id: number): Promise<TaskPath> => ({
  session: assistant.session,
  projectId: (await findTask(assistant, id)).project_id,
  taskId: id,
})

/** Tasks of projects. */
export const taskRecords = kindOfRecord({
  area: 'tasks',
  newFields: NewTaskInProject,
  changedFields: TaskChanges,
  deletedFields: NO_FIELDS,
  create: async ({ deps, session }, { project_id: projectId, ...fields }) =>
    taskItem(await createTask(deps, { session, projectId }, fields)),
  change: async (assistant, { id, expected }, changes) =>
    taskItem(await changeTask(assistant.deps, await pathOf(assistant, id), expected, changes)),
  remove: async (assistant, { id, expected }) =>
    deleteTask(assistant.deps, await pathOf(assistant, id), expected),
  read: async (assistant, id) => taskItem(await findTask(assistant, id)),
})

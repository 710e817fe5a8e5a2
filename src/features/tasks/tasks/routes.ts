import { Elysia, t } from 'elysia'
import type { Deps } from '../../../deps'
import { ErrorBody } from '../../../http/errors'
import type { Again } from '../../../http/admission'
import type { SessionGuard } from '../../../http/session-guard'
import { expectedVersions, IfMatch, tagged } from '../../../http/versions'
import { readId } from '../../../lib/wire/id'
import { HistoryQuery } from '../../../lib/wire/page'
import { checked, pathId } from '../../../lib/wire/schema'
import {
  NewTask,
  ReorderedTasks,
  TaskChanges,
  TaskHistory,
  TaskOrder,
  TasksPage,
  TasksQuery,
  TaskView,
  TrackedTasksPage,
  TrackedTasksQuery,
} from './model'
import * as tasks from './service'

const path = { id: pathId('Of the project.') }
const TasksPath = t.Object(path)
const TaskPath = t.Object({ ...path, task_id: pathId('Of the task or subtask.') })

type CallerSession = tasks.ProjectPath['session']

/** @throws {AppError} 404. */
const readProjectPath = (session: CallerSession, { id }: typeof TasksPath.static): tasks.ProjectPath => ({
  session,
  projectId: readId(id, 'Project'),
})

/** @throws {AppError} 404. */
const readTaskPath = (session: CallerSession, params: typeof TaskPath.static): tasks.TaskPath => ({
  ...readProjectPath(session, params),
  taskId: readId(params.task_id, 'Task'),
})

export const taskRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'tasks.routes', prefix: '/api/projects', tags: ['Tasks'] })
    .use(guard)
    .get('/tracked-tasks', ({ session, query }) => tasks.listTrackedTasks(deps, session, query), {
      session: { scope: 'tasks:read', settings: true },
      query: TrackedTasksQuery,
      response: { 200: TrackedTasksPage },
      detail: {
        operationId: 'listTrackedTasks',
        summary: 'List what is due in tracked projects',
        description: 'Open tasks and subtasks that are overdue or due soon, by due date.',
      },
    })
    .get(
      '/:id/tasks',
      ({ session, params, query }) => tasks.listTasks(deps, readProjectPath(session, params), query),
      {
        session: { scope: 'tasks:read' },
        params: TasksPath,
        query: TasksQuery,
        response: { 200: TasksPage, 404: ErrorBody },
        detail: {
          operationId: 'listTasks',
          summary: 'List the tasks of a project',
          description:
            'Pages of top-level tasks by position, each with its first 50 subtasks, or pages of the subtasks of one task. A page ends before its limit if its texts would exceed 8 MiB.',
        },
      },
    )
    .post(
      '/:id/tasks',
      async ({ session, params, body, set, status }) =>
        status(201, tagged(set, await tasks.createTask(deps, readProjectPath(session, params), body))),
      {
        session: { scope: 'tasks:write' },
        params: TasksPath,
        body: NewTask,
        response: { 201: TaskView, 404: ErrorBody, 409: ErrorBody },
        detail: {
          operationId: 'createTask',
          summary: 'Add a task or a subtask',
          description: 'Adds it after its siblings unless a `position` is given.',
        },
      },
    )
    .put(
      '/:id/tasks/reorder',
      ({ session, params, body }) => tasks.reorderTasks(deps, readProjectPath(session, params), body),
      {
        session: {
          scope: 'tasks:write',
          readAgain: ({ session, params: { id = '' }, body }: Again) =>
            tasks.listReordered(deps, readProjectPath(session, { id }), checked(TaskOrder, body)),
        },
        params: TasksPath,
        body: TaskOrder,
        response: { 200: ReorderedTasks, 404: ErrorBody, 409: ErrorBody },
        detail: {
          operationId: 'reorderTasks',
          summary: 'Put siblings into a new order',
          description:
            'The list must contain all subtasks of `parent_task_id`, or without it all top-level tasks. Their versions do not change.',
        },
      },
    )
    .get(
      '/:id/tasks/:task_id',
      async ({ session, params, set }) =>
        tagged(set, await tasks.readTask(deps, readTaskPath(session, params))),
      {
        session: { scope: 'tasks:read' },
        params: TaskPath,
        response: { 200: TaskView, 404: ErrorBody },
        detail: { operationId: 'getTask', summary: 'Read a task' },
      },
    )
    .get(
      '/:id/tasks/:task_id/history',
      ({ session, params, query }) => tasks.listTaskVersions(deps, readTaskPath(session, params), query),
      {
        session: { scope: 'tasks:read' },
        params: TaskPath,
        query: HistoryQuery,
        response: { 200: TaskHistory, 404: ErrorBody },
        detail: {
          operationId: 'listTaskVersions',
          summary: 'List the versions of a task',
          description:
            'Newest first, with the record as it was. Former versions are kept for 30 days or as `HISTORY_DAYS` says. The `position` and `comment_count` are those of now.',
        },
      },
    )
    .put(
      '/:id/tasks/:task_id',
      async ({ session, params, headers, body, set }) => {
        const target = readTaskPath(session, params)
        return tagged(set, await tasks.changeTask(deps, target, expectedVersions(headers), body))
      },
      {
        session: { scope: 'tasks:write' },
        params: TaskPath,
        headers: IfMatch,
        body: TaskChanges,
        response: { 200: TaskView, 404: ErrorBody, 409: ErrorBody, 412: ErrorBody },
        detail: {
          operationId: 'changeTask',
          summary: 'Change a task',
          description:
            'Changes the given fields. `parent_task_id` moves the task below another one, or with null to the top level, where it comes last unless a `position` is given.',
        },
      },
    )
    .delete(
      '/:id/tasks/:task_id',
      async ({ session, params, headers, status }) => {
        await tasks.deleteTask(deps, readTaskPath(session, params), expectedVersions(headers))
        return status(204, undefined)
      },
      {
        session: { scope: 'tasks:write' },
        params: TaskPath,
        headers: IfMatch,
        response: { 204: t.Void(), 404: ErrorBody, 412: ErrorBody },
        detail: {
          operationId: 'deleteTask',
          summary: 'Delete a task',
          description: 'Also deletes its subtasks and comments.',
        },
      },
    )

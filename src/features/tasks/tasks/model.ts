import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { MAX_ID } from '../../../lib/wire/id'
import { historyPage, pageQuery } from '../../../lib/wire/page'
import {
  day,
  line,
  listPosition,
  optionalNullable,
  paragraphs,
  queryInteger,
  rank,
} from '../../../lib/wire/schema'
import { priority } from '../todos/model'

const status = (options = {}) =>
  t.Union([t.Literal('pending'), t.Literal('in_progress'), t.Literal('completed')], options)

const parent = () =>
  optionalNullable(
    Type.Integer({ minimum: 1, maximum: MAX_ID, description: 'A top-level task of the same project.' }),
  )
const fields = {
  parent_task_id: parent(),
  description: optionalNullable(paragraphs({ min: 0, max: 10_000 })),
  status: t.Optional(status({ description: '`pending` by default.' })),
  priority: t.Optional(priority({ description: '`none` by default.' })),
  due_date: optionalNullable(day()),
  position: listPosition(),
}
const title = () => line({ max: 200 })

const views = {
  id: Type.Integer(),
  project_id: Type.Integer(),
  parent_task_id: t.Nullable(Type.Integer()),
  title: t.String(),
  description: t.Nullable(t.String()),
  status: status(),
  priority: priority(),
  due_date: t.Nullable(t.String({ format: 'date' })),
  position: Type.Integer({ description: 'Among its siblings, from 1.' }),
  rank: rank(),
  comment_count: Type.Integer(),
  version: Type.Integer({
    description: 'Increases with every change, but not when others move past it; for `If-Match`.',
  }),
  created_at: t.String({ format: 'date-time' }),
  updated_at: t.String({ format: 'date-time' }),
}

export const SubtaskView = t.Object(views, { title: 'Subtask' })
export type SubtaskView = typeof SubtaskView.static

export const TaskView = t.Object(
  {
    ...views,
    subtasks: t.Array(SubtaskView, { description: 'The first 50 by position.' }),
    subtasks_next_cursor: t.Nullable(
      t.String({
        description:
          'Continues in the list with this task as `parent_task_id`; null if there are no more subtasks.',
      }),
    ),
  },
  { title: 'Task' },
)
export type TaskView = typeof TaskView.static

export const TrackedTaskView = t.Object({ ...views, project_name: t.String() }, { title: 'TrackedTask' })

export const TasksQuery = t.Object({
  parent_task_id: t.Optional(
    queryInteger(1, MAX_ID, 'The subtasks of this task instead of the top-level tasks.'),
  ),
  ...pageQuery,
})
export type TasksQuery = typeof TasksQuery.static

export const TrackedTasksQuery = t.Object({
  days: t.Optional(queryInteger(1, 366, 'Due today or within this many days after; 7 by default.')),
  ...pageQuery,
})
export type TrackedTasksQuery = typeof TrackedTasksQuery.static

const next_cursor = t.Nullable(t.String())

export const TaskHistory = historyPage(SubtaskView)
export type TaskHistory = typeof TaskHistory.static

export const TasksPage = t.Object({ tasks: t.Array(TaskView), next_cursor })
export type TasksPage = typeof TasksPage.static

export const TrackedTasksPage = t.Object({ tasks: t.Array(TrackedTaskView), next_cursor })
export type TrackedTasksPage = typeof TrackedTasksPage.static

export const ReorderedTasks = t.Object({
  tasks: t.Array(TaskView),
  next_cursor: t.Nullable(
    t.String({ description: 'Continues in the task list, if the texts of all tasks exceed 8 MiB.' }),
  ),
})

export const NewTask = t.Object({ title: title(), ...fields })
export type NewTask = typeof NewTask.static

export const TaskChanges = t.Object({ title: t.Optional(title()), ...fields })
export type TaskChanges = typeof TaskChanges.static

export const TaskOrder = t.Object({
  parent_task_id: parent(),
  task_ids: t.Array(Type.Integer(), {
    description: 'All subtasks of the parent, or all top-level tasks of the project, in their new order.',
  }),
})
export type TaskOrder = typeof TaskOrder.static

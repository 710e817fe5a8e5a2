import type { PlacedCommentView } from '../../features/tasks/comments/model'
import type { NewProject, ProjectChanges, ProjectView } from '../../features/tasks/projects/model'
import type { NewTask, SubtaskView, TaskChanges } from '../../features/tasks/tasks/model'
import { pathOf } from '../api/call'
import { change, creation, deletion, type Intent, localId } from '../store/commands'
import { now } from '../time/now'
import { placed, type TaskPlace } from './order'

/** The service puts what is new at the end. */
const LAST = Number.MAX_SAFE_INTEGER

/** What every new record has, until the service says otherwise. */
const made = () => ({
  id: localId(),
  created_at: now().toString(),
  updated_at: now().toString(),
})
const ranked = () => ({ ...made(), version: 0, position: LAST, rank: String(LAST) })

const projectName = ({ id }: ProjectView) => ({ kind: 'project' as const, id })
const projectPath = ({ id }: ProjectView) => pathOf`projects/${id}`

/** Makes a project; `item` is how it shows meanwhile. */
export function creatingProject(body: NewProject, said: string): { item: ProjectView; intent: Intent } {
  const item: ProjectView = {
    description: null,
    color: null,
    status: 'not_started',
    due_date: null,
    is_tracked: false,
    task_count: 0,
    completed_task_count: 0,
    ...body,
    ...ranked(),
  }
  return {
    item,
    intent: creation({ kind: 'project', item }, 'projects', { ...body }, { said, lane: 'projects' }),
  }
}

export const changingProject = (opened: ProjectView, fields: ProjectChanges, said: string): Intent =>
  change(projectName(opened), projectPath(opened), fields, { said, opened })

export const deletingProject = (project: ProjectView, said: string): Intent =>
  deletion(projectName(project), projectPath(project), { said })

const taskName = ({ id }: SubtaskView) => ({ kind: 'task' as const, id })
const taskPath = ({ id, project_id: project }: SubtaskView) => pathOf`projects/${project}/tasks/${id}`

/** Adds a task, or a subtask of `parent_task_id`. */
export function creatingTask(
  projectId: number,
  body: NewTask,
  said: string,
): { item: SubtaskView; intent: Intent } {
  const item: SubtaskView = {
    project_id: projectId,
    parent_task_id: null,
    description: null,
    status: 'pending',
    priority: 'none',
    due_date: null,
    comment_count: 0,
    ...body,
    ...ranked(),
  }
  const path = pathOf`projects/${projectId}/tasks`
  return {
    item,
    intent: creation({ kind: 'task', item, parentId: projectId }, path, { ...body }, { said, lane: path }),
  }
}

export const changingTask = (opened: SubtaskView, fields: TaskChanges, said: string): Intent =>
  change(taskName(opened), taskPath(opened), fields, { said, opened })

export const deletingTask = (task: SubtaskView, said: string): Intent =>
  deletion(taskName(task), taskPath(task), { said })

interface TaskMove {
  readonly task: SubtaskView
  readonly place: TaskPlace
  /** Those among which it comes to stand, in their order. */
  readonly siblings: readonly SubtaskView[]
  readonly status?: SubtaskView['status'] | undefined
}

/** Gives a task another status or another parent, and its place there, in one write. Of two moves the last one holds. */
export function movingTask({ task, place, siblings, status = task.status }: TaskMove, said: string): Intent {
  const isElsewhere = place.parentId !== task.parent_task_id
  const fields = {
    ...(status !== task.status && { status }),
    ...(isElsewhere && { parent_task_id: place.parentId }),
  }
  const { rank } = placed(siblings, task, place.index)
  return {
    said,
    apply: [
      { ...taskName(task), is: 'patch', fields },
      { ...taskName(task), is: 'patch', fields: { rank } },
    ],
    request: { method: 'PUT', path: taskPath(task), body: { ...fields, position: place.index + 1 } },
    guard: taskName(task),
  }
}

const commentPath = ({ project_id: project, task_id: task, id }: PlacedCommentView) =>
  pathOf`projects/${project}/tasks/${task}/comments/${id}`

interface Author {
  readonly id: number
  readonly networkName: string
}

export function creatingComment(task: SubtaskView, author: Author, body: string, said: string): Intent {
  const item: PlacedCommentView = {
    ...made(),
    project_id: task.project_id,
    task_id: task.id,
    body,
    author_id: author.id,
    author_network_name: author.networkName,
  }
  const path = pathOf`projects/${task.project_id}/tasks/${task.id}/comments`
  return creation({ kind: 'comment', item, parentId: task.id }, path, { body }, { said, lane: path })
}

/** A comment has no version: the last change holds. */
export const changingComment = (comment: PlacedCommentView, body: string, said: string): Intent => ({
  said,
  apply: [{ kind: 'comment', id: comment.id, is: 'patch', fields: { body } }],
  request: { method: 'PUT', path: commentPath(comment), body: { body } },
})

export const deletingComment = (comment: PlacedCommentView, said: string): Intent => ({
  said,
  apply: [{ kind: 'comment', id: comment.id, is: 'delete' }],
  request: { method: 'DELETE', path: commentPath(comment) },
})

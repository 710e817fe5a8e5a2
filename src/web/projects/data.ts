import { useCallback, useMemo } from 'react'
import type { PlacedCommentView } from '../../features/tasks/comments/model'
import type { ProjectView } from '../../features/tasks/projects/model'
import type { SubtaskView } from '../../features/tasks/tasks/model'
import type { Refusal } from '../api/refusal'
import type { ListItem } from '../parts/list-item'
import type { Loading } from '../store/loader'
import { byAge, inOrder } from '../store/ranks'
import { useKeys, useRecords, useStore } from '../store/use-store'
import { useToday } from '../time/use-now'

/** Records, and how far they are read. */
export interface KnownRecords<T> {
  readonly items: readonly T[]
  /** Whether all of them are there. */
  readonly isWhole: boolean
  /** Why the last reading failed; what was read before still shows. */
  readonly refusal: Refusal | undefined
}

function known<T>(items: readonly T[], ...loadings: readonly Loading[]): KnownRecords<T> {
  const refused = loadings.find((loading) => loading.is === 'refused')
  return { items, isWhole: loadings.every(({ is }) => is === 'loaded'), refusal: refused?.refusal }
}

/** The projects in their order. */
export function useProjects(): KnownRecords<ProjectView> {
  const { items, loading } = useRecords('project')
  return known(
    useMemo(() => inOrder(items), [items]),
    loading,
  )
}

/** All tasks in the order of their siblings, without those whose project or task is gone. */
function useTasks(): KnownRecords<SubtaskView> {
  const projects = useRecords('project')
  const { items, loading } = useRecords('task')
  const present = useMemo(() => {
    const [ids, tops] = [new Set(projects.items.map(({ id }) => id)), new Set(items.map(({ id }) => id))]
    const isThere = ({ project_id: project, parent_task_id: parent }: SubtaskView) =>
      ids.has(project) && (parent === null || tops.has(parent))
    return inOrder(items.filter(isThere))
  }, [projects.items, items])
  return known(present, projects.loading, loading)
}

/** The tasks and subtasks of one project in the order of their siblings. */
export function useTasksOf(projectId: number): KnownRecords<SubtaskView> {
  const tasks = useTasks()
  const items = useMemo(
    () => tasks.items.filter(({ project_id: id }) => id === projectId),
    [tasks.items, projectId],
  )
  return { ...tasks, items }
}

/** How much of something is done. */
export interface Progress {
  readonly done: number
  readonly total: number
}

export const isDone = ({ status }: Pick<SubtaskView, 'status'>): boolean => status === 'completed'

/** Every figure of done tasks comes from here (contract: web.projects); subtasks count as tasks. */
export const progressOf = (tasks: readonly SubtaskView[]): Progress => ({
  done: tasks.filter(isDone).length,
  total: tasks.length,
})

/** The progress of all projects, by their ids. */
export function useProgress(): ReadonlyMap<number, Progress> {
  const { items } = useTasks()
  return useMemo(() => {
    const byProject = Map.groupBy(items, ({ project_id: id }) => id)
    return new Map([...byProject].map(([id, tasks]) => [id, progressOf(tasks)]))
  }, [items])
}

/** The comments on one task, oldest first. */
export function useCommentsOn(taskId: number): KnownRecords<PlacedCommentView> {
  const { items, loading } = useRecords('comment')
  const comments = useMemo(
    () => items.filter(({ task_id: task }) => task === taskId).toSorted(oldestFirst),
    [items, taskId],
  )
  return known(comments, loading)
}

const oldestFirst = (one: PlacedCommentView, other: PlacedCommentView): number =>
  Temporal.Instant.compare(one.created_at, other.created_at) || one.id - other.id

/** How many comments each task has, by its id. */
export function useCommentCounts(): ReadonlyMap<number, number> {
  const { items } = useRecords('comment')
  return useMemo(() => {
    const counts = new Map<number, number>()
    for (const { task_id: task } of items) counts.set(task, (counts.get(task) ?? 0) + 1)
    return counts
  }, [items])
}

/** How far ahead a tracked project says what is due. */
const TRACKED_DAYS = 7

interface TaskItem extends ListItem {
  readonly task: SubtaskView
}

/** Open tasks of tracked projects that are overdue or due soon, by their day; those that were ticked here stay. */
export function useTrackedTasks(ticked: ReadonlySet<string>): readonly TaskItem[] {
  const keyOf = useKeys('task')
  const { items: projects } = useRecords('project')
  const tasks = useTasks()
  const until = useToday().add({ days: TRACKED_DAYS }).toString()
  return useMemo(() => {
    const tracked = new Set(projects.flatMap(({ id, is_tracked: isTracked }) => (isTracked ? [id] : [])))
    const isOpen = (task: SubtaskView) => !isDone(task) || ticked.has(keyOf(task.id))
    const isDue = (task: SubtaskView) =>
      tracked.has(task.project_id) && isOpen(task) && task.due_date !== null && task.due_date <= until
    return tasks.items
      .filter(isDue)
      .toSorted(byDay)
      .map((task) => ({ key: keyOf(task.id), task }))
  }, [projects, tasks.items, until, ticked, keyOf])
}

const byDay = (one: SubtaskView, other: SubtaskView): number =>
  (one.due_date ?? '').localeCompare(other.due_date ?? '') || byAge(one, other)

/** Returns a function that reads again what could not be read. */
export function useRereading(): () => void {
  const { loader } = useStore()
  return useCallback(() => loader.retry(), [loader])
}

import { useCallback } from 'react'
import type { ProjectsPage, ProjectView } from '../../features/tasks/projects/model'
import type { SubtaskView, TasksPage } from '../../features/tasks/tasks/model'
import { call, pathOf, queryOf } from '../api/call'
import type { Intent } from '../store/commands'
import { MOST_ON_A_PAGE, type OrderMove, useWholeOrder } from '../store/use-whole-order'
import { placed } from './order'

/** A list whose order is written as a whole. */
interface WholeOrder extends Pick<OrderMove, 'read'> {
  readonly kind: 'project' | 'task'
  /** What the service calls the list. */
  readonly list: 'projects' | 'tasks'
  readonly path: string
  readonly bodyOf: (ids: readonly number[]) => Readonly<Record<string, unknown>>
}

const PROJECTS: WholeOrder = {
  kind: 'project',
  list: 'projects',
  path: 'projects/reorder',
  bodyOf: (ids) => ({ project_ids: ids }),
  read: async (cursor) => {
    const { body } = await call<ProjectsPage>('GET', `projects${queryOf({ limit: MOST_ON_A_PAGE, cursor })}`)
    return { items: body.projects, next: body.next_cursor }
  },
}

const tasksOf = (project: number, parent: number | null): WholeOrder => ({
  kind: 'task',
  list: 'tasks',
  path: pathOf`projects/${project}/tasks/reorder`,
  bodyOf: (ids) => ({ parent_task_id: parent, task_ids: ids }),
  read: async (cursor) => {
    const query = queryOf({ parent_task_id: parent ?? undefined, limit: MOST_ON_A_PAGE, cursor })
    const { body } = await call<TasksPage>('GET', `${pathOf`projects/${project}/tasks`}${query}`)
    return { items: body.tasks, next: body.next_cursor }
  },
})

interface Move<T> {
  readonly moved: T
  readonly siblings: readonly T[]
  /** Its new place, counted from 0 without it. */
  readonly index: number
  readonly said: string
}
type AnyMove = Move<ProjectView | SubtaskView>

const ordering = (
  order: WholeOrder,
  { moved, siblings, index, said }: AnyMove,
  ids: readonly number[],
): Intent => ({
  said,
  apply: [
    { kind: order.kind, id: moved.id, is: 'patch', fields: { rank: placed(siblings, moved, index).rank } },
  ],
  request: {
    method: 'PUT',
    path: order.path,
    body: order.bodyOf(ids),
    answers: { kind: order.kind, list: order.list },
  },
  lane: order.path,
})

/** The ids with the moved one below the one that it was put below; undefined when it is not among them any more. */
function movedIn(ids: readonly number[], { moved, siblings, index }: AnyMove) {
  if (!ids.includes(moved.id)) return undefined
  const others = ids.filter((id) => id !== moved.id)
  const above = siblings.filter(({ id }) => id !== moved.id)[index - 1]
  const after = above === undefined ? -1 : others.indexOf(above.id)
  return others.toSpliced(index > 0 && after < 0 ? index : after + 1, 0, moved.id)
}

function useOrdering() {
  const put = useWholeOrder()
  return useCallback(
    (order: WholeOrder, move: AnyMove) =>
      put({
        ids: move.siblings.map(({ id }) => id),
        intent: (ids) => {
          const moved = movedIn(ids, move)
          return moved && ordering(order, move, moved)
        },
        read: order.read,
      }),
    [put],
  )
}

/** Moves a project among all of them. */
export function useProjectOrdering() {
  const put = useOrdering()
  return useCallback((move: Move<ProjectView>) => put(PROJECTS, move), [put])
}

/** Moves a task among its siblings. */
export function useTaskOrdering() {
  const put = useOrdering()
  return useCallback(
    (move: Move<SubtaskView>) => {
      const { project_id: project, parent_task_id: parent } = move.moved
      put(tasksOf(project, parent), move)
    },
    [put],
  )
}

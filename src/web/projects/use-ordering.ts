import { useCallback } from 'react'
import type { ProjectsPage, ProjectView } from '../../features/tasks/projects/model'
import type { SubtaskView, TasksPage } from '../../features/tasks/tasks/model'
import { call, pathOf, queryOf } from '../api/call'
import { announce } from '../parts/messages-store'
import type { Intent } from '../store/commands'
import { useStore } from '../store/use-store'
import { placed } from './order'

/** A list whose order is written as a whole. */
interface WholeOrder {
  readonly kind: 'project' | 'task'
  /** What the service calls the list. */
  readonly list: 'projects' | 'tasks'
  readonly path: string
  readonly bodyOf: (ids: readonly number[]) => Readonly<Record<string, unknown>>
  /** One page of the list as the service has it. */
  readonly read: (cursor: string | undefined) => Promise<OrderedPage>
}

interface OrderedPage {
  readonly ids: readonly number[]
  readonly next: string | null
}

const idsOf = (records: ReadonlyArray<{ readonly id: number }>) => records.map(({ id }) => id)
const MOST_ON_A_PAGE = 200

const PROJECTS: WholeOrder = {
  kind: 'project',
  list: 'projects',
  path: 'projects/reorder',
  bodyOf: (ids) => ({ project_ids: ids }),
  read: async (cursor) => {
    const { body } = await call<ProjectsPage>('GET', `projects${queryOf({ limit: MOST_ON_A_PAGE, cursor })}`)
    return { ids: idsOf(body.projects), next: body.next_cursor }
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
    return { ids: idsOf(body.tasks), next: body.next_cursor }
  },
})

async function readIds({ read }: WholeOrder): Promise<number[]> {
  const ids: number[] = []
  let cursor: string | undefined
  for (;;) {
    const page = await read(cursor)
    ids.push(...page.ids)
    if (page.next === null) return ids
    cursor = page.next
  }
}

interface Move<T> {
  readonly moved: T
  readonly siblings: readonly T[]
  /** Its new place, counted from 0 without it. */
  readonly index: number
  readonly said: string
}

/** A list that differs from the service's is refused with it. */
const OUT_OF_DATE = 409

function ordering<T extends ProjectView | SubtaskView>(
  order: WholeOrder,
  move: Move<T>,
  ids: readonly number[],
): Intent {
  const { rank } = placed<ProjectView | SubtaskView>(move.siblings, move.moved, move.index)
  return {
    said: move.said,
    apply: [{ kind: order.kind, id: move.moved.id, is: 'patch', fields: { rank } }],
    request: {
      method: 'PUT',
      path: order.path,
      body: order.bodyOf(ids),
      answers: { kind: order.kind, list: order.list },
    },
    lane: order.path,
  }
}

/** The same move in the list as the service has it; undefined when the record is not in it any more. */
function moveAgain({ moved, siblings, index }: Move<ProjectView | SubtaskView>, now: readonly number[]) {
  if (!now.includes(moved.id)) return undefined
  const others = now.filter((id) => id !== moved.id)
  const above = siblings.filter(({ id }) => id !== moved.id)[index - 1]
  const after = above === undefined ? -1 : others.indexOf(above.id)
  return others.toSpliced(index > 0 && after < 0 ? index : after + 1, 0, moved.id)
}

/** Writes a new order and says so. Where the list has changed meanwhile, it is read and the move made once more (contract: web.orders). */
function useOrdering() {
  const store = useStore()
  return useCallback(
    async <T extends ProjectView | SubtaskView>(order: WholeOrder, move: Move<T>) => {
      const { ids } = placed<ProjectView | SubtaskView>(move.siblings, move.moved, move.index)
      let run = store.run({ ...ordering(order, move, ids), quietAt: OUT_OF_DATE })
      announce({ text: move.said, undo: () => void store.undo(run.id) })
      const outcome = await run.done
      if (outcome.is !== 'refused' || outcome.refusal.status !== OUT_OF_DATE) return
      const again = moveAgain(move, await readIds(order))
      if (again) run = store.run(ordering(order, move, again))
    },
    [store],
  )
}

/** Moves a project among all of them. */
export function useProjectOrdering() {
  const put = useOrdering()
  return useCallback((move: Move<ProjectView>) => void put(PROJECTS, move), [put])
}

/** Moves a task among its siblings. */
export function useTaskOrdering() {
  const put = useOrdering()
  return useCallback(
    (move: Move<SubtaskView>) => {
      const { project_id: project, parent_task_id: parent } = move.moved
      void put(tasksOf(project, parent), move)
    },
    [put],
  )
}

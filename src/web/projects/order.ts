import type { SubtaskView } from '../../features/tasks/tasks/model'
import { rankBetween } from '../store/ranks'

interface Ranked {
  readonly id: number
  readonly rank: string
  readonly created_at: string
}

/** The others of a list with a record at its new place among them, counted from 0. */
export function placed<T extends Ranked>(
  siblings: readonly T[],
  moved: T,
  index: number,
): { readonly ids: readonly number[]; readonly rank: string } {
  const others = siblings.filter(({ id }) => id !== moved.id)
  const ids = others.map(({ id }) => id).toSpliced(index, 0, moved.id)
  return { ids, rank: rankBetween(others[index - 1]?.rank, others[index]?.rank) }
}

/** A task in a list in which subtasks follow their task. */
export interface TaskRow {
  readonly key: string
  readonly task: SubtaskView
  /** The task of a subtask. */
  readonly parent: SubtaskView | undefined
  /** Whether it is the first or the last one among its siblings. */
  readonly isFirst: boolean
  readonly isLast: boolean
}

/** A place of a task: the task that it belongs to, and where it stands among its siblings, counted from 0 without it. */
export interface TaskPlace {
  readonly parentId: number | null
  readonly index: number
}

/** The tasks of a project in their order, each followed by its subtasks. */
export function rowsOf(tasks: readonly SubtaskView[], keyOf: (id: number) => string): readonly TaskRow[] {
  const byParent = Map.groupBy(tasks, ({ parent_task_id: parent }) => parent)
  const rowsBelow = (parent: SubtaskView | undefined): TaskRow[] => {
    const siblings = byParent.get(parent?.id ?? null) ?? []
    return siblings.flatMap((task, index) => [
      { key: keyOf(task.id), task, parent, isFirst: index === 0, isLast: index === siblings.length - 1 },
      ...(parent ? [] : rowsBelow(task)),
    ])
  }
  return rowsBelow(undefined)
}

/**
 * Where a row goes that is put at another place of the whole list, counted from 0 without it; undefined where it cannot go. A
 * step goes past one sibling, however many subtasks that has; a subtask may go on to the task above or below.
 */
export function placeAt(
  rows: readonly TaskRow[],
  { task, parent }: TaskRow,
  to: number,
): TaskPlace | undefined {
  const from = rows.findIndex((row) => row.task.id === task.id)
  const above = rows.toSpliced(from, 1).slice(0, to)
  const isSibling = (row: TaskRow, parentId: number | null) => row.task.parent_task_id === parentId
  if (!parent) {
    const before = rows.slice(0, from).filter((row) => !row.parent).length
    const count = rows.filter((row) => !row.parent).length
    const step = Math.abs(to - from) === 1 ? to - from : undefined
    const index = step === undefined ? above.filter((row) => !row.parent).length : before + step
    return index === before || index < 0 || index >= count ? undefined : { parentId: null, index }
  }
  const last = above.at(-1)?.task
  if (!last) return undefined
  const parentId = last.parent_task_id ?? last.id
  return { parentId, index: above.filter((row) => isSibling(row, parentId)).length }
}

/**
 * The place among all siblings of a task that comes to stand between two of them, as in a column of the board, which has only
 * some; where it has no neighbours it keeps its place.
 */
export function indexBetween(
  siblings: readonly SubtaskView[],
  moved: SubtaskView,
  { above, below }: { readonly above: number | undefined; readonly below: number | undefined },
): number {
  const others = siblings.filter(({ id }) => id !== moved.id)
  const placeOf = (id: number | undefined) => others.findIndex((task) => task.id === id)
  if (above !== undefined) return placeOf(above) + 1
  if (below !== undefined) return placeOf(below)
  return siblings.findIndex(({ id }) => id === moved.id)
}

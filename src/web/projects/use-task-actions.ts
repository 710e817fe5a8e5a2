import { useMemo } from 'react'
import type { SubtaskView } from '../../features/tasks/tasks/model'
import { useMessages } from '../messages/language'
import type { MenuAction } from '../parts/Menu'
import { useWriting } from '../store/use-writing'
import { movingTask } from './intents'
import { byRank, type TaskPlace } from './order'
import { projectTexts, valueTexts } from './texts'
import { useDeleting } from './use-deleting'
import { useTaskOrdering } from './use-ordering'
import { useToggling } from './use-toggling'

/** What one can do with a task of a list. */
export interface TaskActions {
  readonly open: (task: SubtaskView) => void
  readonly toggle: (task: SubtaskView) => void
  readonly chooseMove: (task: SubtaskView) => void
  /** Up or down among its siblings. */
  readonly step: (task: SubtaskView, by: -1 | 1) => void
  readonly remove: (task: SubtaskView) => void
}

export type TaskStatus = SubtaskView['status']

/** Returns a function that puts a task at a place, maybe with another status, and says where it stands then. */
export function usePutting(tasks: readonly SubtaskView[]) {
  const m = useMessages(projectTexts)
  const values = useMessages(valueTexts)
  const write = useWriting()
  const order = useTaskOrdering()
  return useMemo(
    () =>
      (task: SubtaskView, place: TaskPlace, status: TaskStatus = task.status) => {
        const siblings = tasks
          .filter(({ parent_task_id: parent }) => parent === place.parentId)
          .toSorted(byRank)
        const { index } = place
        const isSibling = place.parentId === task.parent_task_id
        const count = siblings.length + Number(!isSibling)
        if (!isSibling || status !== task.status) {
          const said =
            status === task.status
              ? m.moved(task.title, index + 1, count)
              : m.movedTo(task.title, values[status])
          return void write(movingTask({ task, place, siblings, status }, said))
        }
        if (siblings.findIndex(({ id }) => id === task.id) === index) return
        order({ moved: task, siblings, index, said: m.moved(task.title, index + 1, count) })
      },
    [m, values, write, order, tasks],
  )
}

interface TaskHandling {
  readonly tasks: readonly SubtaskView[]
  readonly open: (task: SubtaskView) => void
  readonly chooseMove: (task: SubtaskView) => void
}

export function useTaskActions({ tasks, open, chooseMove }: TaskHandling): TaskActions {
  const toggle = useToggling()
  const { deleteTask } = useDeleting()
  const put = usePutting(tasks)
  return useMemo(
    () => ({
      open,
      toggle,
      chooseMove,
      step: (task, by) => {
        const parentId = task.parent_task_id
        const siblings = tasks.filter(({ parent_task_id: parent }) => parent === parentId)
        const index = siblings.findIndex(({ id }) => id === task.id) + by
        if (index >= 0 && index < siblings.length) put(task, { parentId, index })
      },
      remove: deleteTask,
    }),
    [open, toggle, chooseMove, tasks, put, deleteTask],
  )
}

/** The menu of a task. */
export function useTaskMenu(
  task: SubtaskView,
  actions: TaskActions,
  { isFirst, isLast }: { readonly isFirst: boolean; readonly isLast: boolean },
): readonly MenuAction[] {
  const m = useMessages(projectTexts)
  return useMemo(
    () => [
      { id: 'edit', label: m.edit, icon: 'edit', run: () => actions.open(task) },
      { id: 'up', label: m.up, icon: 'chevron-up', isDisabled: isFirst, run: () => actions.step(task, -1) },
      {
        id: 'down',
        label: m.down,
        icon: 'chevron-down',
        isDisabled: isLast,
        run: () => actions.step(task, 1),
      },
      { id: 'move', label: m.moveTo, icon: 'grip', run: () => actions.chooseMove(task) },
      { id: 'delete', label: m.delete, icon: 'delete', isDangerous: true, run: () => actions.remove(task) },
    ],
    [m, task, actions, isFirst, isLast],
  )
}

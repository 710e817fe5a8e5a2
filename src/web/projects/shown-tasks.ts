import type { SubtaskView } from '../../features/tasks/tasks/model'
import type { TaskActions } from './use-task-actions'

/** What a list and a board show. */
export interface ProjectTasksProps {
  /** Of one project, in the order of their siblings. */
  readonly tasks: readonly SubtaskView[]
  /** The task that stands beside it. */
  readonly opened: number | undefined
  readonly addressOf: (task: SubtaskView) => string
  readonly actions: TaskActions
}

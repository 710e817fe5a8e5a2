import type { SubtaskView } from '../../features/tasks/tasks/model'
import { useMessages } from '../messages/language'
import { Icon } from '../parts/Icon'
import { WaitingMark } from '../parts/WaitingMark'
import { isDone, type Progress } from './data'
import { DueNote } from './DueNote'
import { projectTexts, valueTexts } from './texts'

interface TaskNotesProps {
  readonly task: SubtaskView
  readonly comments: number
  /** Of its subtasks, where these do not stand below it. */
  readonly subtasks?: Progress | undefined
  /** Whether its status shows by where it stands. */
  readonly isInColumn?: boolean
}

/** What is worth knowing of a task beside its title. */
export function TaskNotes({ task, comments, subtasks, isInColumn = false }: TaskNotesProps) {
  const m = useMessages(projectTexts)
  const values = useMessages(valueTexts)
  const { id, priority, status, due_date: due } = task
  return (
    <span className="line-notes">
      {status === 'in_progress' && !isInColumn && (
        <span className="tag" data-status={status}>
          {values[status]}
        </span>
      )}
      {priority !== 'none' && !isDone(task) && (
        <span className="tag" data-priority={priority}>
          {m.priorityOf(values[priority])}
        </span>
      )}
      <DueNote day={due} isDone={isDone(task)} />
      {subtasks && subtasks.total > 0 && (
        <span className="line-note">
          <Icon name="todos" />
          {m.subtasksDone(subtasks.done, subtasks.total)}
        </span>
      )}
      {comments > 0 && (
        <span className="line-note" title={m.comments(comments)}>
          <Icon name="comment" />
          <span aria-hidden="true">{comments}</span>
          <span className="visually-hidden">{m.comments(comments)}</span>
        </span>
      )}
      <WaitingMark record={{ kind: 'task', id }} />
    </span>
  )
}

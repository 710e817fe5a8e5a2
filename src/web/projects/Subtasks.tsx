import { useId, useMemo } from 'react'
import type { SubtaskView } from '../../features/tasks/tasks/model'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { useKeys } from '../store/use-store'
import { AddTask } from './AddTask'
import { progressOf, useCommentCounts } from './data'
import { rowsOf } from './order'
import { PaneList } from './PaneList'
import type { ProjectTasksProps } from './shown-tasks'
import { TaskLine } from './TaskLine'

const messages = defineMessages({
  en: { title: 'Subtasks', progress: (done: number, total: number) => `${done} of ${total} done` },
  de: { title: 'Teilaufgaben', progress: (done, total) => `${done} von ${total} erledigt` },
})

interface SubtasksProps extends ProjectTasksProps {
  readonly task: SubtaskView
}

/** The subtasks of the task that is opened. */
export function Subtasks({ task, tasks, opened, addressOf, actions }: SubtasksProps) {
  const m = useMessages(messages)
  const id = useId()
  const comments = useCommentCounts()
  const keyOf = useKeys('task')
  const rows = useMemo(
    () => rowsOf(tasks, keyOf).filter(({ parent }) => parent?.id === task.id),
    [tasks, keyOf, task.id],
  )
  const { done, total } = progressOf(rows.map(({ task: subtask }) => subtask))
  return (
    <section aria-labelledby={id} className="pane-section">
      <h2 id={id}>
        {m.title}
        {total > 0 && <span>{m.progress(done, total)}</span>}
      </h2>
      <PaneList labelledBy={id} items={rows}>
        {({ task: subtask, isFirst, isLast }) => (
          <TaskLine
            task={subtask}
            parent={undefined}
            address={addressOf(subtask)}
            isOpened={subtask.id === opened}
            isFirst={isFirst}
            isLast={isLast}
            comments={comments.get(subtask.id) ?? 0}
            actions={actions}
          />
        )}
      </PaneList>
      <AddTask key={keyOf(task.id)} projectId={task.project_id} parentId={task.id} />
    </section>
  )
}

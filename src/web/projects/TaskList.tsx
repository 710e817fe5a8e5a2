import { useMemo } from 'react'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { ItemList } from '../parts/ItemList'
import { useKeys } from '../store/use-store'
import { useCommentCounts } from './data'
import { placeAt, rowsOf, type TaskRow } from './order'
import type { ProjectTasksProps } from './shown-tasks'
import { pressedOnTask } from './task-keys'
import { TaskLine } from './TaskLine'
import { usePutting } from './use-task-actions'

const messages = defineMessages({ en: { tasks: 'Tasks' }, de: { tasks: 'Aufgaben' } })

/** The tasks of a project, each followed by its subtasks. */
export function TaskList({ tasks, opened, addressOf, actions }: ProjectTasksProps) {
  const m = useMessages(messages)
  const comments = useCommentCounts()
  const put = usePutting(tasks)
  const keyOf = useKeys('task')
  const rows = useMemo(() => rowsOf(tasks, keyOf), [tasks, keyOf])
  const move = (row: TaskRow, to: number) => {
    const place = placeAt(rows, row, to)
    if (place) put(row.task, place)
  }
  return (
    <ItemList
      label={m.tasks}
      items={rows}
      lineHeight={46}
      onMove={move}
      onKey={({ task }, event) =>
        pressedOnTask(event, { open: () => actions.open(task), remove: () => actions.remove(task) })
      }
    >
      {({ task, parent, isFirst, isLast }) => (
        <TaskLine
          task={task}
          parent={parent?.title}
          address={addressOf(task)}
          isOpened={task.id === opened}
          isFirst={isFirst}
          isLast={isLast}
          comments={comments.get(task.id) ?? 0}
          actions={actions}
        />
      )}
    </ItemList>
  )
}

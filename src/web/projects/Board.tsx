import { useCallback, useMemo, useRef, useState } from 'react'
import type { SubtaskView } from '../../features/tasks/tasks/model'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { useListedKeys } from '../parts/line-keys'
import { useLineFocus } from '../parts/use-line-focus'
import { useKeys } from '../store/use-store'
import { BoardCard } from './BoardCard'
import { type Progress, progressOf, useCommentCounts } from './data'
import { indexBetween } from './order'
import type { ProjectTasksProps } from './shown-tasks'
import { TASK_STATUSES, valueTexts } from './texts'
import { type Drop, useBoardDrag } from './use-board-drag'
import { dropBy, spotOf, useBoardKeys } from './use-board-keys'
import { useStable } from './use-stable'
import { type TaskActions, type TaskStatus, usePutting } from './use-task-actions'

const messages = defineMessages({
  en: { more: 'Load more', none: 'Nothing here' },
  de: { more: 'Mehr laden', none: 'Hier ist nichts' },
})

const BOARD_KEYS = ['alt+ArrowUp', 'alt+ArrowDown', 'alt+ArrowLeft', 'alt+ArrowRight', 'e', 'Delete'] as const

/** The tasks of a project in columns by their status. Subtasks are counted on the card of their task. */
export function Board(props: ProjectTasksProps) {
  const { tasks } = props
  const ref = useRef<HTMLDivElement>(null)
  const drop = useDropping(tasks)
  const top = useMemo(() => tasks.filter(({ parent_task_id: parent }) => parent === null), [tasks])
  const columns = useMemo(
    () => TASK_STATUSES.map((status) => ({ status, tasks: top.filter((task) => task.status === status) })),
    [top],
  )
  const actions = useStable<TaskActions>({
    ...props.actions,
    step: (task, by) => {
      const to = dropBy(columns, spotOf(columns, task), { across: 0, down: by })
      if (to) drop(task, to)
    },
  })
  const onKeyDown = useBoardKeys(ref, { columns, drop, actions })
  useListedKeys(BOARD_KEYS)
  useBoardDrag(ref, top, drop)
  const subtasks = useMemo(() => Map.groupBy(tasks, ({ parent_task_id: parent }) => parent), [tasks])
  return (
    <div className="board" ref={ref} onKeyDown={onKeyDown}>
      {columns.map((column) => (
        <BoardColumn
          key={column.status}
          status={column.status}
          column={column.tasks}
          subtasksOf={(id) => progressOf(subtasks.get(id) ?? [])}
          {...props}
          actions={actions}
        />
      ))}
    </div>
  )
}

/** Returns a function that puts a card between two others of a column. */
function useDropping(tasks: readonly SubtaskView[]) {
  const put = usePutting(tasks)
  return useCallback(
    (task: SubtaskView, { status, ...neighbours }: Drop) => {
      const siblings = tasks.filter(({ parent_task_id: parent }) => parent === null)
      put(task, { parentId: null, index: indexBetween(siblings, task, neighbours) }, status)
    },
    [tasks, put],
  )
}

/** More cards than these are shown when somebody asks for them. */
const SHOWN_CARDS = 50

interface BoardColumnProps extends ProjectTasksProps {
  readonly status: TaskStatus
  readonly column: readonly SubtaskView[]
  readonly subtasksOf: (id: number) => Progress
}

function BoardColumn({ status, column, subtasksOf, opened, addressOf, actions }: BoardColumnProps) {
  const m = useMessages(messages)
  const values = useMessages(valueTexts)
  const list = useRef<HTMLUListElement>(null)
  const [most, setMost] = useState(SHOWN_CARDS)
  const comments = useCommentCounts()
  const keyOf = useKeys('task')
  const cards = useMemo(
    () => column.slice(0, most).map((task) => ({ key: keyOf(task.id), task })),
    [column, most, keyOf],
  )
  const { note } = useLineFocus(list, cards)
  return (
    <section className="board-column" data-column={status}>
      <h2>
        {values[status]}
        <span>{column.length}</span>
      </h2>
      <ul ref={list} aria-label={values[status]} onFocus={note}>
        {cards.map(({ key, task }, index) => (
          <li
            key={key}
            data-index={index}
            data-task={task.id}
            aria-setsize={column.length}
            aria-posinset={index + 1}
          >
            <BoardCard
              task={task}
              address={addressOf(task)}
              isOpened={task.id === opened}
              isFirst={index === 0}
              isLast={index === column.length - 1}
              comments={comments.get(task.id) ?? 0}
              subtasks={subtasksOf(task.id)}
              actions={actions}
            />
          </li>
        ))}
      </ul>
      {column.length === 0 && <p className="board-none">{m.none}</p>}
      {column.length > most && <Button onClick={() => setMost(most + SHOWN_CARDS)}>{m.more}</Button>}
    </section>
  )
}

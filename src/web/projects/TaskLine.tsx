import { memo } from 'react'
import { Link } from 'wouter'
import type { SubtaskView } from '../../features/tasks/tasks/model'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Icon } from '../parts/Icon'
import { MenuButton } from '../parts/MenuButton'
import { isDone } from './data'
import { projectTexts } from './texts'
import { TaskNotes } from './TaskNotes'
import { type TaskActions, useTaskMenu } from './use-task-actions'

const messages = defineMessages({
  en: { subtaskOf: (title: string) => `Subtask of ${title}` },
  de: { subtaskOf: (title) => `Teilaufgabe von ${title}` },
})

interface TaskLineProps {
  readonly task: SubtaskView
  /** The title of its task, for a subtask. */
  readonly parent: string | undefined
  readonly address: string
  readonly isOpened: boolean
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly comments: number
  readonly actions: TaskActions
}

/** A task or subtask in the list of its project. */
export const TaskLine = memo(function TaskLine(props: TaskLineProps) {
  const { task, parent, address, isOpened, isFirst, isLast, comments, actions } = props
  const m = useMessages(messages)
  const texts = useMessages(projectTexts)
  const menu = useTaskMenu(task, actions, { isFirst, isLast })
  return (
    <div
      className="task-line"
      data-done={isDone(task) || undefined}
      data-subtask={parent === undefined ? undefined : true}
      data-opened={isOpened || undefined}
    >
      <input
        type="checkbox"
        className="checkbox"
        aria-label={task.title}
        checked={isDone(task)}
        onChange={() => actions.toggle(task)}
      />
      <Link href={address} className="line-link" aria-current={isOpened || undefined}>
        {task.title}
      </Link>
      {parent !== undefined && <span className="visually-hidden">{m.subtaskOf(parent)}</span>}
      <TaskNotes task={task} comments={comments} />
      <MenuButton
        kind="quiet"
        actions={menu}
        aria-label={texts.more(task.title)}
        title={texts.more(task.title)}
      >
        <Icon name="more" />
      </MenuButton>
    </div>
  )
})

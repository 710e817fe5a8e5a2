import { memo } from 'react'
import { Link } from 'wouter'
import type { SubtaskView } from '../../features/tasks/tasks/model'
import { useMessages } from '../messages/language'
import { Icon } from '../parts/Icon'
import { MenuButton } from '../parts/MenuButton'
import { isDone, type Progress } from './data'
import { projectTexts } from './texts'
import { TaskNotes } from './TaskNotes'
import { type TaskActions, useTaskMenu } from './use-task-actions'

interface BoardCardProps {
  readonly task: SubtaskView
  readonly address: string
  readonly isOpened: boolean
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly comments: number
  readonly subtasks: Progress
  readonly actions: TaskActions
}

/** A task as a card of the board. */
export const BoardCard = memo(
  function BoardCard(props: BoardCardProps) {
    const { task, address, isOpened, isFirst, isLast, comments, subtasks, actions } = props
    const texts = useMessages(projectTexts)
    const menu = useTaskMenu(task, actions, { isFirst, isLast })
    return (
      <div className="board-card" data-done={isDone(task) || undefined} data-opened={isOpened || undefined}>
        <Link href={address} className="line-link" aria-current={isOpened || undefined}>
          {task.title}
        </Link>
        <MenuButton
          kind="quiet"
          actions={menu}
          aria-label={texts.more(task.title)}
          title={texts.more(task.title)}
        >
          <Icon name="more" />
        </MenuButton>
        <TaskNotes task={task} comments={comments} subtasks={subtasks} isInColumn />
      </div>
    )
  },
  ({ subtasks: before, ...one }, { subtasks: now, ...other }) =>
    before.done === now.done &&
    before.total === now.total &&
    Object.entries(one).every(([name, value]) => Object.is(value, Reflect.get(other, name))),
)

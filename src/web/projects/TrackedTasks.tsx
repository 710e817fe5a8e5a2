import { useCallback, useState } from 'react'
import { Link } from 'wouter'
import type { SubtaskView } from '../../features/tasks/tasks/model'
import { taskAddress } from '../app/addresses'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { isDone, useProjects, useTrackedTasks } from './data'
import { TodaySection } from '../today/TodaySection'
import { DueNote } from './DueNote'
import { useToggling } from './use-toggling'

const messages = defineMessages({
  en: { title: 'Due in tracked projects' },
  de: { title: 'Demnächst fällig in Projekten im Blick' },
})

const NOTHING: ReadonlySet<string> = new Set()

interface TrackedTasksProps {
  /** Leaves out what is due until that day, as it stands elsewhere in the page. */
  readonly after?: string
}

/** Open tasks of tracked projects that are overdue or due within seven days; nothing where there are none. */
export function TrackedTasks({ after = '' }: TrackedTasksProps) {
  const m = useMessages(messages)
  const [ticked, setTicked] = useState(NOTHING)
  const items = useTrackedTasks(ticked).filter(({ task }) => (task.due_date ?? '') > after)
  const { items: projects } = useProjects()
  const toggle = useToggling()
  const nameOf = useCallback(
    ({ project_id: project }: SubtaskView) => projects.find((each) => each.id === project)?.name,
    [projects],
  )
  return (
    <TodaySection title={m.title} items={items}>
      {({ key, task }) => (
        <div className="task-line" data-done={isDone(task) || undefined}>
          <input
            type="checkbox"
            className="checkbox"
            aria-label={task.title}
            checked={isDone(task)}
            onChange={() => {
              setTicked((before) => new Set([...before, key]))
              toggle(task)
            }}
          />
          <Link href={taskAddress(task.project_id, task.id)} className="line-link">
            {task.title}
          </Link>
          <span className="line-notes">
            <span>{nameOf(task)}</span>
            <DueNote day={task.due_date} isDone={isDone(task)} />
          </span>
        </div>
      )}
    </TodaySection>
  )
}

import { useCallback, useId, useState } from 'react'
import { Link } from 'wouter'
import type { SubtaskView } from '../../features/tasks/tasks/model'
import { taskAddress } from '../app/addresses'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { isDone, useProjects, useTrackedTasks } from './data'
import { DueNote } from './DueNote'
import { useToggling } from './use-toggling'

const messages = defineMessages({
  en: { title: 'Due in tracked projects' },
  de: { title: 'Demnächst fällig in Projekten im Blick' },
})

const NOTHING: ReadonlySet<number> = new Set()

/** Open tasks of tracked projects that are overdue or due within seven days; nothing where there are none. */
export function TrackedTasks() {
  const m = useMessages(messages)
  const id = useId()
  const [ticked, setTicked] = useState(NOTHING)
  const items = useTrackedTasks(ticked)
  const { items: projects } = useProjects()
  const toggle = useToggling()
  const nameOf = useCallback(
    ({ project_id: project }: SubtaskView) => projects.find((each) => each.id === project)?.name,
    [projects],
  )
  if (items.length === 0) return null
  return (
    <section aria-labelledby={id} className="tracked">
      <h2 id={id}>{m.title}</h2>
      <ul aria-labelledby={id}>
        {items.map((task) => (
          <li key={task.id} className="task-line" data-done={isDone(task) || undefined}>
            <input
              type="checkbox"
              className="checkbox"
              aria-label={task.title}
              checked={isDone(task)}
              onChange={() => {
                setTicked((before) => new Set([...before, task.id]))
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
          </li>
        ))}
      </ul>
    </section>
  )
}

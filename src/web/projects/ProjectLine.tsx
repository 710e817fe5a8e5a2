import { useMemo } from 'react'
import { Link } from 'wouter'
import type { ProjectView } from '../../features/tasks/projects/model'
import { projectAddress } from '../app/addresses'
import { useMessages } from '../messages/language'
import { Icon } from '../parts/Icon'
import type { MenuAction } from '../parts/Menu'
import { MenuButton } from '../parts/MenuButton'
import { calendarColours } from '../styles/calendar-colours'
import type { Progress } from './data'
import { ProgressBar } from './ProgressBar'
import { ProjectNotes } from './ProjectNotes'
import { projectTexts } from './texts'

/** What one can do with a project of the list. */
export interface ProjectActions {
  readonly edit: (project: ProjectView) => void
  readonly chooseMove: (project: ProjectView) => void
  readonly move: (project: ProjectView, by: -1 | 1) => void
  readonly remove: (project: ProjectView) => void
}

interface ProjectLineProps {
  readonly project: ProjectView
  readonly progress: Progress | undefined
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly actions: ProjectActions
}

/** A project as a card of the list. */
export function ProjectLine({ project, progress, isFirst, isLast, actions }: ProjectLineProps) {
  const m = useMessages(projectTexts)
  const { id, name, color } = project
  const menu = useMemo<readonly MenuAction[]>(
    () => [
      { id: 'edit', label: m.edit, icon: 'edit', run: () => actions.edit(project) },
      {
        id: 'up',
        label: m.up,
        icon: 'chevron-up',
        isDisabled: isFirst,
        run: () => actions.move(project, -1),
      },
      {
        id: 'down',
        label: m.down,
        icon: 'chevron-down',
        isDisabled: isLast,
        run: () => actions.move(project, 1),
      },
      { id: 'move', label: m.moveTo, icon: 'grip', run: () => actions.chooseMove(project) },
      {
        id: 'delete',
        label: m.delete,
        icon: 'delete',
        isDangerous: true,
        run: () => actions.remove(project),
      },
    ],
    [m, actions, project, isFirst, isLast],
  )
  return (
    <div
      className="project-line"
      data-coloured={color === null ? undefined : true}
      style={color === null ? undefined : calendarColours(color)}
    >
      <div className="project-line-head">
        <Link href={projectAddress(id)} className="line-link">
          {name}
        </Link>
        <ProjectNotes project={project} />
        <ProgressBar progress={progress} />
      </div>
      <MenuButton kind="quiet" actions={menu} aria-label={m.more(name)} title={m.more(name)}>
        <Icon name="more" />
      </MenuButton>
    </div>
  )
}

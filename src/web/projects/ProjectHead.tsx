import { useMemo, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { ProjectView } from '../../features/tasks/projects/model'
import type { SubtaskView } from '../../features/tasks/tasks/model'
import { pathOf } from '../api/call'
import { PATTERNS } from '../app/addresses'
import { History } from '../history/History'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { Icon } from '../parts/Icon'
import type { MenuAction } from '../parts/Menu'
import { MenuButton } from '../parts/MenuButton'
import { PageHeading } from '../parts/PageHeading'
import { RadioGroup } from '../parts/RadioGroup'
import { calendarColours } from '../styles/calendar-colours'
import { progressOf } from './data'
import { ProgressBar } from './ProgressBar'
import { ProjectDialog } from './ProjectDialog'
import { ProjectNotes } from './ProjectNotes'
import { projectTexts } from './texts'
import { useDeleting } from './use-deleting'
import { useProjectSaving } from './use-project-saving'

const messages = defineMessages({
  en: { layout: 'Layout', list: 'List', board: 'Board' },
  de: { layout: 'Ansicht', list: 'Liste', board: 'Tafel' },
})

export type Layout = 'list' | 'board'

interface ProjectHeadProps {
  readonly project: ProjectView
  readonly tasks: readonly SubtaskView[]
  readonly layout: Layout
}

/** What a project is, how far it is, and what one can do with it. */
export function ProjectHead({ project, tasks, layout }: ProjectHeadProps) {
  const m = useMessages(projectTexts)
  const { name, description, color } = project
  return (
    <header
      className="project-head"
      data-coloured={color === null ? undefined : true}
      style={color === null ? undefined : calendarColours(color)}
    >
      <Link href={PATTERNS.projects} className="settings-back">
        <Icon name="chevron-left" />
        {m.projects}
      </Link>
      <div className="place-head">
        <PageHeading>{name}</PageHeading>
        <HeadActions project={project} layout={layout} />
      </div>
      <ProjectNotes project={project} />
      {description !== null && <p className="own-text">{description}</p>}
      <ProgressBar progress={progressOf(tasks)} />
    </header>
  )
}

const PROJECT_FIELDS = ['name', 'description', 'status', 'due_date', 'color', 'is_tracked']

function HeadActions({ project, layout }: Omit<ProjectHeadProps, 'tasks'>) {
  const texts = useMessages(projectTexts)
  const [isEditing, setEditing] = useState(false)
  const { change } = useProjectSaving()
  const menu = useMenu(project)
  const more = texts.more(project.name)
  return (
    <div className="project-actions">
      <LayoutChoice layout={layout} />
      <Button onClick={() => setEditing(true)}>
        <Icon name="edit" />
        {texts.edit}
      </Button>
      <History
        record={{ kind: 'project', id: project.id }}
        path={pathOf`projects/${project.id}`}
        title={project.name}
        fields={PROJECT_FIELDS}
      />
      <MenuButton kind="quiet" actions={menu} aria-label={more} title={more}>
        <Icon name="more" />
      </MenuButton>
      {isEditing && (
        <ProjectDialog
          project={project}
          onClose={() => setEditing(false)}
          onSave={(fields, opened = project) => {
            setEditing(false)
            return change(opened, fields)
          }}
        />
      )}
    </div>
  )
}

function LayoutChoice({ layout }: { readonly layout: Layout }) {
  const m = useMessages(messages)
  const [location, navigate] = useLocation()
  const options = [
    { value: 'list', label: m.list },
    { value: 'board', label: m.board },
  ] as const
  const choose = (wanted: Layout) =>
    navigate(wanted === 'board' ? `${location}?layout=board` : location, { replace: true })
  return (
    <RadioGroup
      label={m.layout}
      hidesLabel
      look="segmented"
      options={options}
      value={layout}
      onChange={choose}
    />
  )
}

function useMenu(project: ProjectView): readonly MenuAction[] {
  const texts = useMessages(projectTexts)
  const [, navigate] = useLocation()
  const { deleteProject } = useDeleting()
  return useMemo(
    () => [
      {
        id: 'delete',
        label: texts.delete,
        icon: 'delete',
        isDangerous: true,
        run: () => {
          navigate(PATTERNS.projects)
          deleteProject(project)
        },
      },
    ],
    [texts, navigate, deleteProject, project],
  )
}

import { useCallback, useMemo, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import type { ProjectView } from '../../features/tasks/projects/model'
import { NEW_PROJECT, PATTERNS, projectAddress } from '../app/addresses'
import { useMessages } from '../messages/language'
import { counted, defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { EmptyState } from '../parts/EmptyState'
import { Icon } from '../parts/Icon'
import { ItemList } from '../parts/ItemList'
import { PageHeading } from '../parts/PageHeading'
import { ProblemNote } from '../parts/ProblemNote'
import { Skeleton } from '../parts/Skeleton'
import { Status } from '../parts/Status'
import { useKeys } from '../store/use-store'
import { type KnownRecords, useProgress, useProjects, useRereading } from './data'
import { PlaceDialog } from './PlaceDialog'
import { ProjectDialog } from './ProjectDialog'
import { type ProjectActions, ProjectLine } from './ProjectLine'
import { projectTexts } from './texts'
import { TrackedTasks } from './TrackedTasks'
import { useDeleting } from './use-deleting'
import { useProjectOrdering } from './use-ordering'
import { useProjectSaving } from './use-project-saving'
import { useStable } from './use-stable'

const messages = defineMessages({
  en: {
    new: 'New project',
    empty: 'Make your first project',
    emptyHint: 'A project holds tasks that belong together, with their subtasks and comments.',
    count: (count: number) => `${count} ${counted(count, 'project', 'projects')}`,
  },
  de: {
    new: 'Neues Projekt',
    empty: 'Das erste Projekt anlegen',
    emptyHint: 'Ein Projekt hält Aufgaben zusammen, mit Teilaufgaben und Kommentaren.',
    count: (count) => `${count} ${counted(count, 'Projekt', 'Projekte')}`,
  },
})

/** All projects with their progress, and what is due in the tracked ones. */
export function ProjectsPage() {
  const m = useMessages(messages)
  const texts = useMessages(projectTexts)
  const projects = useProjects()
  const reread = useRereading()
  const [opened, open] = useState<OpenedDialog>()
  const [isNew, setNew] = useIsNew()
  const begin = useCallback(() => setNew(true), [setNew])
  const isEmpty = projects.isWhole && projects.items.length === 0
  return (
    <div className="projects">
      <div className="place-head">
        <PageHeading>{texts.projects}</PageHeading>
        <Status isVisible>{projects.items.length > 0 && m.count(projects.items.length)}</Status>
        {!isEmpty && (
          <Button onClick={begin}>
            <Icon name="add" />
            {m.new}
          </Button>
        )}
      </div>
      {projects.refusal && (
        <ProblemNote refusal={projects.refusal} sentence={texts.unread} onTryAgain={reread} />
      )}
      {!projects.isWhole && !projects.refusal && projects.items.length === 0 && <Skeleton lines={5} />}
      {isEmpty && (
        <EmptyState icon="projects" title={m.empty}>
          <p>{m.emptyHint}</p>
          <Button kind="primary" onClick={begin}>
            {m.new}
          </Button>
        </EmptyState>
      )}
      <ProjectList projects={projects} onOpen={open} />
      <TrackedTasks />
      <Dialogs opened={opened} projects={projects.items} onClose={() => open(undefined)} />
      {isNew && <NewProject onClose={() => setNew(false)} />}
    </div>
  )
}

/** The dialog that stands over the list. */
interface OpenedDialog {
  readonly is: 'edit' | 'move'
  /** Of the project. */
  readonly key: string
}

/** Whether the address asks for a new project; Back closes the dialog. */
function useIsNew(): readonly [boolean, (isNew: boolean) => void] {
  const isNew = new URLSearchParams(useSearch()).has('new')
  const [, navigate] = useLocation()
  const set = useCallback(
    (wanted: boolean) => navigate(wanted ? NEW_PROJECT : PATTERNS.projects, { replace: !wanted }),
    [navigate],
  )
  return [isNew, set]
}

/** Saves a new project and leads to it. */
function NewProject({ onClose }: { readonly onClose: () => void }) {
  const { create } = useProjectSaving()
  const [, navigate] = useLocation()
  return (
    <ProjectDialog
      onClose={onClose}
      onSave={(fields) => {
        const { id, run } = create(fields)
        navigate(projectAddress(id), { replace: true })
        return run
      }}
    />
  )
}

interface ProjectListProps {
  readonly projects: KnownRecords<ProjectView>
  readonly onOpen: (dialog: OpenedDialog) => void
}

function ProjectList({ projects: { items }, onOpen }: ProjectListProps) {
  const texts = useMessages(projectTexts)
  const progress = useProgress()
  const { deleteProject } = useDeleting()
  const move = useMove(items)
  const keyOf = useKeys('project')
  const lines = useMemo(() => items.map((project) => ({ key: keyOf(project.id), project })), [items, keyOf])
  const actions = useStable<ProjectActions>({
    edit: ({ id }) => onOpen({ is: 'edit', key: keyOf(id) }),
    chooseMove: ({ id }) => onOpen({ is: 'move', key: keyOf(id) }),
    move: (project, by) => move(project, items.findIndex(({ id }) => id === project.id) + by),
    remove: deleteProject,
  })
  if (items.length === 0) return null
  return (
    <ItemList
      label={texts.projects}
      items={lines}
      lineHeight={88}
      onMove={({ project }, to) => move(project, to)}
      onKey={({ project }, event) => {
        if (event.key === 'Delete') actions.remove(project)
        else if (event.key === 'e') actions.edit(project)
      }}
    >
      {({ project }) => (
        <ProjectLine
          project={project}
          progress={progress.get(project.id)}
          isFirst={project === items[0]}
          isLast={project === items.at(-1)}
          actions={actions}
        />
      )}
    </ItemList>
  )
}

function useMove(items: readonly ProjectView[]) {
  const texts = useMessages(projectTexts)
  const order = useProjectOrdering()
  return useCallback(
    (project: ProjectView, index: number) => {
      const said = texts.moved(project.name, index + 1, items.length)
      order({ moved: project, siblings: items, index, said })
    },
    [texts, order, items],
  )
}

interface DialogsProps {
  readonly opened: OpenedDialog | undefined
  readonly projects: readonly ProjectView[]
  readonly onClose: () => void
}

function Dialogs({ opened, projects, onClose }: DialogsProps) {
  const move = useMove(projects)
  const { change } = useProjectSaving()
  const keyOf = useKeys('project')
  const project = projects.find(({ id }) => keyOf(id) === opened?.key)
  if (!opened || !project) return null
  if (opened.is === 'move')
    return (
      <PlaceDialog
        name={project.name}
        others={projects.filter(({ id }) => id !== project.id).map(({ name }) => name)}
        index={projects.findIndex(({ id }) => id === project.id)}
        onClose={onClose}
        onMove={(index) => move(project, index)}
      />
    )
  return (
    <ProjectDialog
      project={project}
      onClose={onClose}
      onSave={(fields, before = project) => {
        onClose()
        return change(before, fields)
      }}
    />
  )
}

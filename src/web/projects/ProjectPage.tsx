import { useCallback, useState } from 'react'
import { useLocation, useParams, useSearch } from 'wouter'
import type { ProjectView } from '../../features/tasks/projects/model'
import type { SubtaskView } from '../../features/tasks/tasks/model'
import { addressWith, projectAddress, taskAddress } from '../app/addresses'
import { DetailLayout } from '../app/DetailLayout'
import { Gone } from '../app/Gone'
import { PLACES } from '../app/places'
import { useNewAddress } from '../app/use-addressed'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { EmptyState } from '../parts/EmptyState'
import { PageHeading } from '../parts/PageHeading'
import { ProblemNote } from '../parts/ProblemNote'
import { Skeleton } from '../parts/Skeleton'
import { useKeys, useRealId } from '../store/use-store'
import { AddTask } from './AddTask'
import { Board } from './Board'
import { type KnownRecords, useProjects, useRereading, useTasksOf } from './data'
import { MoveTaskDialog } from './MoveTaskDialog'
import { type Layout, ProjectHead } from './ProjectHead'
import { TaskList } from './TaskList'
import { TaskPane } from './TaskPane'
import type { ProjectTasksProps } from './shown-tasks'
import { projectTexts } from './texts'
import { useStable } from './use-stable'
import { type TaskActions, useTaskActions } from './use-task-actions'

const messages = defineMessages({
  en: {
    task: 'Task',
    empty: 'No tasks yet',
    emptyHint: 'Type the first one above and press Enter.',
    unread: 'The tasks could not be read.',
  },
  de: {
    task: 'Aufgabe',
    empty: 'Noch keine Aufgaben',
    emptyHint: 'Die erste lässt sich oben eintippen, die Eingabetaste fügt sie hinzu.',
    unread: 'Die Aufgaben konnten nicht gelesen werden.',
  },
})

const PROJECTS = PLACES[4]

/** One project with its tasks as a list or a board, and the task that is opened of it. */
export function ProjectPage() {
  const texts = useMessages(projectTexts)
  const { id, taskId } = useAddressed()
  const projects = useProjects()
  const reread = useRereading()
  const project = projects.items.find((each) => each.id === id)
  if (project) return <Project project={project} taskId={taskId} />
  if (projects.isWhole) return <Gone place={PROJECTS} />
  return (
    <>
      <PageHeading>{texts.projects}</PageHeading>
      {projects.refusal ? (
        <ProblemNote refusal={projects.refusal} sentence={texts.unread} onTryAgain={reread} />
      ) : (
        <Skeleton lines={6} />
      )}
    </>
  )
}

/** What the address names. Once the service has given what was just made an id of its own, the address has that. */
function useAddressed() {
  const { id: projectText, task: taskText } = useParams<{ id: string; task?: string }>()
  const [id, task] = [useRealId('project', Number(projectText)), useRealId('task', Number(taskText))]
  const taskId = taskText === undefined ? undefined : task
  const search = useSearch()
  const path = taskId === undefined ? projectAddress(id) : taskAddress(id, taskId)
  const isOld = projectText !== String(id) || (taskText !== undefined && taskText !== String(task))
  useNewAddress(isOld && id > 0 ? addressWith(path, search) : undefined)
  return { id, taskId }
}

interface ProjectProps {
  readonly project: ProjectView
  readonly taskId: number | undefined
}

function Project({ project, taskId }: ProjectProps) {
  const m = useMessages(messages)
  const tasks = useTasksOf(project.id)
  const keyOf = useKeys('task')
  const [movingKey, setMovingKey] = useState<string>()
  const chooseMove = useCallback(({ id }: SubtaskView) => setMovingKey(keyOf(id)), [keyOf])
  const { layout, listAddress, addressOf } = useAddresses(project.id)
  const actions = useActions({ tasks: tasks.items, taskId, listAddress, addressOf, chooseMove })
  const opened = tasks.items.find(({ id }) => id === taskId)
  const moving = tasks.items.find(({ id }) => keyOf(id) === movingKey)
  if (taskId !== undefined && tasks.isWhole && !opened) return <Gone place={PROJECTS} />
  const shown = { tasks: tasks.items, opened: taskId, addressOf, actions }
  return (
    <>
      <DetailLayout
        detail={opened && <TaskPane task={opened} {...shown} />}
        label={m.task}
        listAddress={listAddress}
      >
        <div className="project">
          <ProjectHead project={project} tasks={tasks.items} layout={layout} />
          <AddTask projectId={project.id} />
          <Tasks known={tasks} layout={layout} shown={shown} />
        </div>
      </DetailLayout>
      {moving && <MoveTaskDialog task={moving} tasks={tasks.items} onClose={() => setMovingKey(undefined)} />}
    </>
  )
}

/** The addresses of this page, which keep its layout. */
function useAddresses(projectId: number) {
  const search = useSearch()
  const addressOf = useCallback(
    ({ id }: SubtaskView) => addressWith(taskAddress(projectId, id), search),
    [projectId, search],
  )
  const layout: Layout = new URLSearchParams(search).get('layout') === 'board' ? 'board' : 'list'
  return { layout, addressOf, listAddress: addressWith(projectAddress(projectId), search) }
}

interface PageActions {
  readonly tasks: readonly SubtaskView[]
  readonly taskId: number | undefined
  readonly listAddress: string
  readonly addressOf: (task: SubtaskView) => string
  readonly chooseMove: (task: SubtaskView) => void
}

/** What is deleted does not stay open. */
function useActions({ tasks, taskId, listAddress, addressOf, chooseMove }: PageActions): TaskActions {
  const [, navigate] = useLocation()
  const open = useCallback((task: SubtaskView) => navigate(addressOf(task)), [navigate, addressOf])
  const actions = useTaskActions({ tasks, open, chooseMove })
  return useStable<TaskActions>({
    ...actions,
    remove: (task) => {
      const goes = tasks.find(({ id }) => id === taskId)
      if (goes && [goes.id, goes.parent_task_id].includes(task.id)) navigate(listAddress, { replace: true })
      actions.remove(task)
    },
  })
}

interface TasksProps {
  readonly known: KnownRecords<SubtaskView>
  readonly layout: Layout
  readonly shown: ProjectTasksProps
}

function Tasks({ known: { items, isWhole, refusal }, layout, shown }: TasksProps) {
  const m = useMessages(messages)
  const reread = useRereading()
  return (
    <>
      {refusal && <ProblemNote refusal={refusal} sentence={m.unread} onTryAgain={reread} />}
      {!isWhole && !refusal && items.length === 0 && <Skeleton lines={5} />}
      {isWhole && items.length === 0 && (
        <EmptyState icon="todos" title={m.empty}>
          <p>{m.emptyHint}</p>
        </EmptyState>
      )}
      {items.length > 0 && (layout === 'board' ? <Board {...shown} /> : <TaskList {...shown} />)}
    </>
  )
}

import { useCallback } from 'react'
import type { ProjectView } from '../../features/tasks/projects/model'
import type { SubtaskView } from '../../features/tasks/tasks/model'
import { useMessages } from '../messages/language'
import { counted, defineMessages } from '../messages/messages'
import type { Store } from '../store/store'
import type { RecordOf } from '../store/kinds'
import { useRecords, useStore } from '../store/use-store'
import { useWriting } from '../store/use-writing'
import { deletingProject, deletingTask } from './intents'

const messages = defineMessages({
  en: {
    deleted: (name: string) => `Deleted ${name}`,
    deletedWith: (name: string, what: string) => `Deleted ${name} with ${what}`,
    both: (one: string, other: string) => `${one} and ${other}`,
    tasks: (count: number) => `${count} ${counted(count, 'task', 'tasks')}`,
    subtasks: (count: number) => `${count} ${counted(count, 'subtask', 'subtasks')}`,
    comments: (count: number) => `${count} ${counted(count, 'comment', 'comments')}`,
  },
  de: {
    deleted: (name) => `${name} ist gelöscht`,
    deletedWith: (name, what) => `${name} ist gelöscht, mit ${what}`,
    both: (one, other) => `${one} und ${other}`,
    tasks: (count) => `${count} ${counted(count, 'Aufgabe', 'Aufgaben')}`,
    subtasks: (count) => `${count} ${counted(count, 'Teilaufgabe', 'Teilaufgaben')}`,
    comments: (count) => `${count} ${counted(count, 'Kommentar', 'Kommentaren')}`,
  },
})

const all = <K extends 'task' | 'comment'>({ records }: Store, kind: K) =>
  records.list(kind) as ReadonlyArray<RecordOf<K>>

/** Deletes projects and tasks at once, and says how much went along; "Undo" brings all of it back. */
export function useDeleting() {
  const m = useMessages(messages)
  const store = useStore()
  const write = useWriting()
  // What goes along is counted at the moment, but has to be known by then.
  useRecords('comment')
  const sentence = useCallback(
    (name: string, inside: readonly SubtaskView[], ids: ReadonlySet<number>, word: 'tasks' | 'subtasks') => {
      const comments = all(store, 'comment').filter(({ task_id: task }) => ids.has(task)).length
      const parts = [
        ...(inside.length > 0 ? [m[word](inside.length)] : []),
        ...(comments > 0 ? [m.comments(comments)] : []),
      ]
      const [one, other] = parts
      if (one === undefined) return m.deleted(name)
      return m.deletedWith(name, other === undefined ? one : m.both(one, other))
    },
    [m, store],
  )
  const deleteProject = useCallback(
    (project: ProjectView) => {
      const inside = all(store, 'task').filter(({ project_id: id }) => id === project.id)
      const ids = new Set(inside.map(({ id }) => id))
      write(deletingProject(project, sentence(project.name, inside, ids, 'tasks')))
    },
    [store, write, sentence],
  )
  const deleteTask = useCallback(
    (task: SubtaskView) => {
      const inside = all(store, 'task').filter(({ parent_task_id: parent }) => parent === task.id)
      const ids = new Set([task.id, ...inside.map(({ id }) => id)])
      write(deletingTask(task, sentence(task.title, inside, ids, 'subtasks')))
    },
    [store, write, sentence],
  )
  return { deleteProject, deleteTask }
}

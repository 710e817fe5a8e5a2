import { useMemo } from 'react'
import type { ProjectView } from '../../features/tasks/projects/model'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { useWriting } from '../store/use-writing'
import { differing } from './differing'
import { changingProject, creatingProject } from './intents'
import type { ProjectFields } from './ProjectDialog'

const messages = defineMessages({
  en: { made: (name: string) => `Made the project ${name}`, changed: (name: string) => `Changed ${name}` },
  de: { made: (name) => `Projekt ${name} angelegt`, changed: (name) => `${name} ist geändert` },
})

/** Makes and changes projects, and says so. */
export function useProjectSaving() {
  const m = useMessages(messages)
  const write = useWriting()
  return useMemo(
    () => ({
      create: (fields: ProjectFields) => {
        const { item, intent } = creatingProject(fields, m.made(fields.name))
        return { id: item.id, run: write(intent) }
      },
      /** Nothing is sent where nothing differs. */
      change: (opened: ProjectView, fields: ProjectFields) => {
        const changes = differing(opened, fields)
        return changes && write(changingProject(opened, changes, m.changed(fields.name)))
      },
    }),
    [m, write],
  )
}

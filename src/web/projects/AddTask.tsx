import type { FormEvent } from 'react'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { Field } from '../parts/Field'
import { keepUntilDone, useDraft } from '../store/drafts'
import { useStore } from '../store/use-store'
import { creatingTask } from './intents'
import { projectTexts } from './texts'

const messages = defineMessages({
  en: { task: 'Add a task', subtask: 'Add a subtask', added: (title: string) => `Added ${title}` },
  de: {
    task: 'Aufgabe hinzufügen',
    subtask: 'Teilaufgabe hinzufügen',
    added: (title) => `${title} ist hinzugefügt`,
  },
})

interface AddTaskProps {
  readonly projectId: number
  /** For a subtask: the task that gets it. */
  readonly parentId?: number
}

/** A field that adds one task after the other. */
export function AddTask({ projectId, parentId }: AddTaskProps) {
  const m = useMessages(messages)
  const texts = useMessages(projectTexts)
  const store = useStore()
  const key = parentId === undefined ? `task in project ${projectId}` : `subtask of ${parentId}`
  const [draft, setDraft] = useDraft<{ readonly title: string }>(key)
  const typed = draft?.title ?? ''
  const add = (event: FormEvent) => {
    event.preventDefault()
    const title = typed.trim()
    if (title === '') return
    const body = { title, ...(parentId !== undefined && { parent_task_id: parentId }) }
    setDraft(undefined)
    // It shows at the end of its list, which says more than a message would.
    const run = store.run(creatingTask(projectId, body, m.added(title)).intent)
    void keepUntilDone(key, { title: typed }, run, (kept) => kept)
  }
  return (
    <form className="add-task" noValidate onSubmit={add}>
      <Field
        label={parentId === undefined ? m.task : m.subtask}
        value={typed}
        maxLength={200}
        autoComplete="off"
        onChange={({ target }) => setDraft(target.value === '' ? undefined : { title: target.value })}
      />
      <Button type="submit">{texts.add}</Button>
    </form>
  )
}

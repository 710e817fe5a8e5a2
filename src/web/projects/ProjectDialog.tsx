import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import type { NewProject, ProjectView } from '../../features/tasks/projects/model'
import { useDateForms } from '../events/use-date-forms'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { Switch } from '../parts/Checkbox'
import { Dialog } from '../parts/Dialog'
import { DateField } from '../events/DateField'
import { Field } from '../parts/Field'
import { Select } from '../parts/Select'
import { TextArea } from '../parts/TextArea'
import { keepUntilDone, useDraft } from '../store/drafts'
import { ColourField } from './ColourField'
import { shownDay, typedDay } from './due-date'
import { PROJECT_STATUSES, projectTexts, valueTexts } from './texts'

const messages = defineMessages({
  en: {
    new: 'New project',
    edit: 'Edit project',
    tracked: 'Tracked',
    trackedHint: 'Its open tasks that are due within seven days stand on the page of projects.',
  },
  de: {
    new: 'Neues Projekt',
    edit: 'Projekt bearbeiten',
    tracked: 'Im Blick',
    trackedHint:
      'Offene Aufgaben, die in den nächsten sieben Tagen fällig sind, stehen auf der Seite der Projekte.',
  },
})

/** What the fields say, as they were typed, and the project as it was opened. */
interface ProjectDraft {
  readonly name: string
  readonly description: string
  readonly status: ProjectView['status']
  readonly due: string
  readonly colour: string
  readonly isTracked: boolean
  readonly opened?: ProjectView | undefined
}

export type ProjectFields = Required<Omit<NewProject, 'position'>>

interface ProjectDialogProps {
  /** Undefined for a new one. */
  readonly project?: ProjectView
  readonly onClose: () => void
  /** Returns what is on its way; undefined if nothing is. */
  readonly onSave: (fields: ProjectFields, opened: ProjectView | undefined) => SentChange | undefined
}

type SentChange = Parameters<typeof keepUntilDone>[2]

/** All fields of a project. */
export function ProjectDialog({ project, onClose, onSave }: ProjectDialogProps) {
  const m = useMessages(messages)
  const texts = useMessages(projectTexts)
  const formId = useId()
  const form = useProjectForm(project, onSave)
  const cancel = () => {
    form.forget()
    onClose()
  }
  return (
    <Dialog
      title={project ? m.edit : m.new}
      onClose={cancel}
      footer={
        <>
          <Button onClick={cancel}>{texts.cancel}</Button>
          <Button kind="primary" type="submit" form={formId}>
            {texts.save}
          </Button>
        </>
      }
    >
      <form id={formId} ref={form.ref} className="project-form" noValidate onSubmit={form.submit}>
        <Fields form={form} />
      </form>
    </Dialog>
  )
}

function Fields({ form: { draft, problems, set } }: { readonly form: ReturnType<typeof useProjectForm> }) {
  const m = useMessages(messages)
  const texts = useMessages(projectTexts)
  const values = useMessages(valueTexts)
  return (
    <>
      <Field
        label={texts.name}
        value={draft.name}
        maxLength={200}
        problem={problems.name}
        onChange={({ target }) => set({ name: target.value })}
      />
      <TextArea
        label={texts.description}
        value={draft.description}
        maxLength={10_000}
        onChange={({ target }) => set({ description: target.value })}
      />
      <div className="project-form-row">
        <Select
          label={texts.status}
          options={PROJECT_STATUSES.map((value) => ({ value, label: values[value] }))}
          value={draft.status}
          onChange={(status) => set({ status })}
        />
        <DateField
          label={texts.dueDate}
          hint={texts.dateHint}
          value={draft.due}
          problem={problems.due}
          onChange={(due) => set({ due })}
        />
      </div>
      <ColourField value={draft.colour} onChange={(colour) => set({ colour })} />
      <Switch
        label={m.tracked}
        hint={m.trackedHint}
        checked={draft.isTracked}
        onChange={(isTracked) => set({ isTracked })}
      />
    </>
  )
}

type ProjectProblems = Partial<Record<'name' | 'due', string>>

function useProjectForm(project: ProjectView | undefined, onSave: ProjectDialogProps['onSave']) {
  const texts = useMessages(projectTexts)
  const forms = useDateForms()
  const ref = useRef<HTMLFormElement>(null)
  const [opened] = useState(project)
  const key = `project ${opened?.id ?? 'new'}`
  const [stored, store] = useDraft<ProjectDraft>(key)
  const [problems, setProblems] = useState<ProjectProblems>({})
  const draft = stored ?? (opened ? draftOf(opened, shownDay(opened.due_date, forms)) : EMPTY)
  useEffect(() => {
    if (Object.keys(problems).length > 0) ref.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [problems])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const due = typedDay(draft.due, forms)
    const found = {
      ...(due === undefined && { due: texts.unreadDate }),
      ...(draft.name.trim() === '' && { name: texts.missing }),
    }
    setProblems(found)
    if (due === undefined || 'name' in found) return
    store(undefined)
    const sent = onSave(fieldsOf(draft, due), draft.opened)
    if (sent) void keepUntilDone(key, draft, sent, (kept) => kept)
  }
  const set = (changes: Partial<ProjectDraft>) => store({ ...draft, ...changes })
  return { ref, draft, problems, set, submit, forget: () => store(undefined) }
}

const EMPTY: ProjectDraft = {
  name: '',
  description: '',
  status: 'not_started',
  due: '',
  colour: '',
  isTracked: false,
}

const draftOf = (opened: ProjectView, due: string): ProjectDraft => ({
  name: opened.name,
  description: opened.description ?? '',
  status: opened.status,
  due,
  colour: opened.color ?? '',
  isTracked: opened.is_tracked,
  opened,
})

const fieldsOf = (draft: ProjectDraft, due: string | null): ProjectFields => ({
  name: draft.name.trim(),
  description: draft.description.trim() === '' ? null : draft.description,
  status: draft.status,
  due_date: due,
  color: draft.colour === '' ? null : draft.colour,
  is_tracked: draft.isTracked,
})

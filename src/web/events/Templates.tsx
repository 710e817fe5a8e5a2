import { type FormEvent, useId, useState } from 'react'
import type { EventTemplateView, NewEventTemplate } from '../../features/events/templates/model'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { Dialog } from '../parts/Dialog'
import { Field } from '../parts/Field'
import { MenuButton } from '../parts/MenuButton'
import { useWriting } from '../store/use-writing'
import type { EventDraft } from './draft'
import { changingTemplate, creatingTemplate } from './template-intents'
import { eventTexts } from './texts'
import type { EventEditorState } from './use-event-editor'
import { useTemplates } from './use-templates'

const messages = defineMessages({
  en: {
    use: 'Use template',
    saveAs: 'Save as template',
    name: 'Name',
    hint: 'Everything but the date and the time is kept.',
    saved: (name: string) => `Saved the template ${name}`,
    replaces: 'It replaces the template of this name.',
    replaced: (name: string) => `Replaced the template ${name}`,
  },
  de: {
    use: 'Vorlage verwenden',
    saveAs: 'Als Vorlage speichern',
    name: 'Name',
    hint: 'Alles außer Tag und Uhrzeit wird übernommen.',
    saved: (name: string) => `Vorlage ${name} gespeichert`,
    replaces: 'Ersetzt die Vorlage dieses Namens.',
    replaced: (name: string) => `Vorlage ${name} ersetzt`,
  },
})

interface WithEditor {
  readonly editor: EventEditorState
}

/** Fills the fields from a template; the times stay. */
export function UseTemplate({ editor }: WithEditor) {
  const m = useMessages(messages)
  const templates = useTemplates() ?? []
  if (templates.length === 0) return null
  const actions = templates.map((template) => ({
    id: String(template.id),
    label: template.name,
    run: () => editor.change(fieldsOf(template, editor.draft)),
  }))
  return (
    <div>
      <MenuButton kind="secondary" actions={actions}>
        {m.use}
      </MenuButton>
    </div>
  )
}

const fieldsOf = (template: EventTemplateView, draft: EventDraft): Partial<EventDraft> => ({
  title: template.title,
  calendarId: template.calendar_id ?? draft.calendarId,
  allDay: template.all_day,
  rule: template.recurrence_rule ?? '',
  location: template.location ?? '',
  description: template.description ?? '',
  reminder: template.reminder_minutes === null ? '' : String(template.reminder_minutes),
  isPrivate: template.visibility === 'private',
})

/** Keeps the fields under a name. */
export function SaveTemplate({ editor }: WithEditor) {
  const m = useMessages(messages)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button kind="quiet" disabled={editor.draft.title.trim() === ''} onClick={() => setOpen(true)}>
        {m.saveAs}
      </Button>
      {isOpen && <NameDialog editor={editor} onClose={() => setOpen(false)} />}
    </>
  )
}

function NameDialog({ editor, onClose }: WithEditor & { readonly onClose: () => void }) {
  const m = useMessages(messages)
  const texts = useMessages(eventTexts)
  const formId = useId()
  const [name, setName] = useState(editor.draft.title.trim().slice(0, 100))
  const known = useTemplates()?.find((each) => each.name === name.trim())
  const write = useWriting()
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() === '') return
    const body = templateOf(name, editor)
    if (known) write(changingTemplate(known, body, m.replaced(body.name)))
    else write(creatingTemplate(body, m.saved(body.name)))
    onClose()
  }
  return (
    <Dialog
      title={m.saveAs}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button kind="primary" type="submit" form={formId}>
            {texts.save}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={save}>
        <Field
          label={m.name}
          hint={known ? m.replaces : m.hint}
          value={name}
          maxLength={100}
          onChange={(event) => setName(event.target.value)}
        />
      </form>
    </Dialog>
  )
}

/** A template stays in a calendar of one's own only. */
function templateOf(name: string, { draft, calendars }: EventEditorState): NewEventTemplate {
  const own = calendars.find(({ id, access }) => id === draft.calendarId && access === 'owner')
  return {
    name: name.trim(),
    title: draft.title.trim(),
    all_day: draft.allDay,
    recurrence_rule: draft.rule === '' ? null : draft.rule,
    location: draft.location === '' ? null : draft.location,
    description: draft.description === '' ? null : draft.description,
    reminder_minutes: draft.reminder === '' ? null : Number(draft.reminder),
    visibility: draft.isPrivate ? 'private' : 'public',
    calendar_id: own?.id ?? null,
  }
}

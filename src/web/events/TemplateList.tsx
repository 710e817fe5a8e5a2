import { type FormEvent, useId, useMemo, useState } from 'react'
import type { EventTemplateView } from '../../features/events/templates/model'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { Dialog } from '../parts/Dialog'
import { Field } from '../parts/Field'
import { Icon } from '../parts/Icon'
import type { MenuAction } from '../parts/Menu'
import { MenuButton } from '../parts/MenuButton'
import { TextArea } from '../parts/TextArea'
import { useKeys } from '../store/use-store'
import { useWriting } from '../store/use-writing'
import { changingTemplate, deletingTemplate } from './template-intents'
import { eventTexts } from './texts'
import { useTemplates } from './use-templates'

const messages = defineMessages({
  en: {
    heading: 'Templates',
    none: 'A new event can be kept as a template, and later ones begin with its fields.',
    more: (name: string) => `More actions for ${name}`,
    edit: 'Edit',
    editing: 'Edit template',
    name: 'Name',
    missing: 'Fill this in.',
    taken: 'You have a template of this name. Choose another name.',
    changed: (name: string) => `Changed the template ${name}`,
    deleted: (name: string) => `Deleted the template ${name}`,
  },
  de: {
    heading: 'Vorlagen',
    none: 'Ein neuer Termin lässt sich als Vorlage speichern; spätere beginnen dann mit seinen Angaben.',
    more: (name) => `Weitere Aktionen für ${name}`,
    edit: 'Bearbeiten',
    editing: 'Vorlage bearbeiten',
    name: 'Name',
    missing: 'Bitte ausfüllen.',
    taken: 'Eine Vorlage dieses Namens gibt es schon. Bitte einen anderen Namen wählen.',
    changed: (name) => `Vorlage ${name} geändert`,
    deleted: (name) => `Vorlage ${name} gelöscht`,
  },
})

/** The templates of events, each with what one can do to it. */
export function TemplateList() {
  const m = useMessages(messages)
  const id = useId()
  const templates = useTemplates()
  const keyOf = useKeys('event_template')
  const [openedKey, open] = useState<string>()
  const opened = templates?.find(({ id: each }) => keyOf(each) === openedKey)
  if (!templates) return null
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{m.heading}</h2>
      {templates.length === 0 && <p>{m.none}</p>}
      <ul className="calendar-links" aria-labelledby={id}>
        {templates.map((each) => (
          <TemplateLine key={keyOf(each.id)} template={each} onEdit={() => open(keyOf(each.id))} />
        ))}
      </ul>
      {opened && <TemplateDialog template={opened} onClose={() => open(undefined)} />}
    </section>
  )
}

interface TemplateLineProps {
  readonly template: EventTemplateView
  readonly onEdit: () => void
}

function TemplateLine({ template, onEdit }: TemplateLineProps) {
  const m = useMessages(messages)
  const texts = useMessages(eventTexts)
  const write = useWriting()
  const actions = useMemo<readonly MenuAction[]>(
    () => [
      { id: 'edit', label: m.edit, run: onEdit },
      {
        id: 'delete',
        label: texts.delete,
        isDangerous: true,
        run: () => void write(deletingTemplate(template, m.deleted(template.name))),
      },
    ],
    [m, texts, onEdit, template, write],
  )
  const more = m.more(template.name)
  return (
    <li>
      <span>{template.name}</span>
      <MenuButton kind="quiet" actions={actions} aria-label={more} title={more}>
        <Icon name="more" />
      </MenuButton>
    </li>
  )
}

interface TemplateDialogProps {
  readonly template: EventTemplateView
  readonly onClose: () => void
}

/** The words of a template. Its other fields are those of the event from which it was saved. */
function TemplateDialog({ template, onClose }: TemplateDialogProps) {
  const m = useMessages(messages)
  const texts = useMessages(eventTexts)
  const formId = useId()
  const { fields, problems, set, save } = useTemplateForm(template, onClose)
  return (
    <Dialog
      title={m.editing}
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
      <form id={formId} className="event-form" noValidate onSubmit={save}>
        <Field
          label={m.name}
          maxLength={100}
          value={fields.name}
          problem={problems.name}
          onChange={({ target }) => set({ name: target.value })}
        />
        <Field
          label={texts.title}
          maxLength={200}
          value={fields.title}
          problem={problems.title}
          onChange={({ target }) => set({ title: target.value })}
        />
        <Field
          label={texts.location}
          maxLength={500}
          value={fields.location}
          onChange={({ target }) => set({ location: target.value })}
        />
        <TextArea
          label={texts.description}
          maxLength={10_000}
          value={fields.description}
          onChange={({ target }) => set({ description: target.value })}
        />
      </form>
    </Dialog>
  )
}

function useTemplateForm(template: EventTemplateView, onDone: () => void) {
  const m = useMessages(messages)
  const write = useWriting()
  const others = (useTemplates() ?? []).filter(({ id }) => id !== template.id)
  // What others change while it is open is merged against what was opened.
  const [opened] = useState(template)
  const { name, title, location, description } = opened
  const [fields, setFields] = useState({
    name,
    title,
    location: location ?? '',
    description: description ?? '',
  })
  const [problems, setProblems] = useState<{ readonly name?: string; readonly title?: string }>({})
  const save = (event: FormEvent) => {
    event.preventDefault()
    const wanted = {
      name: fields.name.trim(),
      title: fields.title.trim(),
      location: fields.location.trim() || null,
      description: fields.description.trim() === '' ? null : fields.description,
    }
    const isTaken = others.some((each) => each.name === wanted.name)
    const found = {
      ...(wanted.title === '' && { title: m.missing }),
      ...(isTaken && { name: m.taken }),
      ...(wanted.name === '' && { name: m.missing }),
    }
    setProblems(found)
    if (Object.keys(found).length > 0) return
    const differs = ([key]: readonly [string, unknown]) =>
      wanted[key as keyof typeof wanted] !== opened[key as keyof typeof wanted]
    const changes = Object.fromEntries(Object.entries(wanted).filter(differs))
    if (Object.keys(changes).length > 0) write(changingTemplate(opened, changes, m.changed(wanted.name)))
    onDone()
  }
  const set = (changes: Partial<typeof fields>) => setFields({ ...fields, ...changes })
  return { fields, problems, set, save }
}

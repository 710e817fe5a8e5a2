import { type KeyboardEvent, useState } from 'react'
import type { CalendarView } from '../../features/calendars/calendars/model'
import { useMessages } from '../messages/language'
import { Switch } from '../parts/Checkbox'
import { Field } from '../parts/Field'
import { keepUntilDone, useDraft } from '../store/drafts'
import { useWriting } from '../store/use-writing'
import { messages } from './calendar-page.messages'
import { changingCalendar, makingDefault, problemOfName, useCalendars } from './data'

interface OwnFieldsProps {
  readonly calendar: CalendarView
}

/** Each field is saved by itself, as soon as it is left. A member of a calendar has a colour of their own for it. */
export function OwnFields({ calendar }: OwnFieldsProps) {
  const m = useMessages(messages)
  const write = useWriting()
  const before = useCalendars()?.find(({ is_default: isDefault }) => isDefault)
  const isOwner = calendar.access === 'owner'
  return (
    <section className="calendar-fields">
      {isOwner && <NameField calendar={calendar} />}
      <Field
        // What undoes a change fills it anew.
        key={calendar.color}
        label={m.color}
        type="color"
        hint={isOwner ? undefined : m.ownColor}
        defaultValue={calendar.color}
        onBlur={({ target: { value } }) =>
          value !== calendar.color &&
          write(changingCalendar(calendar, { color: value }, m.coloured(calendar.name)))
        }
      />
      {isOwner && !calendar.is_system && (
        <Switch
          label={m.default}
          hint={m.defaultHint}
          checked={calendar.is_default}
          disabled={calendar.is_default}
          onChange={() => write(makingDefault(calendar, before, m.madeDefault(calendar.name)))}
        />
      )}
    </section>
  )
}

/** Enter saves the name as leaving it does, Escape takes back what was typed. */
function NameField({ calendar }: OwnFieldsProps) {
  const m = useMessages(messages)
  const write = useWriting()
  const others = useCalendars()?.filter(({ id }) => id !== calendar.id) ?? []
  const key = `calendar ${calendar.id} name`
  const [draft, setDraft] = useDraft<{ readonly name: string }>(key)
  const [problem, setProblem] = useState<'missing' | 'taken'>()
  const forget = () => {
    setDraft(undefined)
    setProblem(undefined)
  }
  const save = () => {
    if (!draft) return
    const name = draft.name.trim()
    const found = problemOfName(name, others)
    if (found !== undefined) return setProblem(found)
    forget()
    if (name === calendar.name) return
    const sent = write(changingCalendar(calendar, { name }, m.renamed(name)))
    void keepUntilDone(key, { name }, sent, (kept) => kept)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') save()
    if (event.key !== 'Escape' || !draft) return
    event.stopPropagation()
    forget()
  }
  return (
    <Field
      label={m.name}
      value={draft?.name ?? calendar.name}
      maxLength={100}
      disabled={calendar.is_system}
      problem={problem && m[problem]}
      onChange={({ target }) => setDraft({ name: target.value })}
      onBlur={save}
      onKeyDown={onKeyDown}
    />
  )
}

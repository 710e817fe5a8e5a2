import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Link, useSearch } from 'wouter'
import type { CalendarView } from '../../features/calendars/calendars/model'
import { calendarSettingsAddress } from '../app/addresses'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { Field } from '../parts/Field'
import { ProblemNote } from '../parts/ProblemNote'
import { Skeleton } from '../parts/Skeleton'
import { TemplateList } from '../events/TemplateList'
import { useSignedIn } from '../session/use-session'
import { SettingsLayout } from '../settings/SettingsLayout'
import { isLocal } from '../store/commands'
import { keepUntilDone, useDraft } from '../store/drafts'
import { useWriting } from '../store/use-writing'
import { CalendarInvites } from './CalendarInvites'
import { messages as pageTexts } from './calendar-page.messages'
import { creatingCalendar, problemOfName, useCalendarList, useCalendars } from './data'
import { sharingTexts } from './sharing.messages'

const messages = defineMessages({
  en: {
    default: 'Default calendar',
    name: 'Name of the new calendar',
    create: 'Create calendar',
    hint: 'Open a calendar to share it, to import a file into it, or to give it another colour.',
  },
  de: {
    default: 'Standardkalender',
    name: 'Name des neuen Kalenders',
    create: 'Kalender anlegen',
    hint: 'In einem Kalender lässt er sich teilen, eine Datei importieren und die Farbe ändern.',
  },
})

/** All calendars of the user, each with a page of its own. */
export function CalendarsPage() {
  const m = useMessages(messages)
  const { from } = useMessages(sharingTexts)
  const { calendars, refusal, again } = useCalendarList()
  return (
    <SettingsLayout page="calendars">
      <p className="settings-lead">{m.hint}</p>
      <CalendarInvites />
      {refusal && <ProblemNote refusal={refusal} onTryAgain={again} />}
      {!calendars && !refusal && <Skeleton lines={4} />}
      <ul className="calendar-links">
        {calendars?.map(({ id, name, color, access, is_default, owner_network_name }) => (
          <li key={id}>
            <CalendarName id={id} name={name} color={color} />
            <span>{access === 'owner' ? is_default && m.default : from(owner_network_name, access)}</span>
          </li>
        ))}
      </ul>
      <NewCalendarForm />
      <TemplateList />
    </SettingsLayout>
  )
}

/** It leads to the page of the calendar, once the service knows it. */
function CalendarName({ id, name, color }: Pick<CalendarView, 'id' | 'name' | 'color'>) {
  const content = (
    <>
      <CalendarDot color={color} />
      {name}
    </>
  )
  if (isLocal(id)) return <span>{content}</span>
  return <Link href={calendarSettingsAddress(id)}>{content}</Link>
}

/** The colour of a calendar, as an ornament beside its name. */
function CalendarDot({ color }: { readonly color: string }) {
  return (
    <svg className="calendar-dot" viewBox="0 0 10 10" aria-hidden="true">
      <circle cx="5" cy="5" r="5" fill={color} />
    </svg>
  )
}

const DRAFT = 'calendar new'

/** A name that the service refuses stands in its field again. */
function NewCalendarForm() {
  const m = useMessages(messages)
  const texts = useMessages(pageTexts)
  const { user } = useSignedIn()
  const write = useWriting()
  const calendars = useCalendars() ?? []
  const [draft, setDraft] = useDraft<{ readonly name: string }>(DRAFT)
  const name = draft?.name ?? ''
  const [problem, setProblem] = useState<'missing' | 'taken'>()
  const form = useRef<HTMLFormElement>(null)
  const isWanted = new URLSearchParams(useSearch()).has('new')
  useEffect(() => {
    if (isWanted) form.current?.querySelector('input')?.focus()
  }, [isWanted])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wanted = name.trim()
    const found = problemOfName(wanted, calendars)
    setProblem(found)
    if (found !== undefined) return form.current?.querySelector('input')?.focus()
    const sent = write(creatingCalendar(wanted, user.id, texts.added(wanted)))
    setDraft(undefined)
    void keepUntilDone(DRAFT, { name: wanted }, sent, (kept) => kept)
  }
  return (
    <form ref={form} className="one-line-form" onSubmit={submit} noValidate>
      <Field
        label={m.name}
        value={name}
        maxLength={100}
        problem={problem && texts[problem]}
        onChange={({ target }) => setDraft(target.value === '' ? undefined : { name: target.value })}
      />
      <Button type="submit">{m.create}</Button>
    </form>
  )
}

import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Link, useSearch } from 'wouter'
import { refusalOf } from '../api/refusal'
import { calendarSettingsAddress } from '../app/addresses'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { useRefusals } from '../messages/refusals'
import { Button } from '../parts/Button'
import { Field } from '../parts/Field'
import { ProblemNote } from '../parts/ProblemNote'
import { Skeleton } from '../parts/Skeleton'
import { TemplateList } from '../events/TemplateList'
import { SettingsLayout } from '../settings/SettingsLayout'
import { CalendarInvites } from './CalendarInvites'
import { useCalendarList } from './data'
import { sharingTexts } from './sharing.messages'
import { createCalendar } from './writes'

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
            <Link href={calendarSettingsAddress(id)}>
              <CalendarDot color={color} />
              {name}
            </Link>
            <span>{access === 'owner' ? is_default && m.default : from(owner_network_name, access)}</span>
          </li>
        ))}
      </ul>
      <NewCalendarForm />
      <TemplateList />
    </SettingsLayout>
  )
}

/** The colour of a calendar, as an ornament beside its name. */
function CalendarDot({ color }: { readonly color: string }) {
  return (
    <svg className="calendar-dot" viewBox="0 0 10 10" aria-hidden="true">
      <circle cx="5" cy="5" r="5" fill={color} />
    </svg>
  )
}

function NewCalendarForm() {
  const m = useMessages(messages)
  const { sentence } = useRefusals()
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const isWanted = new URLSearchParams(useSearch()).has('new')
  useEffect(() => {
    if (isWanted) form.current?.querySelector('input')?.focus()
  }, [isWanted])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    try {
      await createCalendar({ name })
      setName('')
      setProblem(undefined)
    } catch (error) {
      const refusal = refusalOf(error)
      if (!refusal) throw error
      setProblem(sentence(refusal))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form ref={form} className="one-line-form" onSubmit={(event) => void submit(event)} noValidate>
      <Field
        label={m.name}
        value={name}
        maxLength={100}
        problem={problem}
        onChange={({ target }) => setName(target.value)}
      />
      <Button type="submit" isBusy={isBusy} disabled={name.trim() === ''}>
        {m.create}
      </Button>
    </form>
  )
}

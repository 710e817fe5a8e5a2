import { useState } from 'react'
import { useLocation, useParams } from 'wouter'
import type { CalendarChanges, CalendarView } from '../../features/calendars/calendars/model'
import { pathOf } from '../api/call'
import { refusalOf } from '../api/refusal'
import { PATTERNS } from '../app/addresses'
import { Gone } from '../app/Gone'
import { PLACES } from '../app/places'
import { useMessages } from '../messages/language'
import { useRefusals } from '../messages/refusals'
import { Button } from '../parts/Button'
import { Switch } from '../parts/Checkbox'
import { Field } from '../parts/Field'
import { useWriting } from '../store/use-writing'
import { messages } from './calendar-page.messages'
import { SettingsLayout } from '../settings/SettingsLayout'
import { deletingCalendar, useCalendars } from './data'
import { Import } from './Import'
import { SecretAddress } from './SecretAddress'
import { changeCalendar } from './writes'

const SETTINGS = PLACES[8]

/** The settings of one calendar: its name and colour, import and export, its secret address. */
export function CalendarPage() {
  const id = Number(useParams<{ id: string }>().id)
  const calendars = useCalendars()
  const calendar = calendars?.find((each) => each.id === id)
  if (calendars && !calendar) return <Gone place={SETTINGS} />
  return calendar ? <Settings calendar={calendar} /> : null
}

function Settings({ calendar }: { readonly calendar: CalendarView }) {
  const m = useMessages(messages)
  const isOwner = calendar.access === 'owner'
  return (
    <SettingsLayout page="calendars" heading={calendar.name}>
      {isOwner && <OwnFields calendar={calendar} />}
      {calendar.access !== 'read' && !calendar.is_system && <Import calendar={calendar} />}
      <section aria-labelledby="export-title">
        <h2 id="export-title">{m.export}</h2>
        <p>
          <a href={`/api/${pathOf`calendars/${calendar.id}/export`}`} download>
            {m.download}
          </a>
        </p>
      </section>
      {isOwner && <SecretAddress calendar={calendar} />}
      {isOwner && !calendar.is_default && !calendar.is_system && <Deletion calendar={calendar} />}
    </SettingsLayout>
  )
}

/** Each field is saved by itself, as soon as it is left. */
function OwnFields({ calendar }: { readonly calendar: CalendarView }) {
  const m = useMessages(messages)
  const told = useTold()
  const [name, setName] = useState(calendar.name)
  const [problem, setProblem] = useState<string>()
  const save = async (changes: CalendarChanges) => {
    try {
      await changeCalendar(calendar.id, changes)
      setProblem(undefined)
    } catch (error) {
      setProblem(told(error))
    }
  }
  return (
    <section className="calendar-fields">
      <Field
        label={m.name}
        value={name}
        maxLength={100}
        disabled={calendar.is_system}
        problem={problem}
        onChange={({ target }) => setName(target.value)}
        onBlur={() => name !== calendar.name && void save({ name })}
      />
      <Field
        label={m.color}
        type="color"
        defaultValue={calendar.color}
        onBlur={({ target }) => target.value !== calendar.color && void save({ color: target.value })}
      />
      {!calendar.is_system && (
        <Switch
          label={m.default}
          hint={m.defaultHint}
          checked={calendar.is_default}
          disabled={calendar.is_default}
          onChange={() => void save({ is_default: true })}
        />
      )}
    </section>
  )
}

function Deletion({ calendar }: { readonly calendar: CalendarView }) {
  const m = useMessages(messages)
  const write = useWriting()
  const [, navigate] = useLocation()
  const remove = () => {
    navigate(PATTERNS.settingsCalendars)
    write(deletingCalendar(calendar, m.deleted(calendar.name)))
  }
  return (
    <section aria-labelledby="deletion-title">
      <h2 id="deletion-title">{m.delete}</h2>
      <p>{m.deleteHint}</p>
      <Button kind="danger" onClick={remove}>
        {m.delete}
      </Button>
    </section>
  )
}

/** What went wrong, in a sentence. @throws what is no refusal. */
function useTold() {
  const { sentence } = useRefusals()
  return (error: unknown): string => {
    const refusal = refusalOf(error)
    if (!refusal) throw error
    return sentence(refusal)
  }
}

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
import { ProblemNote } from '../parts/ProblemNote'
import { Skeleton } from '../parts/Skeleton'
import { useWriting } from '../store/use-writing'
import { messages } from './calendar-page.messages'
import { settingsMessages } from '../settings/settings-pages'
import { SettingsLayout } from '../settings/SettingsLayout'
import { deletingCalendar, useCalendarList } from './data'
import { Import } from './Import'
import { Members } from './Members'
import { Membership } from './Membership'
import { SecretAddress } from './SecretAddress'
import { changeCalendar } from './writes'

const SETTINGS = PLACES[8]

/** The settings of one calendar: its name and colour, import and export, its secret address. */
export function CalendarPage() {
  const id = Number(useParams<{ id: string }>().id)
  const { calendars, refusal, again } = useCalendarList()
  const m = useMessages(settingsMessages)
  const calendar = calendars?.find((each) => each.id === id)
  if (calendar) return <Settings key={calendar.id} calendar={calendar} />
  if (calendars) return <Gone place={SETTINGS} />
  return (
    <SettingsLayout page="calendars" heading={m.calendars}>
      {refusal ? <ProblemNote refusal={refusal} onTryAgain={again} /> : <Skeleton lines={4} />}
    </SettingsLayout>
  )
}

function Settings({ calendar }: { readonly calendar: CalendarView }) {
  const { is_system: isSystem, access } = calendar
  return (
    <SettingsLayout page="calendars" heading={calendar.name}>
      <OwnFields calendar={calendar} />
      {access !== 'owner' && <Membership calendar={calendar} />}
      {access === 'owner' && !isSystem && <Members calendar={calendar} />}
      {access !== 'read' && !isSystem && <Import calendar={calendar} />}
      {!isSystem && <Export calendar={calendar} />}
      {access === 'owner' && !isSystem && <OwnersPart calendar={calendar} />}
    </SettingsLayout>
  )
}

function Export({ calendar }: { readonly calendar: CalendarView }) {
  const m = useMessages(messages)
  return (
    <section aria-labelledby="export-title">
      <h2 id="export-title">{m.export}</h2>
      <p>
        <a href={`/api/${pathOf`calendars/${calendar.id}/export`}`} download>
          {m.download}
        </a>
      </p>
    </section>
  )
}

/** What concerns nobody but the owner. */
function OwnersPart({ calendar }: { readonly calendar: CalendarView }) {
  return (
    <>
      <SecretAddress calendar={calendar} />
      {!calendar.is_default && <Deletion calendar={calendar} />}
    </>
  )
}

/** Each field is saved by itself, as soon as it is left. A member of a calendar has a colour of their own for it. */
function OwnFields({ calendar }: { readonly calendar: CalendarView }) {
  const m = useMessages(messages)
  const told = useTold()
  const isOwner = calendar.access === 'owner'
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
      {isOwner && (
        <Field
          label={m.name}
          value={name}
          maxLength={100}
          disabled={calendar.is_system}
          problem={problem}
          onChange={({ target }) => setName(target.value)}
          onBlur={() => name !== calendar.name && void save({ name })}
        />
      )}
      <Field
        label={m.color}
        type="color"
        hint={isOwner ? undefined : m.ownColor}
        problem={isOwner ? undefined : problem}
        defaultValue={calendar.color}
        onBlur={({ target }) => target.value !== calendar.color && void save({ color: target.value })}
      />
      {isOwner && !calendar.is_system && (
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

import { useLocation, useParams } from 'wouter'
import type { CalendarView } from '../../features/calendars/calendars/model'
import { pathOf } from '../api/call'
import { PATTERNS } from '../app/addresses'
import { Gone } from '../app/Gone'
import { PLACES } from '../app/places'
import { useMessages } from '../messages/language'
import { Button } from '../parts/Button'
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
import { OwnFields } from './OwnFields'
import { SecretAddress } from './SecretAddress'

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

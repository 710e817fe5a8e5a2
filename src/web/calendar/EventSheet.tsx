import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { Dialog } from '../parts/Dialog'
import { Icon, type IconName } from '../parts/Icon'
import { fullDate } from '../time/format'
import { dayOfNumber, type CalendarEntry, mayChange, repeats } from './entries'
import { ownTimeOf, timesOf } from './names'
import { useReading } from './use-reading'

const messages = defineMessages({
  en: {
    allDay: 'All day',
    days: (from: string, to: string) => `${from} to ${to}`,
    repeats: 'Repeats',
    birthday: 'Birthdays change with their person.',
    person: 'Open the person',
    edit: 'Edit',
    move: 'Move…',
    delete: 'Delete',
  },
  de: {
    allDay: 'Ganztägig',
    days: (from: string, to: string) => `${from} bis ${to}`,
    repeats: 'Wiederholt sich',
    birthday: 'Geburtstage ändern sich mit ihrer Person.',
    person: 'Person öffnen',
    edit: 'Bearbeiten',
    move: 'Verschieben …',
    delete: 'Löschen',
  },
})

interface EventSheetProps {
  readonly entry: CalendarEntry
  readonly onOpen: () => void
  readonly onMove: () => void
  readonly onDelete: () => void
  readonly onClose: () => void
}

/** What a tap on an event shows: what it is, and what one can do with it. */
export function EventSheet({ entry, onOpen, onMove, onDelete, onClose }: EventSheetProps) {
  const m = useMessages(messages)
  const { event } = entry
  const isMine = mayChange(event)
  const buttons = (
    <>
      {isMine && (
        <Button kind="quiet" onClick={onDelete}>
          {m.delete}
        </Button>
      )}
      {isMine && <Button onClick={onMove}>{m.move}</Button>}
      <Button kind="primary" onClick={onOpen}>
        {event.is_virtual ? m.person : m.edit}
      </Button>
    </>
  )
  return (
    <Dialog title={event.title} onClose={onClose} footer={buttons}>
      <Facts entry={entry} />
    </Dialog>
  )
}

function Facts({ entry }: { readonly entry: CalendarEntry }) {
  const m = useMessages(messages)
  const reading = useReading()
  const { event } = entry
  const [first = '', last = ''] = [entry.firstDay, entry.lastDay].map((day) =>
    fullDate(dayOfNumber(day), reading.locale),
  )
  const times = event.all_day ? m.allDay : timesOf(entry, reading)
  const when = [first === last ? first : m.days(first, last), times, ownTimeOf(entry, reading)]
  return (
    <ul className="event-facts">
      <Fact icon="clock" text={when.filter(Boolean).join(' · ')} />
      <Fact icon="repeat" text={repeats(event) ? m.repeats : null} />
      <Fact icon="place" text={event.location} />
      <Fact icon="calendar" text={event.calendar_name} />
      <Fact icon="birthday" text={event.is_virtual ? m.birthday : null} />
      <Fact icon="info" text={event.description} />
    </ul>
  )
}

/** One thing that is known of an event, or nothing. */
function Fact({ icon, text }: { readonly icon: IconName; readonly text: string | null }) {
  if (text === null) return null
  return (
    <li>
      <Icon name={icon} />
      <span>{text}</span>
    </li>
  )
}

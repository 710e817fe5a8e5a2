import { type SyntheticEvent, useId, useState } from 'react'
import { DateField } from '../events/DateField'
import { readDay, shownDate } from '../events/draft'
import { useDateForms } from '../events/use-date-forms'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { Dialog } from '../parts/Dialog'
import { Field } from '../parts/Field'
import { daySpan } from '../time/days'
import { clockTime } from '../time/format'
import { parseTime } from '../time/parse'
import { useZone } from '../time/use-zone'
import { dayNumber, dayOfNumber, type CalendarEntry } from './entries'
import { type Draft, draftOf, moved } from './moving/draft'

const messages = defineMessages({
  en: {
    title: (title: string) => `Move ${title}`,
    date: 'Start date',
    time: 'Start time',
    noDate: 'Type a date such as 23 Nov or tomorrow.',
    noTime: 'Type a time such as 9:30.',
    cancel: 'Cancel',
    move: 'Move',
  },
  de: {
    title: (title: string) => `${title} verschieben`,
    date: 'Datum des Beginns',
    time: 'Uhrzeit des Beginns',
    noDate: 'Ein Datum eingeben, zum Beispiel 23. Nov. oder morgen.',
    noTime: 'Eine Uhrzeit eingeben, zum Beispiel 9:30.',
    cancel: 'Abbrechen',
    move: 'Verschieben',
  },
})

interface MoveDialogProps {
  readonly entry: CalendarEntry
  readonly onMove: (draft: Draft) => void
  readonly onClose: () => void
}

/** Moves an event by typing, for everybody who cannot or does not want to drag. */
export function MoveDialog({ entry, onMove, onClose }: MoveDialogProps) {
  const m = useMessages(messages)
  const id = useId()
  const zone = useZone()
  const forms = useDateForms()
  const { locale } = forms
  const start = Temporal.Instant.fromEpochMilliseconds(entry.startMs)
  const isTimed = !entry.event.all_day
  const [date, setDate] = useState(() => shownDate(dayOfNumber(entry.firstDay), locale))
  const [time, setTime] = useState(() => (isTimed ? clockTime(start, zone, locale) : ''))
  const [isTried, setTried] = useState(false)
  const day = readDay(date, forms)
  const at = parseTime(time)
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    setTried(true)
    if (day && (at || !isTimed)) onMove(movedTo(entry, day, at, zone))
  }
  return (
    <Dialog
      title={m.title(entry.event.title)}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{m.cancel}</Button>
          <Button kind="primary" type="submit" form={id}>
            {m.move}
          </Button>
        </>
      }
    >
      <form id={id} className="move-form" noValidate onSubmit={submit}>
        <DateField
          label={m.date}
          value={date}
          problem={isTried && !day ? m.noDate : undefined}
          onChange={setDate}
        />
        {isTimed && (
          <Field
            label={m.time}
            value={time}
            autoComplete="off"
            problem={isTried && !at ? m.noTime : undefined}
            onChange={({ target }) => setTime(target.value)}
          />
        )}
      </form>
    </Dialog>
  )
}

function movedTo(
  entry: CalendarEntry,
  day: Temporal.PlainDate,
  at: Temporal.PlainTime | undefined,
  zone: string,
): Draft {
  const draft = draftOf(entry)
  if (draft.is === 'days' || !at) return moved(draft, { days: dayNumber(day) - entry.firstDay }, zone)
  const startMs = at.equals(new Temporal.PlainTime())
    ? daySpan(day, zone).startMs
    : day.toZonedDateTime({ timeZone: zone, plainTime: at }).epochMilliseconds
  return { is: 'timed', startMs, endMs: startMs + draft.endMs - draft.startMs }
}

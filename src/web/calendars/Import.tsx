import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import type { CalendarView } from '../../features/calendars/calendars/model'
import { calendarAddress } from '../app/addresses'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { FileImport } from '../parts/FileImport'
import { firstDayOf, importCalendar } from './writes'

const messages = defineMessages({
  en: {
    file: 'Calendar file (.ics)',
    tooLarge: 'The file is larger than 10 MiB. Export it in parts, by year for example.',
    showFirst: 'Show the first event',
  },
  de: {
    file: 'Kalenderdatei (.ics)',
    tooLarge: 'Die Datei ist größer als 10 MiB. Ein Export in Teilen hilft, zum Beispiel nach Jahren.',
    showFirst: 'Ersten Termin zeigen',
  },
})

/** Takes the events of a calendar file into a calendar. */
export function Import({ calendar: { id } }: { readonly calendar: CalendarView }) {
  const m = useMessages(messages)
  return (
    <FileImport
      label={m.file}
      accept=".ics,text/calendar"
      tooLarge={m.tooLarge}
      send={(upload) => importCalendar(id, upload)}
      after={(file) => <FirstEvent file={file} />}
    />
  )
}

function FirstEvent({ file }: { readonly file: File }) {
  const m = useMessages(messages)
  const [day, setDay] = useState<Temporal.PlainDate>()
  useEffect(() => {
    void file.text().then((text) => setDay(firstDayOf(text)))
  }, [file])
  return day ? <Link href={calendarAddress('day', day)}>{m.showFirst}</Link> : null
}

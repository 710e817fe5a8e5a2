import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { cssVariables } from '../styles/variables'
import { dayTitle } from '../time/format'
import { useMinute, useToday } from '../time/use-now'
import { dayNumber, dayOfNumber, type CalendarEntry } from './entries'
import { nameOf, ownTimeOf, type TimeReading, standingOf, timesOf } from './names'

const messages = defineMessages({
  en: { allDay: 'All day', until: (date: string) => `until ${date}` },
  de: { allDay: 'Ganztägig', until: (date: string) => `bis ${date}` },
})

interface EventLineProps {
  readonly entry: CalendarEntry
  /** The day in whose list it stands. */
  readonly day: number
  readonly reading: TimeReading
  /** Its place among those that the arrows go through; what has none is a stop of the Tab key. */
  readonly at?: number
  readonly onOpen?: (entry: CalendarEntry, isTap: boolean) => void
}

/** An occurrence in a list of a day: when, what, and what else is known of it. */
export function EventLine({ entry, day, reading, at, onOpen }: EventLineProps) {
  const m = useMessages(messages)
  const { event } = entry
  const last = dayTitle(dayOfNumber(entry.lastDay), reading.locale)
  const standing = standingOf(event)
  const more = [
    ownTimeOf(entry, reading),
    entry.lastDay > day && entry.isBar && m.until(last),
    event.location,
    event.calendar_name,
    standing !== 'own' && reading.m[standing],
  ]
  return (
    <button
      type="button"
      className="event event-line-of-day"
      data-key={entry.key}
      data-at={at}
      data-standing={standing}
      data-past={useIsPast(entry) || undefined}
      tabIndex={at === undefined ? 0 : -1}
      style={cssVariables({ '--colour': event.calendar_color ?? undefined })}
      onClick={({ nativeEvent }) =>
        onOpen?.(entry, nativeEvent instanceof PointerEvent && nativeEvent.pointerType === 'touch')
      }
    >
      <span className="visually-hidden">{nameOf(entry, reading)}</span>
      <span className="event-times" aria-hidden="true">
        {event.all_day ? m.allDay : timesOf(entry, reading)}
      </span>
      <span className="event-what" aria-hidden="true">
        <span className="event-title">{event.title}</span>
        <span className="event-detail">{more.filter(Boolean).join(' · ')}</span>
      </span>
    </button>
  )
}

function useIsPast({ event, lastDay, endMs }: CalendarEntry): boolean {
  const minute = useMinute()
  const today = useToday()
  return event.all_day ? lastDay < dayNumber(today) : endMs <= minute
}

import type { EventView } from '../../features/events/events/model'
import { useLanguage, useLocale, useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Icon, type IconName } from '../parts/Icon'
import { repeatOf } from '../recurrence/rule'
import { inWords } from '../recurrence/words'
import { clockTime, fullDate, periodTitle } from '../time/format'
import { useZone } from '../time/use-zone'
import { showsSame, zonePlace } from '../time/zones'

const messages = defineMessages({
  en: {
    span: (from: string, to: string) => `${from} to ${to}`,
    at: (day: string, time: string) => `${day}, ${time}`,
    there: (from: string, to: string, zone: string) => `${from} to ${to} in ${zone}`,
    repeats: 'Repeats',
    repeatsSo: (words: string) => `Repeats ${words}`,
    private: 'Private',
  },
  de: {
    span: (from: string, to: string) => `${from} bis ${to}`,
    at: (day: string, time: string) => `${day}, ${time}`,
    there: (from: string, to: string, zone: string) => `${from} bis ${to} in ${zone}`,
    repeats: 'Wiederholt sich',
    repeatsSo: (words: string) => `Wiederholt sich ${words}`,
    private: 'Privat',
  },
})

/** An event to read, on the viewer's clocks; those of its own zone are beside them where they differ. */
export function EventFacts({ event }: { readonly event: EventView }) {
  const m = useMessages(messages)
  const { language } = useLanguage()
  const when = useWhen(event)
  const repeat = event.recurrence_rule === null ? undefined : repeatOf(event.recurrence_rule)
  return (
    <ul className="event-facts">
      <Fact icon="clock" text={when.here} />
      {when.there !== undefined && <Fact icon="clock" text={when.there} />}
      {event.recurrence_rule !== null && (
        <Fact icon="repeat" text={repeat ? m.repeatsSo(inWords(repeat, language)) : m.repeats} />
      )}
      {event.location !== null && <Fact icon="place" text={event.location} />}
      {event.calendar_name !== null && <Fact icon="calendar" text={event.calendar_name} />}
      {event.visibility === 'private' && <Fact icon="lock" text={m.private} />}
      {event.description !== null && <li className="event-description">{event.description}</li>}
    </ul>
  )
}

function Fact({ icon, text }: { readonly icon: IconName; readonly text: string }) {
  return (
    <li>
      <Icon name={icon} />
      <span>{text}</span>
    </li>
  )
}

function useWhen(event: EventView): { readonly here: string; readonly there?: string } {
  const m = useMessages(messages)
  const locale = useLocale()
  const zone = useZone()
  const { start_date: first, end_date: last, start_at: start, end_at: end, time_zone: own } = event
  if (first !== null && last !== null) {
    const [from, to] = [Temporal.PlainDate.from(first), Temporal.PlainDate.from(last)]
    return { here: from.equals(to) ? fullDate(from, locale) : periodTitle(from, to, locale) }
  }
  const [from, to] = [Temporal.Instant.from(start ?? ''), Temporal.Instant.from(end ?? '')]
  const day = (at: Temporal.Instant) => at.toZonedDateTimeISO(zone).toPlainDate()
  const begin = m.at(fullDate(day(from), locale), clockTime(from, zone, locale))
  const close = clockTime(to, zone, locale)
  const here = m.span(begin, day(from).equals(day(to)) ? close : m.at(fullDate(day(to), locale), close))
  if (own === null || showsSame(from, own, zone)) return { here }
  return { here, there: m.there(clockTime(from, own, locale), clockTime(to, own, locale), zonePlace(own)) }
}

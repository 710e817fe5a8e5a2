import { defineMessages } from '../messages/messages'
import { clockTime, fullDate, offsetName } from '../time/format'
import { showsSame, zonePlace } from '../time/zones'
import { dayOfNumber, type CalendarEntry, repeats } from './entries'

export const nameMessages = defineMessages({
  en: {
    sameDay: (title: string, date: string, from: string, to: string) => `${title}, ${date}, ${from} to ${to}`,
    moment: (title: string, date: string, at: string) => `${title}, ${date}, ${at}`,
    overDays: (title: string, from: string, to: string) => `${title}, ${from} to ${to}`,
    allDay: (title: string, date: string) => `${title}, ${date}, all day`,
    allDays: (title: string, from: string, to: string) => `${title}, ${from} to ${to}, all day`,
    dateTime: (date: string, time: string) => `${date} ${time}`,
    span: (from: string, to: string) => `${from}–${to}`,
    elsewhere: (time: string, place: string) => `${time} in ${place}`,
    repeats: 'repeats',
    declined: 'declined',
    tentative: 'tentative',
    invitation: 'invitation',
  },
  de: {
    sameDay: (title: string, date: string, from: string, to: string) =>
      `${title}, ${date}, ${from} bis ${to}`,
    moment: (title: string, date: string, at: string) => `${title}, ${date}, ${at}`,
    overDays: (title: string, from: string, to: string) => `${title}, ${from} bis ${to}`,
    allDay: (title: string, date: string) => `${title}, ${date}, ganztägig`,
    allDays: (title: string, from: string, to: string) => `${title}, ${from} bis ${to}, ganztägig`,
    dateTime: (date: string, time: string) => `${date} ${time}`,
    span: (from: string, to: string) => `${from}–${to}`,
    elsewhere: (time: string, place: string) => `${time} in ${place}`,
    repeats: 'wiederholt sich',
    declined: 'abgesagt',
    tentative: 'vorläufig',
    invitation: 'Einladung',
  },
})

/** What texts of times need to know. */
export interface TimeReading {
  readonly zone: string
  readonly locale: string
  readonly m: (typeof nameMessages)['de']
}

/** How an occurrence looks, by the user's answer to its invitation. */
export type Standing = 'own' | 'declined' | 'tentative' | 'invitation'

export function standingOf({ my_invitation: invitation }: CalendarEntry['event']): Standing {
  if (invitation === null) return 'own'
  if (invitation.response === null) return 'invitation'
  return ({ Declined: 'declined', Tentative: 'tentative', Going: 'own' } as const)[invitation.response]
}

/** The name of an occurrence's button: what, when, in which calendar, and what else is known of it. */
export function nameOf(entry: CalendarEntry, reading: TimeReading): string {
  const { event } = entry
  const standing = standingOf(event)
  return [
    whenOf(entry, reading),
    event.calendar_name,
    repeats(event) && reading.m.repeats,
    standing !== 'own' && reading.m[standing],
  ]
    .filter(Boolean)
    .join(', ')
}

const instant = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms)

/** What and when, in words. */
export function whenOf(
  { event, startMs, endMs, firstDay, lastDay }: CalendarEntry,
  { zone, locale, m }: TimeReading,
): string {
  const date = fullDate(dayOfNumber(firstDay), locale)
  const lastDate = fullDate(dayOfNumber(lastDay), locale)
  if (event.all_day)
    return firstDay === lastDay ? m.allDay(event.title, date) : m.allDays(event.title, date, lastDate)
  const [from, to] = [clockTime(instant(startMs), zone, locale), clockTime(instant(endMs), zone, locale)]
  if (startMs === endMs) return m.moment(event.title, date, from)
  if (firstDay === lastDay) return m.sameDay(event.title, date, from, to)
  return m.overDays(event.title, m.dateTime(date, from), m.dateTime(lastDate, to))
}

/** "12:30–13:15" in the user's zone. */
export function timesOf(
  { startMs, endMs }: Pick<CalendarEntry, 'startMs' | 'endMs'>,
  { zone, locale, m }: TimeReading,
): string {
  const from = clockTime(instant(startMs), zone, locale)
  return startMs === endMs ? from : m.span(from, clockTime(instant(endMs), zone, locale))
}

/** When it begins by the clocks of its own zone; undefined where they show what the user's do. */
export function ownTimeOf(
  { event, startMs }: CalendarEntry,
  { zone, locale, m }: TimeReading,
): string | undefined {
  const own = event.time_zone
  if (event.all_day || own === null || showsSame(instant(startMs), zone, own)) return undefined
  return m.elsewhere(clockTime(instant(startMs), own, locale), placeOf(own, instant(startMs), locale))
}

/** Zones such as "Etc/GMT-5" and "UTC" name no place: their difference says more. */
const placeOf = (zone: string, at: Temporal.Instant, locale: string) =>
  zone.includes('/') && !zone.startsWith('Etc/') ? zonePlace(zone) : offsetName(at, zone, locale)

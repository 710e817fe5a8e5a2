import type { Language } from '../messages/messages'
import { counted, defineMessages, localeOf, textsIn } from '../messages/messages'
import { inWords } from '../recurrence/words'
import { fullDate, periodTitle } from '../time/format'
import type { Meaning } from './grammar'
import type { Understood } from './understand'

const messages = defineMessages({
  en: {
    kind: 'kind',
    date: 'date',
    time: 'time',
    duration: 'duration',
    days: 'duration',
    place: 'place',
    repeat: 'repeat',
    calendar: 'calendar',
    category: 'category',
    event: 'Event',
    todo: 'Todo',
    reminder: 'Reminder',
    due: (day: string) => `due ${day}`,
    span: (from: string, to: string) => `${from} to ${to}`,
    hours: (count: number) => counted(count, '1 hour', `${count} hours`),
    minutes: (count: number) => counted(count, '1 minute', `${count} minutes`),
    dayCount: (count: number) => counted(count, '1 day', `${count} days`),
    at: (day: string, time: string) => `${day}, ${time}`,
    in: (said: string, calendar: string) => `${said}, in ${calendar}`,
    repeats: (said: string, words: string) => `${said}, ${words}`,
    noDay: 'Without a day',
  },
  de: {
    kind: 'Art',
    date: 'Tag',
    time: 'Zeit',
    duration: 'Dauer',
    days: 'Dauer',
    place: 'Ort',
    repeat: 'Wiederholung',
    calendar: 'Kalender',
    category: 'Kategorie',
    event: 'Termin',
    todo: 'Aufgabe',
    reminder: 'Erinnerung',
    due: (day: string) => `fällig ${day}`,
    span: (from: string, to: string) => `${from} bis ${to}`,
    hours: (count: number) => counted(count, '1 Stunde', `${count} Stunden`),
    minutes: (count: number) => counted(count, '1 Minute', `${count} Minuten`),
    dayCount: (count: number) => counted(count, '1 Tag', `${count} Tage`),
    at: (day: string, time: string) => `${day}, ${time}`,
    in: (said: string, calendar: string) => `${said}, in „${calendar}“`,
    repeats: (said: string, words: string) => `${said}, ${words}`,
    noDay: 'Ohne Tag',
  },
})

const clock = (time: Temporal.PlainTime) => time.toString({ smallestUnit: 'minute' })

/** What a piece was understood as: "date", "Tuesday 24 November 2026". */
export function saidOf(
  meaning: Meaning,
  { kind, calendar }: { readonly kind: Understood['kind']; readonly calendar: string | undefined },
  language: Language,
): { readonly what: string; readonly value: string } {
  const m = textsIn(messages, language)
  const isCategory = meaning.what === 'calendar' && kind === 'todo'
  const what = isCategory ? m.category : m[meaning.what]
  return { what, value: valueOf(meaning, isCategory ? undefined : calendar, language) }
}

function valueOf(meaning: Meaning, calendar: string | undefined, language: Language): string {
  const m = textsIn(messages, language)
  if ('name' in meaning) return calendar ?? meaning.name
  switch (meaning.what) {
    case 'kind':
      return m[meaning.kind]
    case 'date':
      return daysInWords(meaning.from, meaning.to, localeOf(language))
    case 'time':
      return timesInWords(meaning, m.span)
    case 'duration':
      return durationInWords(meaning.minutes, m)
    case 'days':
      return m.dayCount(meaning.days)
    case 'place':
      return meaning.place
    case 'repeat':
      return inWords(meaning.repeat, language)
  }
}

const durationInWords = (minutes: number, m: Pick<typeof messages.en, 'hours' | 'minutes'>) =>
  minutes % 60 === 0 ? m.hours(minutes / 60) : m.minutes(minutes)

const timesInWords = (
  { from, to }: { readonly from: Temporal.PlainTime; readonly to?: Temporal.PlainTime },
  span: (from: string, to: string) => string,
) => (to ? span(clock(from), clock(to)) : clock(from))

const daysInWords = (from: Temporal.PlainDate, to: Temporal.PlainDate | undefined, locale: string) =>
  to && !to.equals(from) ? periodTitle(from, to, locale) : fullDate(from, locale)

/** When the line will stand, in words: what was understood together with what was added to it. */
export function whenInWords(
  understood: Understood,
  calendar: string | undefined,
  language: Language,
): string {
  const m = textsIn(messages, language)
  const { kind, repeat } = understood
  const when = whenOf(understood, language)
  const repeated = repeat ? m.repeats(when, inWords(repeat, language)) : when
  return kind === 'event' && calendar !== undefined ? m.in(repeated, calendar) : repeated
}

function whenOf({ kind, day, lastDay, time, endTime }: Understood, language: Language): string {
  const m = textsIn(messages, language)
  const locale = localeOf(language)
  if (!day) return m.noDay
  if (!time) return kind === 'todo' ? m.due(fullDate(day, locale)) : daysInWords(day, lastDay, locale)
  const start = m.at(fullDate(day, locale), clock(time))
  if (!endTime || !lastDay) return kind === 'todo' ? m.due(start) : start
  const end = lastDay.equals(day) ? clock(endTime) : m.at(fullDate(lastDay, locale), clock(endTime))
  return m.span(start, end)
}

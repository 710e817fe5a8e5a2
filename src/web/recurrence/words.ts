import type { Language } from '../messages/messages'
import { localeOf, counted, defineMessages, textsIn } from '../messages/messages'
import { type NthWeekday, type Repeat, WORKDAYS } from './rule'

const messages = defineMessages({
  en: {
    DAILY: (n: number) => counted(n, 'every day', `every ${n} days`),
    WEEKLY: (n: number) => counted(n, 'every week', `every ${n} weeks`),
    MONTHLY: (n: number) => counted(n, 'every month', `every ${n} months`),
    YEARLY: (n: number) => counted(n, 'every year', `every ${n} years`),
    workdays: 'every weekday',
    onDays: (n: number, days: string) => counted(n, `every ${days}`, `every ${n} weeks on ${days}`),
    onNth: (n: number, nth: string) =>
      counted(n, `every ${nth} of the month`, `every ${n} months on the ${nth}`),
    nth: (place: number, weekday: string) => `${EN_PLACES.get(place) ?? `${place}th`} ${weekday}`,
    times: (said: string, count: number) => counted(count, `${said}, once`, `${said}, ${count} times`),
    until: (said: string, day: string) => `${said}, until ${day}`,
  },
  de: {
    DAILY: (n: number) => counted(n, 'jeden Tag', `alle ${n} Tage`),
    WEEKLY: (n: number) => counted(n, 'jede Woche', `alle ${n} Wochen`),
    MONTHLY: (n: number) => counted(n, 'jeden Monat', `alle ${n} Monate`),
    YEARLY: (n: number) => counted(n, 'jedes Jahr', `alle ${n} Jahre`),
    workdays: 'jeden Werktag',
    onDays: (n: number, days: string) => counted(n, `jeden ${days}`, `alle ${n} Wochen am ${days}`),
    onNth: (n: number, nth: string) => counted(n, `jeden ${nth} im Monat`, `alle ${n} Monate am ${nth}`),
    nth: (place: number, weekday: string) => `${place === -1 ? 'letzten' : `${place}.`} ${weekday}`,
    times: (said: string, count: number) => counted(count, `${said}, einmal`, `${said}, ${count}-mal`),
    until: (said: string, day: string) => `${said}, bis ${day}`,
  },
})

const EN_PLACES = new Map([[-1, 'last'], [1, '1st'], [2, '2nd'], [3, '3rd']]) // prettier-ignore

/** 3 January 2000 was a Monday. */
export const weekdayName = (
  weekday: number,
  language: Language,
  style: 'long' | 'short' | 'narrow' = 'long',
): string =>
  Temporal.PlainDate.from('2000-01-02')
    .add({ days: weekday })
    .toLocaleString(localeOf(language), { weekday: style })

/** Says a repetition in words, beginning in lower case: "every 2 weeks on Monday and Friday, 10 times". */
export function inWords(repeat: Repeat, language: Language): string {
  const m = textsIn(messages, language)
  const said = rhythm(repeat, language)
  if (repeat.count !== undefined) return m.times(said, repeat.count)
  if (repeat.until === undefined) return said
  const day = Temporal.PlainDate.from(repeat.until)
  return m.until(
    said,
    day.toLocaleString(localeOf(language), { day: 'numeric', month: 'long', year: 'numeric' }),
  )
}

function rhythm({ frequency, interval, weekdays, nth }: Repeat, language: Language): string {
  const m = textsIn(messages, language)
  if (frequency === 'MONTHLY' && nth) return m.onNth(interval, nthInWords(nth, language))
  if (frequency !== 'WEEKLY' || weekdays.length === 0) return m[frequency](interval)
  const days = weekdays.toSorted((a, b) => a - b)
  if (interval === 1 && String(days) === String(WORKDAYS)) return m.workdays
  const names = days.map((weekday) => weekdayName(weekday, language))
  return m.onDays(interval, new Intl.ListFormat(localeOf(language)).format(names))
}

export const nthInWords = ({ place, weekday }: NthWeekday, language: Language): string =>
  textsIn(messages, language).nth(place, weekdayName(weekday, language))

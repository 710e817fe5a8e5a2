import { useLocale, useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { dateAt } from './days'
import { clockTime, shortDate } from './format'
import { useToday } from './use-now'
import { useZone } from './use-zone'

const messages = defineMessages({
  en: {
    today: (time: string) => `today at ${time}`,
    yesterday: (time: string) => `yesterday at ${time}`,
    other: (day: string, time: string) => `on ${day} at ${time}`,
  },
  de: {
    today: (time) => `heute um ${time}`,
    yesterday: (time) => `gestern um ${time}`,
    other: (day, time) => `am ${day} um ${time}`,
  },
})

/** Returns a function that says when something was or will be: "today at 14:02". */
export function useMoment(): (instant: string) => string {
  const m = useMessages(messages)
  const [zone, locale, today] = [useZone(), useLocale(), useToday()]
  return (instant) => {
    const at = Temporal.Instant.from(instant)
    const [day, time] = [dateAt(at, zone), clockTime(at, zone, locale)]
    if (day.equals(today)) return m.today(time)
    return day.equals(today.subtract({ days: 1 })) ? m.yesterday(time) : m.other(shortDate(day, locale), time)
  }
}

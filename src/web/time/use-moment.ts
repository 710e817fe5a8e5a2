import { useLocale } from '../messages/language'
import { dateAt } from './days'
import { clockTime, shortDate } from './format'
import { useToday } from './use-now'
import { useZone } from './use-zone'

/** Returns a function that says when something was or will be: the time alone today, else the day as well. */
export function useMoment(): (instant: string) => string {
  const [zone, locale, today] = [useZone(), useLocale(), useToday()]
  return (instant) => {
    const at = Temporal.Instant.from(instant)
    const [day, time] = [dateAt(at, zone), clockTime(at, zone, locale)]
    return day.equals(today) ? time : `${shortDate(day, locale)}, ${time}`
  }
}

import { useCallback } from 'react'
import { useLocale, useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { clockTime, fullDate, shortDay } from './format'
import { useToday } from './use-now'
import { useZone } from './use-zone'

const messages = defineMessages({
  en: {
    yesterday: 'Yesterday',
    today: 'Today',
    tomorrow: 'Tomorrow',
    at: (day: string, time: string) => `${day}, ${time}`,
  },
  de: {
    yesterday: 'Gestern',
    today: 'Heute',
    tomorrow: 'Morgen',
    at: (day, time) => `${day}, ${time} Uhr`,
  },
})

/** Returns a function that says when something is, in the user's zone: "Today, 12:30", "Fri, 27 Nov, 09:00". */
export function useMoments(): (at: string) => string {
  const m = useMessages(messages)
  const locale = useLocale()
  const zone = useZone()
  const today = useToday().toString()
  return useCallback(
    (at) => {
      const instant = Temporal.Instant.from(at)
      const day = instant.toZonedDateTimeISO(zone).toPlainDate()
      const here = Temporal.PlainDate.from(today)
      const near = new Map([
        [-1, m.yesterday],
        [0, m.today],
        [1, m.tomorrow],
      ]).get(here.until(day).days)
      const far = day.year === here.year ? shortDay(day, locale) : fullDate(day, locale)
      return m.at(near ?? far, clockTime(instant, zone, locale))
    },
    [m, locale, zone, today],
  )
}

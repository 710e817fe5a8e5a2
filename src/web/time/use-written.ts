import { useMemo } from 'react'
import { useLocale } from '../messages/language'
import { clockTime, longDate } from './format'
import { useZone } from './use-zone'

/** Moments that the service gives as RFC 3339, as people write them in the user's zone. */
export function useWritten() {
  const zone = useZone()
  const locale = useLocale()
  return useMemo(() => {
    const date = (at: string) =>
      longDate(Temporal.Instant.from(at).toZonedDateTimeISO(zone).toPlainDate(), locale)
    return {
      /** "4 March 2026". */
      date,
      /** "4 March 2026, 10:30". */
      moment: (at: string) => `${date(at)}, ${clockTime(Temporal.Instant.from(at), zone, locale)}`,
    }
  }, [zone, locale])
}

import { useMemo } from 'react'
import { useLocale } from '../messages/language'
import { isMonthFirst } from '../time/month-first'
import { today } from '../time/now'
import { useZone } from '../time/use-zone'
import type { DateForms } from './draft'

/** How this user types dates. */
export function useDateForms(): DateForms {
  const locale = useLocale()
  const zone = useZone()
  return useMemo(() => ({ today: today(zone), monthFirst: isMonthFirst(locale), locale }), [locale, zone])
}

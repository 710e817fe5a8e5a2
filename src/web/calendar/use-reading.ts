import { useMemo } from 'react'
import { useLocale, useMessages } from '../messages/language'
import { useZone } from '../time/use-zone'
import { nameMessages, type TimeReading } from './names'

/** The zone, the locale and the words in which the user reads times; the same object while they stay the same. */
export function useReading(): TimeReading {
  const [zone, locale, m] = [useZone(), useLocale(), useMessages(nameMessages)]
  return useMemo(() => ({ zone, locale, m }), [zone, locale, m])
}

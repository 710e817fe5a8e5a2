import { useCallback, useReducer } from 'react'
import { calendarAddress } from '../app/addresses'
import { entryKey } from './use-place'

const FIRST_DAYS = 28
const STEP_DAYS = 28
const MOST_DAYS = 364

/** By entry of the history, so that Back finds as much as was left. */
const spans = new Map<string, number>()

/** How many days the agenda from a date on shows, and what shows more of them; undefined once it shows a year (contract: web.agenda). */
export function useAgendaSpan(date: Temporal.PlainDate) {
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const key = `${entryKey()} ${calendarAddress('agenda', date)}`
  const days = spans.get(key) ?? FIRST_DAYS
  const showMore = useCallback(() => {
    spans.set(key, days + STEP_DAYS)
    redraw()
  }, [key, days])
  return { days, showMore: days < MOST_DAYS ? showMore : undefined }
}

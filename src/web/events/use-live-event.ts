import { useCallback, useRef } from 'react'
import type { EventView } from '../../features/events/events/model'
import { useAnswer } from '../api/use-answer'
import { useRowsOf, useStore } from '../store/use-store'
import { isReadOnly } from './rights'
import { readOpened } from './use-opened-event'

/**
 * An event that may only be read, as it is now: it is read again whenever the feed tells of it or of its calendar. Once it may be
 * edited it stays as it is, as an editor merges what comes later.
 */
export function useLiveEvent(opened: EventView): EventView | 'gone' {
  const store = useStore()
  const { id, occurrence_start: at } = opened
  const isOld = useRef(false)
  const ask = useCallback(
    async () => (isOld.current && id !== null ? readOpened(store, id, at ?? undefined) : opened),
    [store, id, at, opened],
  )
  const { value = opened, again } = useAnswer(ask)
  const isFinal = value === 'gone' || !isReadOnly(value)
  const readAgain = useCallback(() => {
    isOld.current = true
    if (!isFinal) again()
  }, [again, isFinal])
  useRowsOf({ kind: 'event', id: id ?? 0 }, readAgain)
  useRowsOf({ kind: 'calendar', id: opened.calendar_id ?? 0 }, readAgain)
  return value
}

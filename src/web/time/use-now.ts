import { useSyncExternalStore } from 'react'
import { now } from './now'
import { useZone } from './use-zone'

/** One clock for the whole page: it ticks with the minutes, and at once when a sleeping page is looked at again. */
const MINUTE_MS = 60_000
let minuteMs = 0
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

function tick(): void {
  clearTimeout(timer)
  const atMs = now().epochMilliseconds
  const next = atMs - (atMs % MINUTE_MS)
  timer = setTimeout(tick, next + MINUTE_MS - atMs)
  if (next === minuteMs) return
  minuteMs = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    tick()
    document.addEventListener('visibilitychange', tick)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', tick)
  }
}

const readMinute = () => (minuteMs === 0 ? firstMinute() : minuteMs)
function firstMinute(): number {
  const atMs = now().epochMilliseconds
  return (minuteMs = atMs - (atMs % MINUTE_MS))
}

/** The minute that has begun, in epoch milliseconds. */
export const useMinute = (): number => useSyncExternalStore(subscribe, readMinute)

/** Today in the user's zone; it turns at their midnight. */
export function useToday(): Temporal.PlainDate {
  const zone = useZone()
  const text = useSyncExternalStore(subscribe, () =>
    Temporal.Instant.fromEpochMilliseconds(readMinute()).toZonedDateTimeISO(zone).toPlainDate().toString(),
  )
  return Temporal.PlainDate.from(text)
}

/** The hour of the day in the user's zone, from 0 to 23. */
export function useHour(): number {
  const zone = useZone()
  return useSyncExternalStore(
    subscribe,
    () => Temporal.Instant.fromEpochMilliseconds(readMinute()).toZonedDateTimeISO(zone).hour,
  )
}

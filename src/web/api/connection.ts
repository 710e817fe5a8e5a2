import { readHttpDate } from '../time/http-date'
import { now } from '../time/now'

/** How the service was reached last. */
export interface ConnectionState {
  /** `away`: the device has a network, and the service does not answer in it. */
  readonly reach: 'online' | 'offline' | 'away' | 'busy'
  /** When the service last answered and was not busy, by this device's clock; undefined before its first answer. */
  readonly answeredAt: Temporal.Instant | undefined
  /** How far this device's clock is ahead of the service's, in seconds. */
  readonly skewSeconds: number
}

let state: ConnectionState = { reach: 'online', answeredAt: undefined, skewSeconds: 0 }
const listeners = new Set<() => void>()

function change(next: Partial<ConnectionState>): void {
  state = { ...state, ...next }
  for (const listener of listeners) listener()
}

/** For `useSyncExternalStore`. */
export const connection = {
  read: (): ConnectionState => state,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

export function noteUnreachable(reach: 'offline' | 'away' = navigator.onLine ? 'away' : 'offline'): void {
  if (state.reach !== reach) change({ reach })
}

/** How often the device has said that it has no network. */
let losses = 0

export const networkLosses = (): number => losses

/** The device has lost its network: answers that were on their way say nothing any more. */
export function noteNetworkLost(): void {
  losses++
  noteUnreachable('offline')
}

/** What the device says of its network counts before a request fails; back in it, the next answer says more. */
export function watchNetwork(): void {
  addEventListener('offline', noteNetworkLost)
  addEventListener('online', () => {
    if (state.reach === 'offline') change({ reach: 'online' })
  })
}

/** A 503 says that the service is busy or restarting; every other answer, that it is there. `lossesBefore` are those before it was asked. */
export function noteAnswer({ status, headers }: Response, lossesBefore: number): void {
  if (lossesBefore < losses) return
  const answeredAt = now()
  const date = headers.get('date')
  const skewSeconds = date === null ? state.skewSeconds : secondsAhead(answeredAt, date)
  if (status === 503) change({ reach: 'busy', skewSeconds })
  else change({ reach: 'online', answeredAt, skewSeconds })
}

/** The header has whole seconds, so half a second is the best guess. */
function secondsAhead(at: Temporal.Instant, date: string): number {
  const sentAt = readHttpDate(date)
  return sentAt ? Math.round((at.epochMilliseconds - sentAt.epochMilliseconds - 500) / 1000) : 0
}

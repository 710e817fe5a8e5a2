import { call } from '../api/call'
import { connection, noteNetworkLost } from '../api/connection'
import { randomShare } from '../api/random'

/** How often the service is asked whether it is back, in milliseconds; up to as much again, so that not all clients ask at once. */
const ASK_AFTER_MS = 5000

/** Notices when the device goes offline, and when the service is reached again although nobody does anything. */
export function watchConnection(): () => void {
  const stop = new AbortController()
  const { signal } = stop
  const ask = () => void call('GET', 'auth/status', { signal }).catch(() => {})
  let timer: ReturnType<typeof setTimeout> | undefined
  const askLater = () => {
    clearTimeout(timer)
    if (connection.read().reach === 'online') return
    timer = setTimeout(
      () => {
        ask()
        askLater()
      },
      ASK_AFTER_MS * (1 + randomShare()),
    )
  }
  const unsubscribe = connection.subscribe(askLater)
  addEventListener('offline', noteNetworkLost, { signal })
  addEventListener('online', ask, { signal })
  askLater()
  return () => {
    stop.abort()
    unsubscribe()
    clearTimeout(timer)
  }
}

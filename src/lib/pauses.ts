import { unavailable } from './errors'
import type { Clock } from './ports/clock'

/** The longest time that a request may block all others. */
const SLICE_MS = 5
/** Shorter than the request's deadline, after which the import would go on without a client. */
export const IMPORT_LIMIT_MS = 50_000
/** The same limit for a request that reads. */
export const READ_LIMIT_MS = 9000

/** One turn of the event loop for each slice: otherwise several long requests would all use the same turn. */
let turns: Promise<void> = Promise.resolve()

/**
 * Returns a function to await between the steps of long work: it lets other requests run whenever 5 ms have passed since the
 * last pause.
 * @throws {AppError} 503 once the work has taken longer than `limitMs`.
 */
export function pauses(clock: Pick<Clock, 'monotonic' | 'sleep'>, limitMs = Infinity): () => Promise<void> {
  const startedAt = clock.monotonic()
  let pausedAt = startedAt
  return async () => {
    const now = clock.monotonic()
    if (now - pausedAt < SLICE_MS) return
    if (now - startedAt > limitMs) throw unavailable(undefined)
    turns = turns.then(() => clock.sleep(0))
    await turns
    pausedAt = clock.monotonic()
  }
}

import { unavailable } from './errors'
import type { Clock } from './ports'

/** How long one request may keep the others waiting. */
const SLICE_MS = 10
/** Before the request runs into its own deadline, which would leave the import to go on for nobody. */
export const IMPORT_LIMIT_MS = 50_000

/**
 * Lets others in whenever 10 ms have passed since it did so last: what takes long awaits it between any two of its steps.
 * @throws {AppError} 503 once it has taken longer than `limitMs`.
 */
export function pauses(clock: Pick<Clock, 'monotonic' | 'sleep'>, limitMs = Infinity): () => Promise<void> {
  const startedAt = clock.monotonic()
  let pausedAt = startedAt
  return async () => {
    const now = clock.monotonic()
    if (now - pausedAt < SLICE_MS) return
    if (now - startedAt > limitMs) throw unavailable(undefined)
    await clock.sleep(0)
    pausedAt = clock.monotonic()
  }
}

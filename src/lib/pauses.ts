import { unavailable } from './errors'
import type { Clock } from './ports'

/** How long one request may keep the others waiting. */
const SLICE_MS = 5
/** Before the request runs into its own deadline, which would leave the import to go on for nobody. */
export const IMPORT_LIMIT_MS = 50_000

/** One turn of the event loop for each slice: many that are long would else take theirs all in one. */
let turns: Promise<void> = Promise.resolve()

/**
 * Lets others in whenever 5 ms have passed since it did so last: what takes long awaits it between any two of its steps.
 * @throws {AppError} 503 once it has taken longer than `limitMs`.
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

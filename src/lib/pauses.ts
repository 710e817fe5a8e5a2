import { unavailable } from './errors'
import type { Clock } from './ports/clock'

/** The longest time that a request may block all others. */
const SLICE_MS = 5
/** Shorter than the request's deadline, after which the import would go on without a client. */
export const IMPORT_LIMIT_MS = 50_000
/** The same limit for a request that reads. */
export const READ_LIMIT_MS = 9000

/** Work in steps, between which others may run. */
export type Steps<T> = Generator<undefined, T>

export type Pause = () => Promise<void>

/** Does the work with a pause after each step. */
export async function finish<T>(steps: Steps<T>, pause: Pause): Promise<T> {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    await pause()
  }
}

/** Does the work without a pause, where it is short. */
export function finishAtOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** One turn of the event loop for each slice: otherwise several long requests would all use the same turn. */
let turns: Promise<void> = Promise.resolve()

/**
 * Returns a function to await between the steps of long work: it lets other requests run whenever 5 ms have passed since the
 * last pause.
 * @throws {AppError} 503 once the work has taken longer than `limitMs`.
 */
export function pauses(clock: Pick<Clock, 'monotonic' | 'sleep'>, limitMs = Infinity): Pause {
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

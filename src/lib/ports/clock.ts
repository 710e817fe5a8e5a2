export interface Clock {
  /** The present instant. */
  now(): Date
  /** Milliseconds since an arbitrary start; never goes backwards. For durations only. */
  monotonic(): number
  /** Resolves after `ms` milliseconds. */
  sleep(ms: number): Promise<void>
  /** Resolves in the next turn of the event loop, after what is waiting to be read. */
  nextTurn(): Promise<void>
}

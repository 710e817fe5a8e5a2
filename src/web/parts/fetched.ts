import { useSyncExternalStore } from 'react'

export interface Fetched<T> {
  readonly fetch: () => void
  readonly subscribe: (listener: () => void) => () => void
  /** Undefined until it is there. @throws what fetching it threw. */
  readonly read: () => T | undefined
}

/**
 * A part of the client with a file of its own, which can be fetched before it is shown. React shows what `lazy` brings no sooner than
 * 300 ms after the place-holder, which is longer than most files take.
 */
export function fetched<T>(load: () => Promise<T>): Fetched<T> {
  const listeners = new Set<() => void>()
  let isAsked = false
  let outcome: { readonly value: T } | { readonly error: unknown } | undefined
  const settle = (settled: NonNullable<typeof outcome>) => {
    outcome = settled
    for (const listener of listeners) listener()
  }
  const fetch = () => {
    if (isAsked) return
    isAsked = true
    load().then(
      (value) => settle({ value }),
      (error: unknown) => settle({ error }),
    )
  }
  return {
    fetch,
    subscribe: (listener) => {
      fetch()
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    read: () => {
      if (outcome && 'error' in outcome) throw outcome.error
      return outcome?.value
    },
  }
}

/** Fetches it, and answers undefined until it is there. */
export const useFetched = <T>({ subscribe, read }: Fetched<T>): T | undefined =>
  useSyncExternalStore(subscribe, read)

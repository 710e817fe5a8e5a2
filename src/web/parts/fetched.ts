import { useSyncExternalStore } from 'react'
import { connection } from '../api/connection'
import { type MissingReason, missingReason } from './missing-reason'

export type FetchedPart<T> =
  | { readonly is: 'awaited' }
  | { readonly is: 'there'; readonly value: T }
  | { readonly is: 'missing'; readonly reason: MissingReason }

export interface Fetched<T> {
  /** Begins to fetch it, unless that was begun. */
  readonly fetch: () => void
  /** Fetches what is missing once more. */
  readonly again: () => void
  readonly subscribe: (listener: () => void) => () => void
  readonly read: () => FetchedPart<T>
}

const AWAITED = { is: 'awaited' } as const

/**
 * A part of the client with a file of its own, which can be fetched before it is shown. React shows what `lazy` brings no sooner than
 * 300 ms after the place-holder, which is longer than most files take, and remembers for ever what did not come (contract: web.parts).
 */
export function fetched<T>(load: () => Promise<T>): Fetched<T> {
  const listeners = new Set<() => void>()
  let isAsked = false
  let part: FetchedPart<T> = AWAITED
  const settle = (settled: FetchedPart<T>) => {
    // Where nobody waits for it there is nothing to say, and the next who wants it asks anew.
    const isUnseen = settled.is === 'missing' && listeners.size === 0
    isAsked = settled.is !== 'awaited' && !isUnseen
    part = isUnseen ? AWAITED : settled
    for (const listener of listeners) listener()
  }
  const fetch = () => {
    if (isAsked) return
    isAsked = true
    void attempt(load).then(settle)
  }
  const again = () => {
    if (part.is !== 'missing') return
    settle(AWAITED)
    fetch()
  }
  onceReached(() => part.is === 'missing' && part.reason === 'unreachable' && again())
  return {
    fetch,
    again,
    subscribe: (listener) => {
      listeners.add(listener)
      fetch()
      return () => {
        listeners.delete(listener)
        if (part.is === 'missing' && listeners.size === 0) settle(AWAITED)
      }
    },
    read: () => part,
  }
}

/** Tries twice where the service answers: a lost connection may be back by then. */
async function attempt<T>(load: () => Promise<T>, isLast = false): Promise<FetchedPart<T>> {
  try {
    return { is: 'there', value: await load() }
  } catch {
    const reason = await missingReason()
    return reason !== 'failed' || isLast ? { is: 'missing', reason } : attempt(load, true)
  }
}

/** Calls back whenever the service is reached again. */
function onceReached(callback: () => void): void {
  let before = connection.read().reach
  connection.subscribe(() => {
    const { reach } = connection.read()
    const isBack = reach === 'online' && before !== 'online'
    before = reach
    if (isBack) callback()
  })
}

/** Fetches it, and says whether it is there. */
export const useFetched = <T>({ subscribe, read }: Fetched<T>): FetchedPart<T> =>
  useSyncExternalStore(subscribe, read)

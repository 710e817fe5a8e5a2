import { proveWith } from '../api/call'
import { sessions } from './session'

/** The proof that requests wait for; one for all of them. */
let waiting: PromiseWithResolvers<boolean> | undefined
const listeners = new Set<() => void>()

function change(next: typeof waiting): void {
  waiting = next
  for (const listener of listeners) listener()
}

/** For `useSyncExternalStore`: whether a request waits for a proof of who the user is. */
export const proofAsked = {
  read: (): boolean => waiting !== undefined,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

function askForProof(): Promise<boolean> {
  if (!['signed-in', 'must-change-password'].includes(sessions.read().is)) return Promise.resolve(false)
  if (!waiting) change(Promise.withResolvers<boolean>())
  return waiting?.promise ?? Promise.resolve(false)
}
proveWith(askForProof)

/** Lets the requests that wait go on, or gives them up. */
export function endProof(isProven: boolean): void {
  waiting?.resolve(isProven)
  change(undefined)
}

import type { Pending } from '../session/pending'
import { useSession } from '../session/use-session'

/** The token of the step that the service asked for; undefined when the sign-in has to begin anew, as after a reload. */
export function usePendingToken(step: Pending['step']): string | undefined {
  const session = useSession()
  if (session.is !== 'signed-out' || session.pending?.step !== step) return undefined
  return session.pending.token
}

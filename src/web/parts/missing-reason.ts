import { noteUnreachable } from '../api/connection'
import { buildOf, OWN_BUILD } from '../service-worker/own-build'

/** Why a file of the client did not come. `outdated`: the service has another build than this page. */
export type MissingReason = 'unreachable' | 'outdated' | 'failed'

const LONGEST_MS = 5000

/** Asks the service for its page, which names its build. */
export async function missingReason(): Promise<MissingReason> {
  try {
    const answer = await fetch('/', {
      cache: 'no-store',
      headers: { accept: 'text/html' },
      signal: AbortSignal.timeout(LONGEST_MS),
    })
    if (!answer.ok) return 'failed'
    return buildOf(await answer.text()) === OWN_BUILD ? 'failed' : 'outdated'
  } catch {
    noteUnreachable()
    return 'unreachable'
  }
}

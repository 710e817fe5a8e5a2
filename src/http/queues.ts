import type { Deps } from '../deps'
import { unavailable } from '../lib/errors'
import { isLargeBody } from './body'
import type { Caller, Lines } from './lines'
import { linesOf } from './origin'
import { contextOf } from './request-context'
import { Turnstile } from './turnstile'

/** Concurrent sign-ins; most only wait for their hashes, which have a queue of their own. */
const HASHING = 128

/** Limits of concurrent requests for the whole instance, beside the line of each caller. */
export type Turnstiles = ReturnType<typeof createTurnstiles>

/** Requests without a session have half as many places of their own, so that they take none from those with a session. */
export const createTurnstiles = (nowMs: () => number, places: number) => ({
  signedIn: new Turnstile(nowMs, places),
  anonymous: new Turnstile(nowMs, places / 2),
  hashing: new Turnstile(nowMs, HASHING),
})

export interface Queues {
  readonly lines: Lines
  readonly turnstiles: Turnstiles
}

/**
 * One line for all large bodies without a session. None of these requests needs a large body, so they are refused at
 * once when the line is full.
 */
const LARGE_BODIES: Caller = { key: 'large bodies', clients: 4, mostWaiting: 0 }

/** Requests of one session with large bodies that may wait: the runtime buffers about a megabyte of each. */
const LARGE_WAITING = 64

/** Makes requests wait: first in the lines of their caller, then in a turnstile with all others. */
export function createQueues(deps: Deps, { lines, turnstiles }: Queues) {
  const standInLines = async (request: Request, callers: readonly Caller[]): Promise<void> => {
    const context = contextOf(request)
    if (!context || context.within) return
    // The runtime buffers much of an unread body, so count it even before the request may enter.
    context.onSent = await lines.enterAll(isLargeBody(request) ? [LARGE_BODIES, ...callers] : callers)
  }
  const takePlace = async (request: Request, turnstile: keyof Turnstiles): Promise<void> => {
    const context = contextOf(request)
    if (!context || context.within === 'place') return
    const isIn = turnstiles[turnstile].enter()
    if (!(isIn === true || (await isIn))) {
      context.isTurnedAway = true
      throw unavailable(undefined, 1)
    }
    context.onEnd = () => turnstiles[turnstile].leave()
  }
  return {
    standInLine: async (request: Request, caller: Caller): Promise<void> => {
      const context = contextOf(request)
      if (!context || context.within) return
      const entered = lines.enter(isLargeBody(request) ? { ...caller, mostWaiting: LARGE_WAITING } : caller)
      context.onSent = typeof entered === 'function' ? entered : await entered
    },
    standInLinesOfAddress: (request: Request) => standInLines(request, linesOf(deps, request)),
    /**
     * Looks the resource up in separate lines per address, which slow readers of responses do not occupy. A request for
     * a missing resource stays in these lines.
     */
    standInLineFound: async (request: Request, find: () => Promise<string | undefined>): Promise<void> => {
      await standInLines(
        request,
        linesOf(deps, request).map((caller) => ({ ...caller, key: `looking from ${caller.key}` })),
      )
      await takePlace(request, 'anonymous')
      const key = await find()
      leavePlace(request)
      if (key === undefined) return
      contextOf(request)?.onSent?.()
      await standInLines(request, [{ key }])
    },
    takePlace,
    leavePlace,
  }
}

function leavePlace(request: Request): void {
  const context = contextOf(request)
  context?.onEnd?.()
  delete context?.onEnd
}

import type { Deps } from '../deps'
import { unavailable } from '../lib/errors'
import { isLargeBody } from './body'
import type { Caller, Lines } from './lines'
import { linesOf } from './origin'
import { contextOf } from './request-context'
import { Turnstile } from './turnstile'

/** Sign-ins that run at once: most of them only wait for their hashes, which have a line of their own. */
const SIGN_INS = 128

/** What requests need a place in beside a line of their caller's. */
export type Turnstiles = ReturnType<typeof createTurnstiles>

/** Whoever has no session takes at most half as many places as there are, and none of them from those who have one. */
export const createTurnstiles = (nowMs: () => number, places: number) => ({
  signedIn: new Turnstile(nowMs, places),
  anonymous: new Turnstile(nowMs, places / 2),
  signingIn: new Turnstile(nowMs, SIGN_INS),
})

export interface Queues {
  readonly lines: Lines
  readonly turnstiles: Turnstiles
}

/** Of all callers without a session together; nobody among them needs a large body, and where there are too many, none waits. */
const LARGE_BODIES: Caller = { key: 'large bodies', clients: 4, mayWait: false }

/** The queues that requests stand in: the lines of their caller first, and then a turnstile with everybody else. */
export function createQueues(deps: Deps, { lines, turnstiles }: Queues) {
  const standInLines = async (request: Request, callers: readonly Caller[]): Promise<void> => {
    const context = contextOf(request)
    if (!context) return
    // The runtime keeps a good deal of a body that waits unread, so that it counts from here on.
    context.onSent = await lines.enterAll(isLargeBody(request) ? [LARGE_BODIES, ...callers] : callers)
  }
  const takePlace = async (request: Request, turnstile: keyof Turnstiles): Promise<void> => {
    const context = contextOf(request)
    if (!context) return
    const isIn = turnstiles[turnstile].enter()
    if (!(isIn === true || (await isIn))) throw unavailable(undefined, 1)
    context.onEnd = () => turnstiles[turnstile].leave()
  }
  return {
    standInLine: async (request: Request, caller: Caller): Promise<void> => {
      const context = contextOf(request)
      if (!context) return
      const entered = lines.enter(caller)
      context.onSent = typeof entered === 'function' ? entered : await entered
    },
    standInLinesOfAddress: (request: Request) => standInLines(request, linesOf(deps, request)),
    /** Looks in lines in which nobody stays who reads slowly; what is not there is answered from them. */
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

import type { Operation } from '../access/operations/service'
import type { Refusals } from './refusals'

/** State that the layers around a request share; it lives as long as its `Request`. */
export interface RequestContext {
  readonly id: string
  /** When it came, by the monotonic clock. */
  readonly startedAt: number
  /** The original request, which is the only one that knows its connection. */
  readonly incoming: Request
  /** Extends the deadline to that of imports. */
  readonly allowLonger: () => void
  /** Decides which lines about refusals are logged. */
  readonly refusals: Refusals
  /** A request within another one has the other's place in line, and in the turnstile if the other holds one. */
  readonly within?: 'line' | 'place'
  /** A command of a batch, which not every route takes. */
  readonly isBatched?: boolean | undefined
  /** Whether the instance has refused the request because it is busy. */
  isTurnedAway?: boolean
  /** What its deadline answers in its place; by default JSON. */
  lateAnswer?: () => Response
  /** Whether its deadline has answered in its place. */
  isLate?: boolean
  /** The matched route pattern, once it is known. */
  route?: string
  userId?: number
  /** What the request does, once it has begun to. */
  operation?: Pick<Operation, 'id' | 'hasBegun'>
  /** Called when the handler has ended. */
  onEnd?: () => void
  /** Called when the response is sent or the client has disconnected. */
  onSent?: () => void
  /** The response is so short that it is sent in one go. */
  isShort?: boolean
}

const contexts = new WeakMap<Request, RequestContext>()

export function openContext(request: Request, context: RequestContext): RequestContext {
  contexts.set(request, context)
  return context
}

/** Notes the request's user for the log. */
export function noteUser(request: Request, userId: number | null): void {
  const context = contexts.get(request)
  if (context && userId !== null) context.userId = userId
}

/** Notes that the response is so short that it is sent in one go. */
export function noteShortAnswer(request: Request): void {
  const context = contexts.get(request)
  if (context) context.isShort = true
}

export const contextOf = (request: Request): RequestContext | undefined => contexts.get(request)

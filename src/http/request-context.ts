/** What the layers around one request tell each other; it lives as long as its `Request`. */
export interface RequestContext {
  readonly id: string
  /** The request as it came in, which alone knows its connection. */
  readonly incoming: Request
  /** Gives the request the time that an import may take. */
  readonly allowLonger: () => void
  /** The matched pattern, once it is known. */
  route?: string
  userId?: number
  /** What is to be done once its handler has ended. */
  onEnd?: () => void
  /** What is to be done once the answer is sent, or nobody is left to read it. */
  onSent?: () => void
}

const contexts = new WeakMap<Request, RequestContext>()

export function openContext(request: Request, context: RequestContext): RequestContext {
  contexts.set(request, context)
  return context
}

/** Says whose request it is, for the log. */
export function noteUser(request: Request, userId: number | null): void {
  const context = contexts.get(request)
  if (context && userId !== null) context.userId = userId
}

export const contextOf = (request: Request): RequestContext | undefined => contexts.get(request)

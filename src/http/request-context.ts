/** What the layers around one request tell each other; it lives as long as its `Request`. */
export interface RequestContext {
  readonly id: string
  /** The matched pattern, once it is known. */
  route?: string
  userId?: number
}

const contexts = new WeakMap<Request, RequestContext>()

export function openContext(request: Request, id: string): RequestContext {
  const context: RequestContext = { id }
  contexts.set(request, context)
  return context
}

export const contextOf = (request: Request): RequestContext | undefined => contexts.get(request)

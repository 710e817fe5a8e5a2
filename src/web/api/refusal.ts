/** An answer that is not 2xx, or no answer at all. */
export interface Refusal {
  /** 0 when the service could not be reached. */
  readonly status: number
  /** The service's own sentence; empty when there is none. */
  readonly detail: string
  readonly code?: string
  /** One entry for each wrong field, by its name in the request. */
  readonly errors: ReadonlyArray<{ readonly field: string; readonly message: string }>
  /** Records that stand in the way. */
  readonly items: ReadonlyArray<{ readonly type: string; readonly id: number; readonly title: string }>
  readonly retryAfterSeconds?: number
  readonly requestId?: string
}

/** Thrown by `call`. */
export class RefusedError extends Error {
  override name = 'RefusedError'
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.detail || `HTTP ${refusal.status}`)
    this.refusal = refusal
  }
}

export const refusalOf = (error: unknown): Refusal | undefined =>
  error instanceof RefusedError ? error.refusal : undefined

type Body = Partial<Pick<Refusal, 'detail' | 'code' | 'errors' | 'items'>>

const isBody = (value: unknown): value is Body => typeof value === 'object' && value !== null

/** Reads a refused answer; a body that is not the service's own, such as a proxy's page, counts as none. */
export async function readRefusal(response: Response): Promise<Refusal> {
  const parsed: unknown = await response.json().catch(() => undefined)
  const body = isBody(parsed) ? parsed : {}
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  const requestId = response.headers.get('x-request-id')
  return {
    status: response.status,
    detail: typeof body.detail === 'string' ? body.detail : '',
    ...(typeof body.code === 'string' && { code: body.code }),
    errors: Array.isArray(body.errors) ? body.errors : [],
    items: Array.isArray(body.items) ? body.items : [],
    ...(Number.isFinite(retryAfter) && { retryAfterSeconds: retryAfter }),
    ...(requestId !== null && { requestId }),
  }
}

export const UNREACHABLE: Refusal = { status: 0, detail: '', errors: [], items: [] }

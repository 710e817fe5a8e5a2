/** Why an operation was refused. The HTTP layer owns the mapping from kind to status code. */
export type ErrorKind =
  | 'bad_request'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'stale'
  | 'too_large'
  | 'unsupported_media_type'
  | 'invalid'
  | 'locked'
  | 'too_many_requests'
  | 'internal'
  | 'bad_gateway'
  | 'unavailable'

/** One thing that is wrong with a request: `field` is a path such as `body.email`, `message` what is wrong. */
export interface FieldProblem {
  readonly field: string
  readonly message: string
}

interface AppErrorDetails {
  /** Stable snake_case token for clients. */
  readonly code?: string
  readonly problems?: readonly FieldProblem[]
  /** Response headers that belong to the refusal, such as `Allow` or `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}

/** An expected failure with a message that is safe to show to the caller. */
export class AppError extends Error {
  override name = 'AppError'
  readonly kind: ErrorKind
  readonly code: string | undefined
  readonly problems: readonly FieldProblem[] | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(kind: ErrorKind, detail: string, details: AppErrorDetails = {}) {
    super(detail, details.cause === undefined ? undefined : { cause: details.cause })
    this.kind = kind
    this.code = details.code
    this.problems = details.problems
    this.headers = details.headers ?? {}
  }
}

export const badRequest = (detail: string) => new AppError('bad_request', detail)
export const unauthenticated = (detail: string) => new AppError('unauthenticated', detail)
/** `<Resource> not found`, the same for a missing record and for somebody else's (contract: http.errors). */
export const notFound = (resource: string) => new AppError('not_found', `${resource} not found`)
export const conflict = (detail: string) => new AppError('conflict', detail)
export const forbidden = (detail: string, code?: string) =>
  new AppError('forbidden', detail, code === undefined ? {} : { code })

/** 429 with `Retry-After`, in whole seconds. */
export const tooMany = (detail: string, retryAfterSeconds: number) =>
  new AppError('too_many_requests', detail, { headers: { 'retry-after': String(retryAfterSeconds) } })

const UNAVAILABLE = 'Service temporarily unavailable'

/** 503 with `Retry-After`; `cause` is for the log only. */
export const unavailable = (cause: unknown, retryAfterSeconds = 2) =>
  new AppError('unavailable', UNAVAILABLE, { headers: { 'retry-after': String(retryAfterSeconds) }, cause })

/** The record changed owner while the transaction waited for its locks: it runs again, and answers 503 if that repeats. */
export class OvertakenError extends AppError {
  override name = 'OvertakenError'

  constructor() {
    super('unavailable', UNAVAILABLE, { headers: { 'retry-after': '2' } })
  }
}

/** 502: a service that this one asks has let it down; `cause` is for the log only. */
export const badGateway = (detail: string, cause: unknown, code?: string) =>
  new AppError('bad_gateway', detail, { cause, ...(code !== undefined && { code }) })

const MAX_PROBLEMS_IN_DETAIL = 3

/** 422: `<field>: <what is wrong>`, up to three joined by `; `, and all of them under `errors`. */
export function invalid(problems: readonly FieldProblem[]): AppError {
  const detail = problems
    .slice(0, MAX_PROBLEMS_IN_DETAIL)
    .map(({ field, message }) => `${withoutPlace(field)}: ${message}`)
    .join('; ')
  return new AppError('invalid', detail, { problems })
}

/** 422 for one field of the body. */
export const invalidField = (field: string, message: string) => invalid([{ field: `body.${field}`, message }])

const withoutPlace = (field: string) => field.replace(/^(?:body|query|params|headers)\./, '')

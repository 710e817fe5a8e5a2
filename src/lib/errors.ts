/** Why a request was refused. The HTTP layer maps each kind to a status code. */
export type ErrorKind =
  | 'bad_request'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'gone'
  | 'stale'
  | 'too_large'
  | 'unsupported_media_type'
  | 'invalid'
  | 'locked'
  | 'too_many_requests'
  | 'internal'
  | 'bad_gateway'
  | 'unavailable'

/** A problem with one part of a request: `field` is a path such as `body.email`, `message` says what is wrong. */
export interface FieldProblem {
  readonly field: string
  readonly message: string
}

/** A record that a refusal is about. */
export interface RefusedItem {
  readonly type: string
  readonly id: number
  readonly title: string
}

interface AppErrorDetails {
  /** Stable snake_case token for clients. */
  readonly code?: string
  readonly problems?: readonly FieldProblem[]
  readonly items?: readonly RefusedItem[]
  /** Response headers that belong to the refusal, such as `Allow` or `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}

/** An expected failure; its message may be shown to the client. */
export class AppError extends Error {
  override name = 'AppError'
  readonly kind: ErrorKind
  readonly code: string | undefined
  readonly problems: readonly FieldProblem[] | undefined
  readonly items: readonly RefusedItem[] | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(kind: ErrorKind, detail: string, details: AppErrorDetails = {}) {
    super(detail, details.cause === undefined ? undefined : { cause: details.cause })
    this.kind = kind
    this.code = details.code
    this.problems = details.problems
    this.items = details.items
    this.headers = details.headers ?? {}
  }
}

export const badRequest = (detail: string) => new AppError('bad_request', detail)
export const unauthenticated = (detail: string) => new AppError('unauthenticated', detail)
/** `<Resource> not found`, equally for a missing record and for another user's (contract: http.errors). */
export const notFound = (resource: string) => new AppError('not_found', `${resource} not found`)
export const conflict = (detail: string) => new AppError('conflict', detail)
export const forbidden = (detail: string, code?: string) =>
  new AppError('forbidden', detail, code === undefined ? {} : { code })

/** 429 with `Retry-After`, in whole seconds. */
export const tooMany = (detail: string, retryAfterSeconds: number) =>
  new AppError('too_many_requests', detail, { headers: { 'retry-after': String(retryAfterSeconds) } })

/** The same until an instant. */
export const tooManyUntil = (detail: string, now: Date, freeAt: Date) =>
  tooMany(detail, Math.max(1, Math.ceil((+freeAt - +now) / 1000)))

const UNAVAILABLE = 'Service temporarily unavailable'

/** 503 with `Retry-After`; `cause` is only logged. */
export const unavailable = (cause: unknown, retryAfterSeconds = 2) =>
  new AppError('unavailable', UNAVAILABLE, { headers: { 'retry-after': String(retryAfterSeconds) }, cause })

/**
 * The record changed owner while the transaction waited for locks. The transaction runs again; if this repeats, the client
 * gets a 503.
 */
export class OvertakenError extends AppError {
  override name = 'OvertakenError'

  constructor() {
    super('unavailable', UNAVAILABLE, { headers: { 'retry-after': '2' } })
  }
}

/** 502: an external service has failed; `cause` is only logged. */
export const badGateway = (detail: string, cause: unknown, code?: string) =>
  new AppError('bad_gateway', detail, { cause, ...(code !== undefined && { code }) })

const MAX_PROBLEMS_IN_DETAIL = 3

/** 422: the detail is `<field>: <what is wrong>` for up to three problems, joined by `; `; `errors` lists all of them. */
export function invalid(problems: readonly FieldProblem[], code?: string): AppError {
  const detail = problems
    .slice(0, MAX_PROBLEMS_IN_DETAIL)
    .map(({ field, message }) => `${withoutPlace(field)}: ${message}`)
    .join('; ')
  return new AppError('invalid', detail, { problems, ...(code !== undefined && { code }) })
}

/** 422 for one field of the body. */
export const invalidField = (field: string, message: string) => invalid([{ field: `body.${field}`, message }])

const withoutPlace = (field: string) => field.replace(/^(?:body|query|params|headers)\./, '')

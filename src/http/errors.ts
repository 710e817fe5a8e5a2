import { Elysia, NotFoundError, ParseError, t, ValidationError } from 'elysia'
import type { Deps } from '../deps'
import { databaseFailure, isDatabaseTrouble, isQueryFailure } from '../lib/database-failure'
import {
  AppError,
  type ErrorKind,
  type FieldProblem,
  invalid,
  type RefusedItem,
  unavailable,
} from '../lib/errors'
import type { LogFields } from '../lib/ports/logging'
import { HasherBusyError } from '../lib/ports/passwords'
import { fieldProblems } from '../lib/wire/schema-problems'
import { contextOf } from './request-context'
import type { RouteTable } from './route-table'

/** The body of every error. `code` and, on 422, `errors` may accompany `detail`. */
export const ErrorBody = t.Object(
  {
    detail: t.String({ description: 'What went wrong, in one sentence.' }),
    code: t.Optional(t.String({ description: 'A stable token for programs.' })),
    errors: t.Optional(t.Array(t.Object({ field: t.String(), message: t.String() }))),
    items: t.Optional(
      t.Array(t.Object({ type: t.String(), id: t.Number({ multipleOf: 1 }), title: t.String() }), {
        description: 'Records that stand in the way.',
      }),
    ),
  },
  { title: 'Error', description: 'An error.' },
)

const STATUS = {
  bad_request: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  gone: 410,
  stale: 412,
  too_large: 413,
  unsupported_media_type: 415,
  invalid: 422,
  locked: 423,
  too_many_requests: 429,
  internal: 500,
  bad_gateway: 502,
  unavailable: 503,
} as const satisfies Record<ErrorKind, number>

/** Log level by kind of error; other kinds are not logged. */
const LOGGED: Partial<Record<ErrorKind, 'error' | 'warn'>> = {
  internal: 'error',
  unavailable: 'error',
  bad_gateway: 'warn',
}

/** Converts anything thrown to an error that is safe to show. */
function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  // Elysia wraps errors of `parse` hooks; only our own hooks parse.
  if (error instanceof ParseError) return toAppError(error.cause)
  // A response that violates its own schema is our bug, not the caller's.
  if (error instanceof ValidationError && error.type !== 'response') {
    return invalid(fieldProblems(error.type, error.all))
  }
  if (error instanceof HasherBusyError || isDatabaseTrouble(error)) return unavailable(error)
  return new AppError('internal', 'Internal server error', { cause: error })
}

interface WireError {
  readonly detail: string
  readonly code?: string
  readonly errors?: readonly FieldProblem[]
  readonly items?: readonly RefusedItem[]
}

const toBody = ({ message, code, problems, items }: AppError): WireError => ({
  detail: message,
  ...(code !== undefined && { code }),
  ...(problems !== undefined && { errors: problems }),
  ...(items !== undefined && { items }),
})

/** The error as a response, for use outside Elysia. */
export const errorResponse = (error: AppError): Response =>
  Response.json(toBody(error), { status: STATUS[error.kind], headers: error.headers })

/**
 * Returns the loggable fields of a failure. Messages of the database driver and of Drizzle contain parameters (hashes,
 * tokens), and those of a JSON parser contain its input, so of these only the name and stack are logged.
 */
export function failureFields(error: unknown): LogFields {
  if (error === undefined) return {}
  if (!(error instanceof Error)) return { error: typeof error }
  const failure = databaseFailure(error)
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line))
  const quotes = isQueryFailure(error) || error instanceof SyntaxError || error instanceof ValidationError
  return {
    error: error.name,
    ...(!quotes && { reason: error.message }),
    ...(failure && { database_code: failure.code, constraint: failure.constraint }),
    stack: frames?.slice(0, 10).map((line) => line.trim()),
  }
}

/** Logs what is the service's own fault. */
function logFailure({ log }: Pick<Deps, 'log'>, request: Request, error: AppError): void {
  const [level, status, context] = [LOGGED[error.kind], STATUS[error.kind], contextOf(request)]
  if (context && error.cause instanceof HasherBusyError) context.isTurnedAway = true
  if (level && (!context || context.refusals.wantLine(error.message, status, context))) {
    log[level](error.message, { request_id: context?.id, ...failureFields(error.cause) })
  }
}

/** Answers what was thrown, for use outside Elysia, and logs what is the service's own fault. */
export function answerFailure(deps: Pick<Deps, 'log'>, request: Request, error: unknown): Response {
  const known = toAppError(error)
  logFailure(deps, request, known)
  return errorResponse(known)
}

/** Must be the first plugin of the app: routes registered before it keep Elysia's own error bodies. */
export const errorHandling = (deps: Pick<Deps, 'log'>, routes: RouteTable) =>
  new Elysia({ name: 'http.errors' }).onError({ as: 'global' }, ({ error, request, set }) => {
    const known = error instanceof NotFoundError ? routes.missing(request) : toAppError(error)
    logFailure(deps, request, known)
    set.status = STATUS[known.kind]
    Object.assign(set.headers, known.headers)
    return toBody(known)
  })

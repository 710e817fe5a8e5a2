import { TOO_MANY_PROPERTIES } from '../features/objects/collections/service.changes'
import { AppError, type ErrorKind } from '../lib/errors'
import { isDatabaseTrouble } from '../lib/database-failure'
import { dav } from '../lib/xml/names'
import { document, element } from '../lib/xml/write'

interface Details {
  /** The precondition that did not hold, as `{namespace}local`. */
  readonly precondition?: string
  /** What stands in the element of the precondition, as XML. */
  readonly content?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}

/** A refusal of /dav; its body is a `DAV:error` (RFC 4918, section 16). */
export class DavError extends Error {
  override name = 'DavError'
  readonly status: number
  readonly details: Details

  constructor(status: number, details: Details = {}) {
    super(
      `${status} ${details.precondition ?? ''}`,
      details.cause === undefined ? undefined : { cause: details.cause },
    )
    this.status = status
    this.details = details
  }
}

/** @throws {DavError} 400. */
export const badRequest = (): never => {
  throw new DavError(400)
}

/** A refusal that names the precondition. */
export const refused = (status: number, precondition: string, content?: string): DavError =>
  new DavError(status, { precondition, ...(content !== undefined && { content }) })

/** 403 for what the privileges do not allow, which clients pass over (contract: dav.privileges). */
export const needsPrivileges = (): DavError => refused(403, dav('need-privileges'))

/** 503: statuses below make phones delete their copies, so that whatever passes is said so (contract: dav.statuses). */
export const busy = (retryAfterSeconds: string, cause?: unknown): DavError =>
  new DavError(503, { headers: { 'retry-after': retryAfterSeconds }, cause })

/** Asks for an app password. */
export const unauthorized = (): DavError =>
  new DavError(401, { headers: { 'www-authenticate': 'Basic realm="Organiser", charset="UTF-8"' } })

const STATUS: Partial<Record<ErrorKind, number>> = {
  bad_request: 400,
  not_found: 404,
  stale: 412,
  too_large: 413,
}

/** Converts anything thrown. */
export function toDavError(error: unknown): DavError {
  if (error instanceof DavError) return error
  if (isDatabaseTrouble(error)) return busy('2', error)
  return error instanceof AppError ? refusalOf(error) : new DavError(500, { cause: error })
}

const REFUSALS: Partial<Record<ErrorKind, (error: AppError) => DavError>> = {
  too_many_requests: ({ headers }) => busy(headers['retry-after'] ?? '2'),
  unavailable: ({ headers, cause }) => busy(headers['retry-after'] ?? '2', cause),
  // Other quotas: there may be room later.
  conflict: ({ code }) => (code === TOO_MANY_PROPERTIES ? new DavError(507) : busy('3600')),
  forbidden: () => needsPrivileges(),
  unauthenticated: () => unauthorized(),
}

const refusalOf = (error: AppError): DavError =>
  REFUSALS[error.kind]?.(error) ?? new DavError(STATUS[error.kind] ?? 500, { cause: error.cause ?? error })

/** The answer to a refused request. */
export function errorAnswer({ status, details: { precondition, content, headers } }: DavError): Response {
  const inner = precondition === undefined ? '' : element(precondition, content)
  return new Response(document(dav('error'), inner), {
    status,
    headers: { 'content-type': 'application/xml; charset=utf-8', ...headers },
  })
}

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

/** A refusal that names the precondition. */
export const refused = (status: number, precondition: string, content?: string): DavError =>
  new DavError(status, { precondition, ...(content !== undefined && { content }) })

/** 403 for what the privileges do not allow, which clients pass over (contract: dav.privileges). */
export const needsPrivileges = (): DavError => refused(403, dav('need-privileges'))

/** 503: statuses below make phones delete their copies, so that whatever passes is said so (contract: dav.statuses). */
export const busy = (retryAfterSeconds: string, cause?: unknown): DavError =>
  new DavError(503, { headers: { 'retry-after': retryAfterSeconds }, cause })

const STATUS: Partial<Record<ErrorKind, number>> = {
  bad_request: 400,
  unauthenticated: 401,
  not_found: 404,
  conflict: 409,
  stale: 412,
  too_large: 413,
}

/** Converts anything thrown. */
export function toDavError(error: unknown): DavError {
  if (error instanceof DavError) return error
  if (isDatabaseTrouble(error)) return busy('2', error)
  if (!(error instanceof AppError)) return new DavError(500, { cause: error })
  const { kind, headers } = error
  if (kind === 'too_many_requests' || kind === 'unavailable')
    return busy(headers['retry-after'] ?? '2', error.cause)
  if (kind === 'forbidden') return needsPrivileges()
  return new DavError(STATUS[kind] ?? 500, { cause: error.cause ?? error })
}

/** The answer to a refused request. */
export function errorAnswer({ status, details: { precondition, content, headers } }: DavError): Response {
  const inner = precondition === undefined ? '' : element(precondition, content)
  return new Response(document(dav('error'), inner), {
    status,
    headers: { 'content-type': 'application/xml; charset=utf-8', ...headers },
  })
}

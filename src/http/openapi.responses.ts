import { isObject, type Json, type JsonObject, objectOf } from './openapi.values'

/** The properties of an operation that decide how it may refuse. */
export interface Refusable {
  readonly method: string
  readonly needsSession: boolean
  /** The options that the route gives the guard: `PublicRules` or `SessionRules`. */
  readonly guard: JsonObject
  readonly takesBody: boolean
  /** True when the operation has query or header fields. */
  readonly takesFields: boolean
}

const SAFE_METHODS = new Set(['get', 'head', 'options'])

const alwaysAnswers = ({ guard }: Refusable) => guard.alwaysAnswers === true

/** Whether the session guard may refuse with 403, apart from the origin check. */
const mayBeForbidden = ({ needsSession, guard }: Refusable) =>
  needsSession && (guard.whilePasswordIsDue !== true || guard.role !== undefined || guard.recent === true)

/** Whether it is an operation (contract: retries.operations). */
export const isOperation = ({ method, needsSession, guard }: Refusable): boolean =>
  needsSession && !SAFE_METHODS.has(method) && guard.reads !== true

/** Whether it takes an `Idempotency-Key`. */
export const isKeyed = (operation: Refusable): boolean =>
  isOperation(operation) && operation.guard.ignoresKey !== true

/** Statuses that the checks around a handler may return; those of its service are listed at its route. */
const PIPELINE: ReadonlyArray<readonly [status: string, applies: (operation: Refusable) => boolean]> = [
  ['400', ({ takesBody }) => takesBody],
  ['401', ({ needsSession }) => needsSession],
  [
    '403',
    (operation) =>
      mayBeForbidden(operation) || (!SAFE_METHODS.has(operation.method) && !alwaysAnswers(operation)),
  ],
  ['409', isKeyed],
  ['410', (operation) => isKeyed(operation) && operation.method !== 'delete'],
  ['413', (operation) => !alwaysAnswers(operation)],
  ['415', ({ takesBody }) => takesBody],
  ['422', (operation) => operation.takesBody || operation.takesFields || isKeyed(operation)],
  ['423', ({ needsSession, guard }) => needsSession && guard.whileLocked !== true],
  ['429', (operation) => !alwaysAnswers(operation)],
  ['500', () => true],
  ['503', () => true],
  // Redocly requires an error response for every operation.
  ['4XX', alwaysAnswers],
]

export const pipelineStatuses = (operation: Refusable): string[] =>
  PIPELINE.filter(([, applies]) => applies(operation)).map(([status]) => status)

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted.',
  204: 'Done; there is no body.',
  302: 'The browser goes on to `Location`.',
  400: 'The body is not JSON, or the request cannot be carried out.',
  401: 'There is no valid session or access token, or the credentials are wrong.',
  403: 'The caller may not do this. `code` says what would allow it, if anything.',
  404: 'There is no such record, or it does not belong to the caller.',
  409: 'The request conflicts with existing data.',
  410: 'What the request goes on from is no longer there; `code` says more.',
  412: 'The record has changed since it was read; nothing was changed.',
  413: 'The body is too large.',
  415: 'The media type of the body is not the one that the operation takes.',
  422: 'A field is not valid; `errors` lists all of them.',
  423: 'The session or the account is locked.',
  429: 'Too many requests for now, from this address or by the caller.',
  500: 'The service failed.',
  502: 'Another service that this operation calls did not answer or refused.',
  503: 'The service cannot answer right now.',
  '4XX': 'The operation has no known errors. Any error would have this shape.',
}

const RETRY_AFTER = new Set(['429', '503'])

export const HEADERS: JsonObject = {
  RequestId: {
    description: "The request's `X-Request-Id`, or one that the service generated; the log contains it too.",
    schema: { type: 'string' },
  },
  OperationId: {
    description: 'The id of what the request has changed, for 30 days.',
    schema: { type: 'string', format: 'uuid' },
  },
  RetryAfter: {
    description: 'Seconds to wait before another attempt.',
    schema: { type: 'integer', minimum: 1 },
  },
}

const VERSION_TAG: JsonObject = {
  description: 'The version of the record, quoted, for use in `If-Match`.',
  schema: { type: 'string', examples: ['"1"'] },
}

interface Named {
  readonly isVersioned: boolean
  readonly changes: boolean
}

const headersOf = (status: string, { isVersioned, changes }: Named): JsonObject => ({
  'X-Request-Id': { $ref: '#/components/headers/RequestId' },
  ...(changes &&
    status.startsWith('2') && { 'X-Operation-Id': { $ref: '#/components/headers/OperationId' } }),
  ...(isVersioned && { ETag: VERSION_TAG }),
  ...(RETRY_AFTER.has(status) && { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }),
})

/** Puts a schema under its media type; a schema of text or bytes names it in `contentMediaType`. */
export function contentOf(schema: Json, converted: Json): JsonObject {
  const { contentMediaType } = objectOf(schema)
  return {
    [typeof contentMediaType === 'string' ? contentMediaType : 'application/json']: { schema: converted },
  }
}

/** Describes errors by status, because all of them share one schema and its description. */
export function responseOf(
  status: string,
  content: JsonObject | undefined,
  { description: described, properties }: JsonObject = {},
  changes = false,
): JsonObject {
  const own = typeof described === 'string' && status.startsWith('2') ? described : undefined
  return {
    description: own ?? DESCRIPTIONS[status] ?? `Status ${status}.`,
    headers: headersOf(status, { isVersioned: objectOf(properties).version !== undefined, changes }),
    ...(isObject(content) && { content }),
  }
}

import { Elysia } from 'elysia'
import type { Deps } from '../deps'
import { findKept, type KeptOperation } from '../access/operations/service'
import { AppError, invalid } from '../lib/errors'
import type { Admission, Again } from './admission'
import type { Dispatch } from './dispatch'
import { errorResponse } from './errors'
import { KEY_FIELD } from './operations'

interface RetriesDeps {
  readonly deps: Pick<Deps, 'db' | 'clock' | 'tokens'>
  readonly admission: Admission
  readonly dispatch: Dispatch
}

/** A request, with what its route has made of it. */
interface Repeated extends Pick<Again, 'query' | 'body'> {
  readonly request: Request
  readonly params: Readonly<Record<string, string | undefined>>
}

/**
 * Answers repeated requests (contract: retries.keys): before their handler, and once more when it fails, since the first request
 * may have ended meanwhile.
 */
export function retries({ deps, admission, dispatch }: RetriesDeps) {
  const replayed = async (given: Repeated): Promise<Response | undefined> => {
    const keyed = admission.keyedOf(given.request)
    if (!keyed) return undefined
    const { session, operation } = keyed
    const kept = await findKept(deps, session.userId, operation)
    if (!kept) return undefined
    if (kept === 'other') throw mismatch()
    const { status } = keyed.changing
    const headers = { 'idempotency-replayed': 'true', 'x-operation-id': kept.id }
    const answer = await answerOf({ ...keyed, kept, given }, dispatch)
    if (answer === undefined) return new Response(null, { status, headers })
    if (!(answer instanceof Response)) {
      return Response.json(answer, { status, headers: { ...headers, ...tagOf(answer) } })
    }
    if (answer.status === 404) throw deletedSince()
    if (!answer.ok) return answer
    const all = new Headers(answer.headers)
    for (const [name, value] of Object.entries(headers)) all.set(name, value)
    return new Response(answer.body, { status, headers: all })
  }
  /** The failures of the database, and those of the request that a repeated one cannot have, are left to the handler of errors. */
  const answered = async (given: Repeated): Promise<Response | undefined> => {
    try {
      return await replayed(given)
    } catch (error) {
      if (error instanceof AppError && SETTLED.has(error.kind)) return errorResponse(error)
      throw error
    }
  }
  return new Elysia({ name: 'http.retries' })
    .onBeforeHandle({ as: 'global' }, ({ request, params, query, body }) =>
      admission.keyedOf(request) ? answered({ request, params, query, body }) : undefined,
    )
    .onError({ as: 'global' }, async ({ request, params, query, body, error }) => {
      if (!admission.keyedOf(request) || isInProgress(error)) return undefined
      // Where this fails too, the first failure is the answer.
      return answered({ request, params, query, body }).catch(() => undefined)
    })
}

interface Replay extends Keyed {
  readonly kept: KeptOperation
  readonly given: Repeated
}
type Keyed = NonNullable<ReturnType<Admission['keyedOf']>>

/** Undefined where there is none. @throws {AppError} 410 when the record is gone since. */
async function answerOf(
  { session, route, rules: { readAgain }, changing: { source }, kept, given }: Replay,
  dispatch: Dispatch,
): Promise<unknown> {
  const { item } = kept
  if (readAgain)
    return unlessGone(() => readAgain({ ...given, session, operation: kept.id, item: item ?? 0 }))
  if (source.kind === 'none') return undefined
  if (source.kind === 'answer') return kept.answer
  return dispatch(given.request, { method: 'GET', path: pathOf(source.path, route, given.request, item) })
}

const SETTLED = new Set<AppError['kind']>(['conflict', 'gone', 'invalid'])

const isInProgress = (error: unknown) => error instanceof AppError && error.code === 'idempotency_in_progress'

const mismatch = () =>
  invalid([{ field: KEY_FIELD, message: 'was used for another request' }], 'idempotency_mismatch')

/** The tag of a record with a version (contract: http.versions). */
function tagOf(answer: unknown): Readonly<Record<string, string>> {
  const version: unknown =
    typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'version') : undefined
  return typeof version === 'number' ? { etag: `"${version}"` } : {}
}

const deletedSince = () => new AppError('gone', 'Deleted since')

/** @throws {AppError} 410 when nothing is read, or what is read is not found. */
async function unlessGone(read: () => Promise<unknown>): Promise<unknown> {
  try {
    const found = await read()
    if (found !== undefined) return found
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== 'not_found') throw error
  }
  throw deletedSince()
}

/** The path of the pattern with the parameters of the request; the last one is the item's id where there is one. */
function pathOf(pattern: string, route: string, request: Request, item: number | null): string {
  const given = new URL(request.url).pathname.split('/')
  const names = route.split('/')
  const segments = pattern.split('/')
  const last = segments.findLastIndex((segment) => segment.startsWith(':'))
  return segments
    .map((segment, place) => {
      if (!segment.startsWith(':')) return segment
      return place === last && item !== null ? String(item) : (given[names.indexOf(segment)] ?? '')
    })
    .join('/')
}

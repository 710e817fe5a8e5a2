import { Elysia } from 'elysia'
import type { Deps } from '../deps'
import { findKept, type KeptOperation } from '../access/operations/service'
import type { CurrentSession } from '../access/sessions/service'
import { AppError, invalid } from '../lib/errors'
import type { Admission } from './admission'
import type { Dispatch } from './dispatch'
import { answerOf, type Changing } from './retries.sources'
import { errorResponse } from './errors'
import { KEY_FIELD } from './operations'

interface RetriesDeps {
  readonly deps: Pick<Deps, 'db' | 'clock'>
  readonly admission: Admission
  readonly dispatch: Dispatch
}

/**
 * Answers repeated requests (contract: retries.keys): before their handler, and once more when it fails, since the first request
 * may have ended meanwhile.
 */
export function retries({ deps, admission, dispatch }: RetriesDeps) {
  const replayed = async (request: Request): Promise<Response | undefined> => {
    const { session, route } = admission.keyedOf(request) ?? {}
    const { operation } = session ?? {}
    if (!session || route === undefined || !operation?.retry) return undefined
    const kept = await findKept(deps, session.userId, operation)
    if (!kept) return undefined
    if (kept.fingerprint !== operation.retry.fingerprint) throw mismatch()
    const changing = admission.changingAt(request.method, route)
    return changing && replay({ request, route, kept, changing }, dispatch)
  }
  const answered = async (request: Request): Promise<Response | undefined> => {
    try {
      return await replayed(request)
    } catch (error) {
      if (error instanceof AppError) return errorResponse(error)
      throw error
    }
  }
  return new Elysia({ name: 'http.retries' })
    .onBeforeHandle({ as: 'global' }, ({ request }) =>
      admission.keyedOf(request) ? answered(request) : undefined,
    )
    .onError({ as: 'global' }, async ({ request }) => {
      if (!admission.keyedOf(request)) return undefined
      // Where this fails too, the first failure is the answer.
      return answered(request).catch(() => undefined)
    })
}

const mismatch = () =>
  invalid([{ field: KEY_FIELD, message: 'was used for another request' }], 'idempotency_mismatch')

interface Repeated {
  readonly request: Request
  readonly route: string
  readonly kept: KeptOperation
  readonly changing: Changing
}

/** @throws {AppError} 410 when the record is gone since. */
async function replay({ request, route, kept, changing }: Repeated, dispatch: Dispatch): Promise<Response> {
  const { status, source } = changing
  const headers = { 'idempotency-replayed': 'true', 'x-operation-id': kept.id }
  if (source.kind === 'none') return new Response(null, { status, headers })
  if (source.kind === 'answer') {
    return Response.json(answerOf(source.schema, kept.answer), { status, headers })
  }
  const path = pathOf(source.path, { request, route, item: source.kind === 'record' ? kept.item : null })
  if (source.kind === 'list') {
    const item = await findInList(request, path, kept.item, dispatch)
    if (item === undefined) throw deletedSince()
    return Response.json(item, { status, headers })
  }
  const read = await dispatch(request, { method: 'GET', path })
  if (read.status === 404) throw deletedSince()
  if (!read.ok) return read
  const answer = new Response(read.body, { status, headers: read.headers })
  for (const [name, value] of Object.entries(headers)) answer.headers.set(name, value)
  return answer
}

const deletedSince = () => new AppError('gone', 'Deleted since')

/** The path of the pattern with the parameters of the request; the last one is the item's id where there is one. */
function pathOf(
  pattern: string,
  { request, route, item }: Pick<Repeated, 'request' | 'route'> & { readonly item: number | null },
): string {
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

/** Returns the item with this id; undefined when no page has it. */
async function findInList(
  request: Request,
  path: string,
  id: number | null,
  dispatch: Dispatch,
): Promise<unknown> {
  let cursor: unknown
  do {
    const query = typeof cursor === 'string' ? `?cursor=${encodeURIComponent(cursor)}` : ''
    const read = await dispatch(request, { method: 'GET', path: path + query })
    if (!read.ok) return undefined
    const page: Readonly<Record<string, unknown>> = await read.json()
    const lists = Object.values(page).filter((value) => Array.isArray(value))
    const found: unknown = lists.flat().find((item: CurrentSession) => Number(item.id) === id)
    if (found !== undefined) return found
    cursor = page['next_cursor']
  } while (typeof cursor === 'string')
  return undefined
}

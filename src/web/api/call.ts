import { networkLosses, noteAnswer, noteUnreachable } from './connection'
import { readRefusal, type Refusal, refusalOf, RefusedError, UNREACHABLE } from './refusal'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface Sent {
  /** Sent as JSON; a `Blob` is sent as it is. */
  readonly body?: object | undefined
  /** The version that the change starts from. */
  readonly ifMatch?: number | undefined
  /** Makes a write safe to repeat. */
  readonly idempotencyKey?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** The answer leads elsewhere, and is not followed. */
  readonly leadsOn?: boolean
}

export interface Answer<T> {
  readonly body: T
  readonly status: number
  /** The operation that the request was, to undo it. */
  readonly operationId: string | undefined
}

type Listener = (refusal: Refusal) => void
const listeners = new Set<Listener>()
/** Calls the listener at each refusal that concerns the whole client: 401, 423, `password_change_required`. */
export function onRefusal(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

type Prover = () => Promise<boolean>
let prove: Prover = () => Promise.resolve(false)
/** Says how a user proves who they are when a request needs a recent proof. */
export function proveWith(prover: Prover): void {
  prove = prover
}

/**
 * Sends one request to the service and returns its parsed answer. `path` begins after `/api/`.
 * A request that needs a recent proof of who the user is waits for that proof, and is sent again (contract: web.proof). It
 * throws a `RefusedError` for everything but 2xx, also when the service cannot be reached.
 */
export async function call<T>(method: Method, path: string, sent: Sent = {}): Promise<Answer<T>> {
  const response = await request(method, path, sent)
  // The types are those of the wire models, which the service checks before it sends.
  const body = (response.status === 204 ? undefined : await response.json()) as T
  return { body, status: response.status, operationId: response.headers.get('x-operation-id') ?? undefined }
}

/** Sends one request and returns its answer unread. It proves and throws as `call` does. */
export async function request(method: Method, path: string, sent: Sent = {}): Promise<Response> {
  try {
    return await send(method, path, sent)
  } catch (error) {
    if (refusalOf(error)?.code !== 'reauthentication_required' || !(await prove())) throw error
    return send(method, path, sent)
  }
}

async function send(method: Method, path: string, sent: Sent): Promise<Response> {
  const losses = networkLosses()
  const response = await fetch(`/api/${path}`, { method, ...initOf(sent) }).catch((error: unknown) => {
    if (sent.signal?.aborted) throw error
    noteUnreachable()
    throw new RefusedError(UNREACHABLE)
  })
  noteAnswer(response, losses)
  if (!response.ok && response.type !== 'opaqueredirect') throw refused(await readRefusal(response))
  return response
}

function refused(refusal: Refusal): RefusedError {
  for (const listener of listeners) listener(refusal)
  return new RefusedError(refusal)
}

function initOf({ body, ifMatch, idempotencyKey, signal, leadsOn }: Sent): RequestInit {
  const headers = new Headers({ accept: 'application/json' })
  if (body !== undefined && !(body instanceof Blob)) headers.set('content-type', 'application/json')
  if (ifMatch !== undefined) headers.set('if-match', `"${ifMatch}"`)
  if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey)
  return {
    headers,
    credentials: 'same-origin',
    ...(body !== undefined && { body: body instanceof Blob ? body : JSON.stringify(body) }),
    ...(signal && { signal }),
    ...(leadsOn && { redirect: 'manual' }),
  }
}

/** Parts of a path are encoded, so that an id or a name cannot change the address. */
export const pathOf = (parts: TemplateStringsArray, ...values: ReadonlyArray<string | number>): string =>
  String.raw({ raw: parts }, ...values.map((value) => encodeURIComponent(value)))

/** A query string of the values that are given, or nothing. */
export function queryOf(values: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== '')
  if (given.length === 0) return ''
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}

import type { Deps } from '../deps'
import { newOperation, type Operation } from '../access/operations/service'
import { invalid } from '../lib/errors'
import { sha256Hex } from '../lib/text'
import type { Changing } from './retries.sources'

const KEY = /^[\x20-\x7e]{1,128}$/
const QUOTED = /^"((?:[^"\\]|\\["\\])*)"$/
export const KEY_FIELD = 'headers.Idempotency-Key'

/** The value of `Idempotency-Key`, whose quotes are no part of it. @throws {AppError} 422. */
function readKey({ headers }: Request): string | undefined {
  const given = headers.get('idempotency-key')
  if (given === null) return undefined
  const [, quoted] = QUOTED.exec(given) ?? []
  const key = quoted?.replaceAll(/\\(["\\])/g, '$1') ?? given
  if (KEY.test(key)) return key
  throw invalid([{ field: KEY_FIELD, message: 'must be 1 to 128 printable ASCII characters' }])
}

/** A request to a route that may change something. */
interface Requested {
  readonly request: Request
  readonly changing: Changing
  readonly body: Uint8Array<ArrayBuffer>
  readonly rules: { readonly ignoresKey?: boolean; readonly readAgain?: unknown }
}

/** The operation of a request (contract: retries.operations). @throws {AppError} 422. */
export async function operationOf(
  deps: Pick<Deps, 'clock' | 'random' | 'tokens'>,
  { request, changing: { name, source }, body, rules }: Requested,
): Promise<Operation> {
  const key = rules.ignoresKey ? undefined : readKey(request)
  const retry = key === undefined ? undefined : { key, fingerprint: await fingerprintOf(request, body) }
  const keepsAnswer = source.kind === 'answer' && rules.readAgain === undefined
  return newOperation(deps, { name, retry, keepsAnswer })
}

async function fingerprintOf({ method, url }: Request, body: Uint8Array<ArrayBuffer>): Promise<string> {
  const { pathname, search } = new URL(url)
  return sha256Hex(`${method} ${pathname}${search} ${await sha256Hex(withoutSpaces(body))}`)
}

/** A JSON text as JavaScript writes it, so that a batch may hold what was sent alone before; other bytes as they are. */
function withoutSpaces(body: Uint8Array<ArrayBuffer>): string | Uint8Array<ArrayBuffer> {
  if (body.byteLength > LONGEST_JSON) return body
  try {
    return JSON.stringify(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)))
  } catch {
    return body
  }
}

/** No route but imports takes a longer body. */
const LONGEST_JSON = 1_048_576

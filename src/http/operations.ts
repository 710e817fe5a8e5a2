import type { Deps } from '../deps'
import { newOperation, type Operation, type Retry } from '../access/operations/service'
import { invalid } from '../lib/errors'
import { sha256Hex } from '../lib/text'
import { createSources } from './retries.sources'
import type { RouteTable } from './route-table'

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

export type Operations = ReturnType<typeof createOperations>

/** Makes operations of requests that change something (contract: retries.operations). */
export function createOperations(deps: Pick<Deps, 'clock' | 'random'>, routes: RouteTable) {
  const changingAt = createSources(routes)
  return {
    changingAt,
    /** Undefined for a request that only reads. @throws {AppError} 422. */
    operationOf: async (
      { request, route }: { readonly request: Request; readonly route: string },
      { ignoresKey }: { readonly ignoresKey?: boolean },
      body: Uint8Array<ArrayBuffer>,
    ): Promise<Operation | undefined> => {
      const changing = changingAt(request.method, route)
      if (!changing) return undefined
      const key = ignoresKey ? undefined : readKey(request)
      const retry = key === undefined ? undefined : { key, fingerprint: await fingerprintOf(request, body) }
      return newOperation(deps, {
        name: changing.name,
        retry,
        keepsAnswer: changing.source.kind === 'answer',
      })
    },
  }
}

async function fingerprintOf(
  { method, url }: Request,
  body: Uint8Array<ArrayBuffer>,
): Promise<Retry['fingerprint']> {
  const { pathname, search } = new URL(url)
  return sha256Hex(`${method} ${pathname}${search} ${await sha256Hex(body)}`)
}

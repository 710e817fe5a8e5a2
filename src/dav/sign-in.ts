import { type AppPasswordUser, findAppPassword, noteUse } from '../access/tokens/service'
import type { Deps } from '../deps'
import { failureFields } from '../http/errors'
import { clientAddress, peerOf, requestOrigin } from '../http/origin'
import { RateLimit } from '../http/rate-limit'
import { isTokenText } from '../lib/access-tokens'
import { AppError } from '../lib/errors'
import { sha256Hex } from '../lib/text'
import { commaList } from '../lib/wire/parse'
import { busy, DavError, unauthorized } from './errors'

/** Twenty wrong app passwords in fifteen minutes from one address; one more is let in at once (contract: dav.sign-in). */
const WRONG = { burst: 19, intervalMs: 45_000 }

/** Lets users in by their app passwords (contract: dav.sign-in). */
export function createSignIn(deps: Deps) {
  const wrong = new RateLimit(() => deps.clock.monotonic(), WRONG.burst, WRONG.intervalMs)
  const noting = new Set<number>()
  const note = async (tokenId: number, request: Request): Promise<void> => {
    if (noting.has(tokenId)) return
    noting.add(tokenId)
    try {
      await noteUse(deps, tokenId, requestOrigin(deps, request).ip)
    } catch (error) {
      deps.log.warn('The use of an app password was not noted', failureFields(error))
    } finally {
      noting.delete(tokenId)
    }
  }
  const count = (request: Request): void => {
    deps.metrics.countWrongToken()
    const address = clientAddress(deps, request)
    if (deps.ipRanges.isLocal(address)) return
    try {
      wrong.take(deps.ipRanges.clientNetworks(address))
    } catch (error) {
      throw error instanceof AppError ? busy(error.headers['retry-after'] ?? '60') : error
    }
  }
  /** @throws {DavError} 401, 403 over plain http, 503 after too many wrong passwords. */
  return async (request: Request): Promise<AppPasswordUser> => {
    refusePlainHttp(deps, request)
    const given = readBasic(request)
    if (!given) throw unauthorized()
    const found = await findAppPassword(deps, await sha256Hex(given.secret), given.user)
    if (!found || !isTokenText(given.secret)) {
      count(request)
      throw unauthorized()
    }
    if (found.isUseDue) void note(found.session.token.id, request)
    return found
  }
}

/** Reads the user name or e-mail and the app password, in which spaces, hyphens and case do not count. */
function readBasic({ headers }: Request): { readonly user: string; readonly secret: string } | undefined {
  const [, encoded] = /^Basic +([\w+/=-]+)$/i.exec(headers.get('authorization') ?? '') ?? []
  if (encoded === undefined) return undefined
  try {
    const bytes = Uint8Array.from(atob(encoded), (one) => one.charCodeAt(0))
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    const end = text.indexOf(':')
    if (end === -1) return undefined
    return {
      user: text.slice(0, end),
      secret: text
        .slice(end + 1)
        .replace(/[\s-]/g, '')
        .toLowerCase(),
    }
  } catch {
    return undefined
  }
}

/** Passwords that come unencrypted over a network are refused before they are read. @throws {DavError} 403. */
function refusePlainHttp(deps: Deps, request: Request): void {
  if (deps.config.davAllowHttp) return
  const { peer, isTrusted } = peerOf(deps, request)
  const scheme = commaList(request.headers.get('x-forwarded-proto') ?? '').at(-1)
  const isSafe = isTrusted ? scheme === 'https' : peer === undefined || deps.ipRanges.contains(LOOPBACK, peer)
  if (!isSafe) throw new DavError(403)
}

const LOOPBACK = ['127.0.0.0/8', '::1/128']

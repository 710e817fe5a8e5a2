import type { Deps } from '../deps'
import { isSetUp } from '../access/sessions/service.checks'
import { forbidden } from '../lib/errors'

/**
 * Until an account exists, answers only requests for the host of `PUBLIC_URL`, for localhost and for literal addresses.
 * Otherwise a page whose name resolves to this machine (DNS rebinding) would count as same-origin and could create the first
 * account.
 * @throws {AppError} 403.
 */
export function createUnclaimedHostCheck(deps: Deps): (request: Request) => Promise<void> | undefined {
  const ownHost = new URL(deps.config.http.publicUrl).hostname
  let isClaimed = false
  /** The last host that was answered; parsing one for each request would cost more than the other checks together. */
  let known: string | undefined
  const isOwn = (host: string) => {
    const name = URL.parse(`http://${host}`)?.hostname
    if (name === undefined || host.includes('@')) return false
    return name === ownHost || name === 'localhost' || deps.ipRanges.parse(name) !== undefined
  }
  const refuseUnclaimed = async () => {
    isClaimed = await isSetUp(deps)
    if (isClaimed) return
    throw forbidden('Before setup only localhost, an IP address or the host of PUBLIC_URL is answered')
  }
  return (request) => {
    if (isClaimed) return undefined
    const host = request.headers.get('host')
    if (host === null || host === known) return undefined
    if (!isOwn(host)) return refuseUnclaimed()
    known = host
    return undefined
  }
}

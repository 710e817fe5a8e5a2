import { forbidden } from '../lib/errors'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

interface OwnOrigins {
  readonly publicUrl: string
  readonly corsOrigins: readonly string[]
}

/**
 * Refuses unsafe requests that another site's page makes with the user's cookie (contract: http.cross-origin). Checks the
 * `Origin` of RFC 6454, or without one the fetch metadata of the W3C. Clients that send neither header are not browsers.
 * @throws {AppError} 403.
 */
export function refuseCrossOrigin(request: Request, own: OwnOrigins): void {
  if (SAFE_METHODS.has(request.method)) return
  const origin = request.headers.get('origin')
  if (origin !== null) {
    if (isOwn(origin, request, own)) return
  } else {
    const site = request.headers.get('sec-fetch-site')
    if (site === null || site === 'same-origin' || site === 'none') return
  }
  throw forbidden('Cross-origin request rejected')
}

/**
 * Refuses to follow a link of another site where following it acts for the user, as its request is a safe one to the browser.
 * @throws {AppError} 403.
 */
export function refuseForeignNavigation({ headers }: Request): void {
  const site = headers.get('sec-fetch-site')
  if (site === 'cross-site' || site === 'same-site') throw forbidden('Cross-origin request rejected')
}

function isOwn(origin: string, request: Request, { publicUrl, corsOrigins }: OwnOrigins): boolean {
  if (origin === publicUrl || corsOrigins.includes(origin)) return true
  // A page that was loaded over http may have been changed on the way and must not write to a service on https.
  if (publicUrl.startsWith('https:') && !origin.startsWith('https:')) return false
  const caller = URL.parse(origin)
  const here = caller && URL.parse(`${caller.protocol}//${request.headers.get('host')}`)
  return here !== null && here.host !== '' && here.host === caller?.host && caller.origin === origin
}

import type { Deps } from '../deps'
import { AppError } from '../lib/errors'
import type { Encoding } from '../lib/ports/assets'
import { errorResponse } from './errors'
import { SERVICE_ADDRESSES } from '../lib/wire/service-addresses'
import { answerFile, type WholeFile, wholeFile } from './files'
import { contextOf } from './request-context'

const FILE = /^\/(assets\/[\w.-]+|icons\/[\w.-]+|sw\.js|manifest\.webmanifest)$/
const FILES = /^\/(assets|icons)(\/|$)|^\/(sw\.js|manifest\.webmanifest)$/

/** The service worker; its own address tells the browser what it may serve. */
const WORKER = '/sw.js'

/** The name of a file of the build tells its content. */
const KEEP_FOR_EVER = 'public, max-age=31536000, immutable'
const ASK_AGAIN = 'no-cache'

/**
 * The style that React Aria adds on iOS to stop a page from scrolling behind a popover. Its other style is not added, because
 * the shell has an element of that style's id.
 */
export const SCROLL_STYLE_HASH = 'sha256-gYiS/BvZvRcK27JIXTuwhZ3hs2+VJ1X+2gUlE+farlg='

/** Allows the client its own files and its own service, nothing else, and forbids framing (contract: web.shell). */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' '${SCROLL_STYLE_HASH}'`,
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types sw',
].join('; ')

const PAGE_HEADERS = {
  'content-security-policy': PAGE_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy':
    'camera=(), geolocation=(), microphone=(), payment=(), usb=(), publickey-credentials-create=(self), publickey-credentials-get=(self)',
}

/** Serves the web client; returns undefined for what the API answers. It needs neither a session nor the database. */
export function createWebClient({ client, config }: Pick<Deps, 'client' | 'config'>) {
  const kept = new Map<string, WholeFile>()
  const fileOf = async (name: string, encoding: Encoding | undefined): Promise<WholeFile | undefined> => {
    const key = `${encoding} ${name}`
    const known = kept.get(key)
    if (known) return known
    const asset = await client.read(name, encoding)
    if (!asset) return undefined
    const file = await wholeFile(asset.bytes, {
      'content-type': asset.contentType,
      'cache-control': name.startsWith('assets/') ? KEEP_FOR_EVER : ASK_AGAIN,
      vary: 'accept-encoding',
      // The page is also sent while the service starts, when nothing adds the headers of every response.
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      ...(asset.encoding && { 'content-encoding': asset.encoding }),
      ...(name === 'shell.html' && PAGE_HEADERS),
    })
    // All others may change while the service runs, when the client is built anew.
    if (name.startsWith('assets/')) kept.set(key, file)
    return file
  }
  const answer = async (request: Request, name: string): Promise<Response> => {
    const context = contextOf(request)
    if (context) context.route = name === 'shell.html' ? 'web' : 'web files'
    const file = await fileOf(name, encodingOf(request.headers.get('accept-encoding') ?? ''))
    return file ? answerFile(request, file) : errorResponse(new AppError('not_found', 'Not found'))
  }
  return (request: Request): Promise<Response> | undefined => {
    // Nearly all requests are the API's, so they are told apart without parsing their address.
    if (request.method !== 'GET' || request.url.startsWith('/api/', request.url.indexOf('/', 8)))
      return undefined
    const { pathname } = new URL(request.url)
    if (SERVICE_ADDRESSES.test(pathname)) return undefined
    if (pathname === WORKER && !config.webOffline) return answer(request, 'sw-off.js')
    if (FILES.test(pathname)) return answer(request, FILE.exec(pathname)?.[1] ?? '')
    return wantsPage(request) ? answer(request, 'shell.html') : undefined
  }
}

const wantsPage = ({ headers }: Request) => /\btext\/html\b/.test(headers.get('accept') ?? '')

/** Brotli before gzip; a coding with `q=0` is refused (RFC 9110, section 12.5.3). */
function encodingOf(accepted: string): Encoding | undefined {
  const allows = (name: string) => new RegExp(`\\b${name}\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`).test(accepted)
  return (['br', 'gzip'] as const).find(allows)
}

import { SaxesParser } from 'saxes'
import type { DavRequest } from './dav-requests'
import { INTERNALS } from './findings'

export interface DavAnswer {
  readonly request: DavRequest
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
}

/** What /dav may answer at all; whatever else makes clients do what nobody knows. */
const ALLOWED = new Set([200, 201, 204, 207, 301, 304, 400, 401, 403, 404, 405, 409, 412, 413, 415, 507])
const ALLOWED_FOR_SOME: Readonly<Record<number, (answer: DavAnswer) => boolean>> = {
  // The destination is on another server.
  502: ({ request }) => request.method === 'COPY' || request.method === 'MOVE',
  // A quota, or a name that is taken. One for the load is wrong here, as requests come one at a time.
  503: ({ headers }) => headers.get('retry-after') === '3600',
}
const isAllowed = (answer: DavAnswer): boolean =>
  ALLOWED.has(answer.status) || ALLOWED_FOR_SOME[answer.status]?.(answer) === true
/** Addresses beside /dav where clients begin; the rest of the service has its own judge. */
const isOurs = ({ path }: DavRequest) =>
  /^\/(?:dav(?:\/|$)|\.well-known\/)/.test(new URL(path, 'http://x').pathname)

interface Outline {
  readonly root: string
  /** The local names of what is directly in each response. */
  readonly responses: ReadonlyArray<readonly string[]>
}

/** Reads strictly. @throws {Error} for what is no XML. */
function outlineOf(text: string): Outline {
  const parser = new SaxesParser({ xmlns: true })
  const path: string[] = []
  const responses: string[][] = []
  let root = ''
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ uri, local }) => {
    const name = `{${uri}}${local}`
    if (path.length === 0) root = name
    if (path.length === 1 && name === '{DAV:}response') responses.push([])
    if (path.length === 2 && path[1] === '{DAV:}response') responses.at(-1)?.push(local)
    path.push(name)
  })
  parser.on('closetag', () => void path.pop())
  parser.write(text).close()
  return { root, responses }
}

/** What is wrong with an answer. */
export function judgeDav(answer: DavAnswer): string[] {
  const { request, status, headers } = answer
  const text = new TextDecoder().decode(answer.bytes)
  const said = [text, ...headers.values()].join('\n')
  return [
    ...(isAllowed(answer) || !isOurs(request) ? [] : ['has a status that is not allowed']),
    ...headerProblems(answer),
    ...bodyProblems(answer, text),
    ...request.caller.forbidden.filter((word) => said.includes(word)).map(() => "says somebody else's"),
    ...(status >= 400 && INTERNALS.test(text) ? ['speaks of the inside'] : []),
  ]
}

/** Headers that belong to a status. */
const NEEDED: Readonly<Record<number, string>> = {
  401: 'www-authenticate',
  405: 'allow',
  301: 'location',
}

function headerProblems({ request, status, headers }: DavAnswer): string[] {
  if (!isOurs(request)) return []
  const needed = [
    'x-request-id',
    'x-content-type-options',
    ...(NEEDED[status] === undefined ? [] : [NEEDED[status]]),
  ]
  const forbidden = ['set-cookie', 'access-control-allow-origin', 'transfer-encoding']
  const isPut = request.method === 'PUT' && status < 300
  return [
    ...needed.filter((name) => !headers.has(name)).map((name) => `has no ${name}`),
    ...forbidden.filter((name) => headers.has(name)).map((name) => `has ${name}`),
    ...(isPut && !/^"[^"]+"$/.test(headers.get('etag') ?? '') ? ['has no strong ETag'] : []),
  ]
}

function bodyProblems({ request, status, headers }: DavAnswer, text: string): string[] {
  const isXml = headers.get('content-type')?.startsWith('application/xml') ?? false
  if (!isOurs(request)) return []
  if (status >= 400) return isXml ? xmlProblems(text, '{DAV:}error') : ['is an error without XML']
  if (status === 207) return isXml ? xmlProblems(text, '{DAV:}multistatus') : ['is no XML']
  return isXml && text !== '' ? xmlProblems(text) : []
}

function xmlProblems(text: string, expected?: string): string[] {
  try {
    const { root, responses } = outlineOf(text)
    const isOdd = (names: readonly string[]) =>
      names[0] !== 'href' || names.includes('status') === names.includes('propstat')
    // A response to MKCALENDAR and MKCOL is their own (RFC 4791, section 9.3; RFC 5689, section 5.2).
    const isExpected = expected === undefined || root === expected || /\}mk\w+-response$/.test(root)
    return [
      ...(isExpected ? [] : [`begins with ${root}`]),
      ...(responses.some(isOdd) ? ['has an odd response'] : []),
    ]
  } catch (error) {
    return [`does not parse: ${String(error).replace(/\d+/g, 'n')}`]
  }
}

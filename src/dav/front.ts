import type { Deps } from '../deps'
import { readBody } from '../http/body'
import { failureFields } from '../http/errors'
import { createQueues, type Queues } from '../http/queues'
import { contextOf, noteUser } from '../http/request-context'
import { AppError } from '../lib/errors'
import { dav } from '../lib/xml/names'
import {
  type Address,
  type CollectionAddress,
  isMisnamed,
  type ObjectAddress,
  readAddress,
  ROOT_HREF,
} from './address'
import { busy, DavError, errorAnswer, refused, toDavError } from './errors'
import { remove } from './methods/delete'
import { get } from './methods/get'
import { copy, move } from './methods/move'
import { mkcalendar, mkcol } from './methods/make'
import { post } from './methods/post'
import { propfind } from './methods/propfind'
import { proppatch } from './methods/proppatch'
import { put, tooLong } from './methods/put'
import { MAX_OBJECT_BYTES } from './properties/collection'
import { report } from './methods/report'
import { createSignIn } from './sign-in'
import type { Visit } from './visit'

/** What this service is, to clients that ask (RFC 4918, section 10.1). Nothing is named that is not whole. */
const CLASSES = '1, 3, access-control, calendar-access, addressbook, extended-mkcol'

interface Method {
  readonly answer: (visit: Visit) => Promise<Response>
  /** The kinds of address that take it; absent for all, and for what is none. */
  readonly at?: ReadonlyArray<Address['kind']>
}

const METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['GET', { answer: get }],
  ['PROPFIND', { answer: propfind }],
  ['REPORT', { answer: report }],
  ['PROPPATCH', { answer: proppatch, at: ['principal', 'home', 'collection'] }],
  ['MKCALENDAR', { answer: mkcalendar, at: ['collection'] }],
  ['MKCOL', { answer: mkcol, at: ['collection'] }],
  ['DELETE', { answer: remove, at: ['collection', 'object'] }],
  ['PUT', { answer: put, at: ['object'] }],
  ['POST', { answer: post, at: ['collection'] }],
  ['MOVE', { answer: move, at: ['object'] }],
  ['COPY', { answer: copy, at: ['object'] }],
])

/** The longest XML of a request. */
const MAX_XML_BYTES = 8_388_608
/** After a body that took longer than this, the app password is checked again. */
const LONG_BODY_MS = 1000

const WELL_KNOWN = /^\/\.well-known\/(?:caldav|carddav)\/?$/
const OURS = /^\/dav(?:\/|$)/
/** Clients begin here when they know only the host. */
const BEGINNING = /^\/(?:principals\/?)?$/

/** Answers CalDAV and CardDAV (contract: dav.front); undefined for requests that are none. */
export function createDavFront(deps: Deps, queues: Queues) {
  const signIn = createSignIn(deps)
  const { standInLineFound, standInLinesOfAddress, takePlace } = createQueues(deps, queues)

  const visit = async (request: Request, path: string): Promise<Response> => {
    const address = readAddress(path)
    const context = contextOf(request)
    if (context) {
      context.route = `/dav ${address?.kind ?? 'unknown'}`
      context.lateAnswer = () => errorAnswer(busy('2'))
    }
    context?.allowLonger()
    if (request.method === 'OPTIONS') {
      await standInLinesOfAddress(request)
      return options(address)
    }
    let user: Visit['user'] | undefined
    await standInLineFound(request, async () => {
      user = await signIn(request)
      return `user ${user.session.userId}`
    })
    if (!user) user = await signIn(request)
    noteUser(request, user.session.userId)
    const method = METHODS.get(request.method)
    if (!method) throw new DavError(405)
    refuseCompressed(request)
    const since = deps.clock.monotonic()
    const body = await readWhole(request, address)
    await takePlace(request, 'signedIn')
    if (deps.clock.monotonic() - since > LONG_BODY_MS) user = await signIn(request)
    if (!address) throw nowhere(request, path, user)
    return method.answer({ deps, request, user, address, body })
  }

  const answer = (request: Request, path: string): Promise<Response> =>
    visit(request, path).catch((error: unknown) => {
      const answered = refuse(deps, request, error)
      if (answered.status === 405) answered.headers.set('allow', allowedAt(readAddress(path)))
      return answered
    })

  return (request: Request): Promise<Response> | Response | undefined => {
    const path = pathOf(request)
    if (WELL_KNOWN.test(path)) return redirect(request)
    const isBeginning =
      BEGINNING.test(path) && (request.method === 'OPTIONS' || request.method === 'PROPFIND')
    return OURS.test(path) || isBeginning ? answer(request, path) : undefined
  }
}

/** What is made at an address that cannot be (RFC 5842, section 4) is refused; anything else is not there. */
const nowhere = ({ method }: Request, path: string, { session }: Visit['user']): DavError =>
  MAKING.has(method) && isMisnamed(path, session.userId)
    ? refused(403, dav('name-allowed'))
    : new DavError(404)

const MAKING: ReadonlySet<string> = new Set(['PUT', 'MKCALENDAR', 'MKCOL'])

/** Reads the body: XML, or the text of an object. @throws {AppError} 400, 413. @throws {DavError} 403 for a text that is too long. */
async function readWhole(request: Request, address: Address | undefined): Promise<Uint8Array<ArrayBuffer>> {
  if (!isText(request, address)) return readBody(request, MAX_XML_BYTES)
  try {
    return await readBody(request, MAX_OBJECT_BYTES[address.home])
  } catch (error) {
    throw error instanceof AppError && error.kind === 'too_large' ? tooLong(address.home) : error
  }
}

/** Whether the body is the text of an object. */
const isText = (
  { method }: Request,
  address: Address | undefined,
): address is CollectionAddress | ObjectAddress =>
  (method === 'PUT' && address?.kind === 'object') || (method === 'POST' && address?.kind === 'collection')

/** Answers what was thrown, and logs what is the service's own fault. */
function refuse({ log }: Pick<Deps, 'log'>, request: Request, error: unknown): Response {
  const refusal = toDavError(error)
  const { cause } = refusal.details
  if (refusal.status >= 500 && cause !== undefined)
    log.error('A DAV request failed', { request_id: contextOf(request)?.id, ...failureFields(cause) })
  return errorAnswer(refusal)
}

/** What is compressed would be kept as it came. @throws {DavError} 415. */
function refuseCompressed({ headers }: Request): void {
  const coding = headers.get('content-encoding')?.trim().toLowerCase() ?? ''
  if (coding !== '' && coding !== 'identity') throw new DavError(415)
}

/** The path as it was sent, without parsing the addresses of requests to the API, which are nearly all. */
function pathOf({ url }: Request): string {
  const start = url.indexOf('/', 8)
  return url.startsWith('/api/', start) ? '' : new URL(url).pathname
}

/** Sends clients that know only the host to /dav, without asking who they are (RFC 6764, section 5). */
function redirect(request: Request): Response {
  const context = contextOf(request)
  if (context) context.route = '/.well-known dav'
  return new Response(null, { status: 301, headers: { location: ROOT_HREF, 'cache-control': 'no-cache' } })
}

/** The methods that this kind of address takes. */
function allowedAt(address: Address | undefined): string {
  const taken = [...METHODS].filter(([, { at }]) => !at || (address && at.includes(address.kind)))
  return ['OPTIONS', 'HEAD', ...taken.map(([name]) => name)].join(', ')
}

const options = (address: Address | undefined): Response =>
  new Response(null, {
    status: 200,
    headers: { allow: allowedAt(address), dav: CLASSES, 'content-length': '0' },
  })

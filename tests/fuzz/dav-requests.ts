import { ALL_KINDS, type DavKind, EVENTS, MIXED, TODOS } from '../support/dav-kinds'
import { objectText } from './dav-texts'
import { type Known, xmlBody } from './dav-xml'
import { drawing, type Draw } from './draw'

/** Somebody with an app password, and what they have met so far. */
export interface Caller extends Known {
  readonly id: number
  readonly authorization: string
  readonly hrefs: string[]
  readonly tokens: string[]
  readonly etags: string[]
  /** Whether others may have written what they read. */
  readonly isMember: boolean
  /** Words that no answer to them may hold. */
  readonly forbidden: readonly string[]
}

export interface DavRequest {
  readonly caller: Caller
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array<ArrayBuffer> | undefined
}

/** How often each method is drawn. */
const WEIGHTS: Readonly<Record<string, number>> = {
  PUT: 6,
  REPORT: 6,
  PROPFIND: 4,
  PROPPATCH: 2,
  MKCALENDAR: 2,
  MKCOL: 2,
  GET: 2,
  DELETE: 2,
  ...Object.fromEntries(
    ['HEAD', 'MOVE', 'COPY', 'OPTIONS', 'POST', 'LOCK', 'UNLOCK', 'ACL', 'PATCH', 'SEARCH'].map((name) => [
      name,
      1,
    ]),
  ),
}
const METHODS = Object.entries(WEIGHTS).flatMap(([name, weight]) => Array<string>(weight).fill(name))
const WITH_XML = new Set(['REPORT', 'PROPFIND', 'PROPPATCH', 'MKCALENDAR', 'MKCOL', 'ACL', 'SEARCH', 'LOCK'])

/** The request that this seed draws. */
export function davRequest(seed: number, caller: Caller): DavRequest {
  const draw = drawing(seed)
  const method = draw.oneOf(METHODS) ?? 'PUT'
  const path = pathFor(draw, caller, method)
  const body = bodyFor(draw, caller, method, path)
  const headers = {
    ...(draw.percent(97) && { authorization: caller.authorization }),
    ...(body && { 'content-length': String(body.byteLength) }),
    ...headersFor(draw, caller, method),
  }
  return { caller, method, path, headers, body }
}

const COLLECTION = /^\/dav\/(?:calendars|addressbooks)\/\d+\/[^/]+\/$/
const OBJECT = /^\/dav\/(?:calendars|addressbooks)\/\d+\/[^/]+\/[^/]+$/

/** Where a method has its place. */
const PLACES: Readonly<Record<string, RegExp>> = {
  REPORT: COLLECTION,
  PROPPATCH: COLLECTION,
  GET: OBJECT,
  HEAD: OBJECT,
  DELETE: OBJECT,
  MOVE: OBJECT,
  COPY: OBJECT,
}

/** An owner who moves what only they may read into a shared calendar shows it to its members, and may. */
const isSecret = (href: string, method: string): boolean =>
  /^(?:MOVE|COPY)$/.test(method) && href.includes('/known.')

/** Something known, something new beside it, or a place that is none. */
function pathFor(draw: Draw, { id, hrefs: all }: Caller, method: string): string {
  const hrefs = all.filter((href) => !isSecret(href, method))
  const known = draw.oneOf(hrefs) ?? '/dav/'
  if (method === 'PUT' && draw.percent(90)) return newObject(draw, hrefs)
  if (method.startsWith('MK')) return newCollection(draw, id)
  const place = PLACES[method]
  if (place && draw.percent(75)) return draw.oneOf(hrefs.filter((href) => place.test(href))) ?? known
  return draw.percent(60) ? known : elsewhere(draw, hrefs, known)
}

/** A mixed collection as a whole, or a place that is none. */
const elsewhere = (draw: Draw, hrefs: readonly string[], known: string): string =>
  (draw.percent(25) ? mixedIn(draw, hrefs) : undefined) ?? oddPath(draw, known)

/** What the addresses of mixed collections begin with. */
export const MIXED_SLUG = 'mixed'
const IS_MIXED = new RegExp(`^/dav/calendars/\\d+/${MIXED_SLUG}[^/]*/`)

const newCollection = (draw: Draw, id: number): string =>
  draw.percent(25)
    ? `/dav/${MIXED.home}/${id}/${MIXED_SLUG}${draw.nat(9)}/`
    : `/dav/${draw.oneOf(ALL_KINDS)?.home}/${id}/made${draw.nat(30)}/`

/** A mixed collection of which somebody knows. */
const mixedIn = (draw: Draw, hrefs: readonly string[]): string | undefined =>
  draw.oneOf(hrefs.flatMap((href) => IS_MIXED.exec(href)?.[0] ?? []))

/** Beside or in place of a known one. */
function newObject(draw: Draw, hrefs: readonly string[]): string {
  const collection = draw.oneOf(hrefs.filter((href) => COLLECTION.test(href))) ?? '/dav/'
  return `${collection}n${draw.nat(15)}.${kindFor(draw, collection)?.extension}`
}

/** A kind of object that a collection takes, as far as its name tells. */
function kindFor(draw: Draw, path: string): DavKind | undefined {
  if (IS_MIXED.test(path) && draw.percent(95)) return draw.pick([EVENTS, TODOS])
  const inHome = ALL_KINDS.filter(({ home }) => path.includes(home))
  return draw.oneOf(inHome.filter(({ slug }) => path.includes(`/${slug}`))) ?? draw.oneOf(inHome)
}

const oddPath = (draw: Draw, known: string): string =>
  draw.pick([
    known + spelled(draw),
    known + spelled(draw),
    known.replace(/\d+/, String(draw.integer(0, 99_999_999))),
    known.replace(/\/$/, ''),
    `${known}/`,
    known.replace('/dav/', '/dav//'),
    known.toUpperCase(),
    `${known}../`,
    `${known}%2F..%2F`,
    `${known}?x=1`,
    '/dav',
    '/',
    '/principals/',
    '/.well-known/caldav',
  ])

const spelled = (draw: Draw): string =>
  draw.pick([
    encodeURIComponent(draw.text(1, 40)),
    '%00',
    '%FF%FE',
    '%2F',
    '%2e%2e',
    '%',
    '%zz',
    encodeURIComponent('ä'.repeat(130)),
    'a%40b%3Ac.ics',
    '%F0%9F%98%80.ics',
    '%5C',
    'x;y=1',
  ])

function bodyFor(draw: Draw, caller: Caller, method: string, path: string): DavRequest['body'] {
  if (method === MIXED.make.method && IS_MIXED.test(path) && draw.percent(85))
    return bytesOf(draw, MIXED.make.body)
  if (WITH_XML.has(method)) return bytesOf(draw, xmlBody(method, draw, caller))
  if (method === 'PUT' || method === 'POST') return objectBody(draw, path)
  const mayHaveNone = method === 'GET' || method === 'HEAD' || draw.percent(90)
  return mayHaveNone ? undefined : bytesOf(draw, 'x')
}

/** The UID follows from the name, but for some. */
function objectBody(draw: Draw, path: string): DavRequest['body'] {
  const kind = kindFor(draw, path)
  const uid = /n\d+/.exec(path)?.[0] ?? 'odd'
  return kind && bytesOf(draw, objectText(kind, draw.percent(95) ? uid : `n${draw.nat(15)}`, draw))
}

/** Mostly UTF-8. */
function bytesOf(draw: Draw, text: string): Uint8Array<ArrayBuffer> {
  if (draw.percent(1)) return new Uint8Array(Buffer.from(text, 'utf16le'))
  const bytes = new Uint8Array(Buffer.from(text))
  if (draw.percent(3) && bytes.length > 0) bytes[draw.nat(bytes.length - 1)] = draw.integer(0x80, 0xff)
  return bytes
}

type HeaderDraw = (draw: Draw, caller: Caller) => Readonly<Record<string, string>>

const tag = (draw: Draw, { etags }: Caller) => draw.oneOf(etags) ?? '"1-1"'
const tags = (draw: Draw, caller: Caller) =>
  draw.pick([
    tag(draw, caller),
    tag(draw, caller),
    `"x", ${tag(draw, caller)}`,
    `W/${tag(draw, caller)}`,
    '*',
    '"x"',
    'x',
    '"',
    '',
  ])
const collectionOf = (href: string) => href.replace(/[^/]*$/, '')
const destinations = (draw: Draw, { hrefs }: Caller) => {
  const href = draw.oneOf(hrefs) ?? '/dav/'
  return draw.pick([
    `${mixedIn(draw, hrefs) ?? collectionOf(href)}moved${draw.nat(9)}.ics`,
    `${collectionOf(href)}moved${draw.nat(9)}.ics`,
    `${collectionOf(href)}moved${draw.nat(9)}.vcf`,
    `http://localhost${href}`,
    `https://elsewhere.example${href}`,
    href,
    'x',
    '',
    'http://[',
  ])
}

const SOMETIMES: ReadonlyArray<HeaderDraw> = [
  (draw) => ({ depth: draw.pick(['0', '1', 'infinity', '2', '', ' 1 ', '-1', '1, noroot', 'Infinity']) }),
  (draw, caller) => ({ 'if-match': tags(draw, caller) }),
  (draw, caller) => ({ 'if-none-match': tags(draw, caller) }),
  (draw, caller) => ({
    if: draw.pick([
      `([${tag(draw, caller)}])`,
      `(Not [${tag(draw, caller)}])`,
      `<http://localhost/dav/> ([${tag(draw, caller)}]) (["x"])`,
      '(<opaquelocktoken:x>)',
      '((',
      '()',
      'x',
      '([])',
      `(${'["x"] '.repeat(500)})`,
    ]),
  }),
  (draw) => ({
    prefer: draw.pick(['return=minimal', 'return=representation', 'depth-noroot', 'x', 'return=', 'wait=1']),
  }),
  (draw) => ({ brief: draw.pick(['t', 'f', 'T', 'x']) }),
  (draw) => ({ overwrite: draw.pick(['T', 'F', 'x']) }),
  (draw) => ({
    'content-type': draw.pick([
      'text/calendar',
      'text/vcard',
      'application/xml',
      'text/xml; charset="utf-8"',
      'application/json',
      'x',
      '',
    ]),
  }),
  (draw) => ({ 'content-length': draw.pick(['0', '1', '99999999999', '-1', 'x', '1e3', '']) }),
  (draw) => ({ 'content-encoding': draw.pick(['gzip', 'identity', 'x']) }),
  (draw) => ({ accept: draw.pick(['text/calendar', 'text/vcard; version=4.0', '*/*', 'x']) }),
  (draw) => ({ range: draw.pick(['bytes=0-1', 'bytes=9-1', 'x']) }),
  (draw) => ({ 'x-forwarded-proto': draw.pick(['https', 'http', 'x']) }),
  (draw) => ({ timeout: draw.pick(['Infinite', 'Second-1', 'x']) }),
  (draw) => ({ 'x-http-method-override': draw.pick(['DELETE', 'PROPFIND', 'x']) }),
]

function headersFor(draw: Draw, caller: Caller, method: string): Readonly<Record<string, string>> {
  const depth = method === 'PROPFIND' ? { depth: draw.pick(['0', '1', '1']) } : {}
  const destination = /^(?:MOVE|COPY)$/.test(method) ? { destination: destinations(draw, caller) } : {}
  const more = draw.percent(45)
    ? Array.from({ length: draw.integer(1, 2) }, () => draw.oneOf(SOMETIMES)?.(draw, caller) ?? {})
    : []
  return Object.assign({}, depth, destination, ...more) as Record<string, string>
}

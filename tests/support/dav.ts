import { xmlReader } from '../../src/adapters/xml'
import type { Scope } from '../../src/lib/scopes'
import type { XmlElement } from '../../src/lib/xml/element'
import { childOf, textOfChild } from '../../src/lib/xml/element'
import { dav } from '../../src/lib/xml/names'
import type { Actor, Harness } from './harness'
import { createToken } from './tokens'

export const DAV_SCOPES: readonly Scope[] = ['dav', 'calendars:write', 'tasks:write', 'people:write']

export interface DavSent {
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface DavAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly bytes: Uint8Array
  /** The root element of an XML answer. */
  readonly xml: XmlElement
  /** The responses of a multistatus by href. */
  readonly responses: ReadonlyMap<string, DavResponse>
}

export interface DavResponse {
  /** Of the resource as a whole. */
  readonly status: string | undefined
  readonly found: ReadonlyMap<string, XmlElement>
  readonly missing: readonly string[]
  readonly element: XmlElement
}

const EMPTY: XmlElement = { name: '', attributes: new Map(), children: [], text: '' }

export const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

/** Sends one request to /dav and reads what comes back. */
export async function sendDav(
  h: Harness,
  method: string,
  path: string,
  { body, headers = {} }: DavSent = {},
): Promise<DavAnswer> {
  const response = await h.app.fetch(
    new Request(`http://localhost${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    }),
  )
  const bytes = new Uint8Array(await response.arrayBuffer())
  const text = new TextDecoder().decode(bytes)
  h.canary.hear(undefined, response, text)
  const isXml = response.headers.get('content-type')?.startsWith('application/xml') ?? false
  const xml = isXml && text !== '' ? xmlReader.read(text) : EMPTY
  return { status: response.status, headers: response.headers, text, bytes, xml, responses: responsesIn(xml) }
}

function responsesIn(xml: XmlElement): Map<string, DavResponse> {
  const responses = xml.children.filter(({ name }) => name === dav('response'))
  return new Map(
    responses.map((element) => {
      const stats = element.children.filter(({ name }) => name === dav('propstat'))
      const propertiesWith = (status: string) =>
        stats
          .filter((stat) => textOfChild(stat, dav('status')) === `HTTP/1.1 ${status}`)
          .flatMap((stat) => childOf(stat, dav('prop'))?.children ?? [])
      const found = propertiesWith('200 OK')
      return [
        textOfChild(element, dav('href')) ?? '',
        {
          element,
          status: textOfChild(element, dav('status')),
          found: new Map(found.map((property) => [property.name, property])),
          missing: propertiesWith('404 Not Found').map(({ name }) => name),
        },
      ]
    }),
  )
}

/** A phone of an actor: their app password, and requests with it. */
export async function phoneOf(h: Harness, actor: Actor, scopes = DAV_SCOPES) {
  const { token, id } = await createToken(actor, scopes)
  const userId = actor.row.id
  const authorization = basic(actor.row.username, token)
  const send = (method: string, path: string, { headers, ...sent }: DavSent = {}) =>
    sendDav(h, method, path, { ...sent, headers: { authorization, ...headers } })
  return {
    userId,
    token,
    tokenId: id,
    authorization,
    send,
    home: `/dav/calendars/${userId}/`,
    propfind: (path: string, names: readonly string[], depth = '0', headers = {}) =>
      send('PROPFIND', path, { body: propfindOf(names), headers: { depth, ...headers } }),
    report: (path: string, body: string, headers = {}) => send('REPORT', path, { body, headers }),
  }
}

export type Phone = Awaited<ReturnType<typeof phoneOf>>

export const PREFIXES =
  'xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:card="urn:ietf:params:xml:ns:carddav" xmlns:cs="http://calendarserver.org/ns/" xmlns:a="http://apple.com/ns/ical/"'

/** A body that asks for properties such as `d:displayname`. */
export const propfindOf = (names: readonly string[]): string =>
  `<d:propfind ${PREFIXES}><d:prop>${names.map((name) => `<${name}/>`).join('')}</d:prop></d:propfind>`

export const multigetOf = (
  hrefs: readonly string[],
  names: readonly string[] = ['d:getetag', 'c:calendar-data'],
): string =>
  `<c:calendar-multiget ${PREFIXES}><d:prop>${names.map((name) => `<${name}/>`).join('')}</d:prop>${hrefs
    .map((href) => `<d:href>${href}</d:href>`)
    .join('')}</c:calendar-multiget>`

export const syncOf = (token: string, limit?: number): string =>
  `<d:sync-collection ${PREFIXES}><d:sync-token>${token}</d:sync-token><d:sync-level>1</d:sync-level>${
    limit === undefined ? '' : `<d:limit><d:nresults>${limit}</d:nresults></d:limit>`
  }<d:prop><d:getetag/></d:prop></d:sync-collection>`

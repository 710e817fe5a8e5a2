import { childOf, type XmlElement } from '../../lib/xml/element'
import { dav } from '../../lib/xml/names'
import { badRequest, DavError } from '../errors'

/** Which properties a request asks for (RFC 4918, section 14.20). */
export type Asked =
  | { readonly kind: 'named'; readonly names: readonly string[] }
  | { readonly kind: 'all'; readonly names: readonly string[] }
  | { readonly kind: 'names' }

/** For a report that asks for no property: it tells what is there. */
export const NOTHING: Asked = { kind: 'named', names: [] }
const ALL: Asked = { kind: 'all', names: [] }

/** Reads the body of a PROPFIND; none asks for all. @throws {DavError} 400. */
export function readAsked(body: XmlElement | undefined): Asked {
  if (!body) return ALL
  if (body.name !== dav('propfind')) throw new DavError(400)
  return askedWithin(body) ?? badRequest()
}

/** What an element asks for, also within a report; undefined where it asks for nothing. */
export function askedWithin(body: XmlElement): Asked | undefined {
  const named = childOf(body, dav('prop'))
  if (named) return { kind: 'named', names: namesIn(named) }
  if (childOf(body, dav('propname'))) return { kind: 'names' }
  if (!childOf(body, dav('allprop'))) return undefined
  const include = childOf(body, dav('include'))
  return { kind: 'all', names: include ? namesIn(include) : [] }
}

/** The most properties of a request: no client asks for more than fifty. */
const MAX_NAMES = 500

/** @throws {DavError} 400. */
function namesIn({ children }: XmlElement): readonly string[] {
  const names = new Set(children.map(({ name }) => name))
  return names.size > MAX_NAMES ? badRequest() : [...names]
}

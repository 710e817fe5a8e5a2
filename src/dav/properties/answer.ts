import { isNamedSo } from '../../features/objects/collections/rules'
import { dav, ical } from '../../lib/xml/names'
import { element, textElement, textIn } from '../../lib/xml/write'
import { placeOf, type Resource, type Viewer } from '../resources'
import type { Asked } from './asked'
import { HOME_PROPERTIES, propertiesOf } from './collection'
import { DATA, OBJECT_PROPERTIES, OF_TEXT } from './object'
import { PRINCIPAL_PROPERTIES, ROOT_PROPERTIES } from './principal'
import { IN_ALLPROP } from './shared'

/** The names of the live properties, and what the resource says of one. */
interface Live {
  readonly names: Iterable<string>
  readonly read: (name: string) => string | undefined
}

function liveOf(resource: Resource, viewer: Viewer): Live {
  const of = <R extends Resource>(
    properties: ReadonlyMap<string, (resource: R, viewer: Viewer) => string | undefined>,
    one: R,
  ): Live => ({ names: properties.keys(), read: (name) => properties.get(name)?.(one, viewer) })
  switch (resource.kind) {
    case 'root':
      return of(ROOT_PROPERTIES, resource)
    case 'principal':
      return of(PRINCIPAL_PROPERTIES, resource)
    case 'home':
      return of(HOME_PROPERTIES, resource)
    case 'collection':
      return of(propertiesOf(resource.collection), resource)
    case 'object':
      return of(OBJECT_PROPERTIES, resource)
  }
}

/** Whether an answer needs the texts of objects. */
export const needsText = (asked: Asked): boolean =>
  asked.kind === 'all' || (asked.kind === 'named' && asked.names.some((name) => OF_TEXT.has(name)))

/** What is asked, and whether properties that are missing are to be named (RFC 8144, section 2.1). */
export interface Question {
  readonly asked: Asked
  readonly isMinimal: boolean
}

interface KnownProperties extends Live {
  /** The properties that clients have kept. */
  readonly kept: Iterable<string>
}

/** What is known of a resource: each property as an element. */
function knownOf(resource: Resource, viewer: Viewer): KnownProperties {
  const live = liveOf(resource, viewer)
  const place = placeOf(resource)
  const kept = (place === undefined ? undefined : viewer.kept.get(place)) ?? new Map<string, string>()
  const read = (name: string): string | undefined => {
    const own = kept.get(name)
    if (own !== undefined && !isOvertaken(resource, name, own)) return own
    const content = live.read(name)
    return content === undefined ? undefined : element(name, content)
  }
  return { names: live.names, kept: kept.keys(), read }
}

/** A property of a resource as an element; undefined where it has none of that name. */
export const propertyOf = (resource: Resource, name: string, viewer: Viewer): string | undefined =>
  knownOf(resource, viewer).read(name)

/** Writes the `DAV:response` of a resource (RFC 4918, section 9.1). */
export function responseOf(resource: Resource, { asked, isMinimal }: Question, viewer: Viewer): string {
  const { names, kept, read } = knownOf(resource, viewer)
  if (asked.kind === 'names') {
    const present = [...new Set([...names, ...kept])].filter((name) => read(name) !== undefined)
    return answerWith(resource.href, { found: present.map((name) => element(name)), missing: [] })
  }
  const listed = asked.kind === 'all' ? [...[...names].filter((name) => IN_ALLPROP.has(name)), ...kept] : []
  const found: string[] = []
  const absent: string[] = []
  for (const name of new Set([...listed, ...asked.names])) {
    const content = read(name)
    if (content !== undefined) found.push(content)
    else if (asked.names.includes(name)) absent.push(name)
  }
  const precondition = refusalIn(resource)
  const isRefused = (name: string) => precondition !== undefined && DATA.has(name)
  const missing = isMinimal ? [] : absent.filter((name) => !isRefused(name)).map((name) => element(name))
  return answerWith(resource.href, { found, missing }, refusedOf(absent.filter(isRefused), precondition))
}

/** Properties that a precondition keeps back. */
const refusedOf = (names: readonly string[], precondition = ''): string =>
  names.length === 0
    ? ''
    : propstat(
        names.map((name) => element(name)).join(''),
        '403 Forbidden',
        element(dav('error'), element(precondition)),
      )

const refusalIn = (resource: Resource) => (resource.kind === 'object' ? resource.refusal : undefined)

/** Whether JSON has changed a name or colour since a client set it. */
function isOvertaken(resource: Resource, name: string, own: string): boolean {
  if (resource.kind !== 'collection' || resource.collection.kind === 'reminders') return false
  const { collection } = resource
  if (name === ical('calendar-color'))
    return !own.toLowerCase().includes(`>${collection.color.toLowerCase()}`)
  return (
    name === dav('displayname') && collection.access === 'owner' && !isNamedSo(collection.name, textIn(own))
  )
}

interface PropertyOutcome {
  readonly found: readonly string[]
  readonly missing: readonly string[]
}

/** The response of an address with the properties that it has, and those that it has not. */
export function answerWith(path: string, { found, missing }: PropertyOutcome, more = ''): string {
  const parts = [
    found.length > 0 || missing.length === 0 ? propstat(found.join(''), '200 OK') : '',
    missing.length > 0 ? propstat(missing.join(''), '404 Not Found') : '',
  ]
  return element(dav('response'), textElement(dav('href'), path) + parts.join('') + more)
}

/** Properties that share a status, and more about it. */
export const propstat = (properties: string, status: string, more = ''): string =>
  element(dav('propstat'), element(dav('prop'), properties) + statusElement(status) + more)

const statusElement = (status: string) => element(dav('status'), `HTTP/1.1 ${status}`)

/** Says of a collection that it holds more than an answer tells (RFC 6578, section 3.6; RFC 6352, section 8.6.1). */
export const overLimit = (path: string): string =>
  statusResponse(
    path,
    '507 Insufficient Storage',
    element(dav('error'), element(dav('number-of-matches-within-limits'))),
  )

/** The response for an address as a whole, such as one that leads nowhere. */
export const statusResponse = (path: string, status: string, inner = ''): string =>
  element(dav('response'), textElement(dav('href'), path) + statusElement(status) + inner)

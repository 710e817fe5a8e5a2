import { type CollectionKind, COMPONENTS, type Home } from '../../features/objects/collections/rules'
import { makeCollection } from '../../features/objects/collections/service.changes'
import { childOf, type XmlElement } from '../../lib/xml/element'
import { caldav, carddav, dav } from '../../lib/xml/names'
import { document } from '../../lib/xml/write'
import { DavError, refused } from '../errors'
import { operating } from '../operating'
import { changesIn, COMPONENT_SET, judge } from '../properties/changes'
import { MAKEABLE } from '../properties/collection'
import { findResource, readXml, requireWritingAll, type Visit } from '../visit'
import { propertyOutcomes } from './proppatch'

/** What a request makes, and how its answers are called. */
interface Making {
  /** Where such collections are. */
  readonly home: Home
  readonly responseName: string
  /** The precondition of an address elsewhere. */
  readonly misplaced: string
}

const LOCATION_OK: Readonly<Record<Home, string>> = {
  calendars: caldav('calendar-collection-location-ok'),
  addressbooks: carddav('addressbook-collection-location-ok'),
}

/** Answers MKCALENDAR (RFC 4791, section 5.3.1). @throws {DavError} 400, 403, 405. */
export async function mkcalendar(visit: Visit): Promise<Response> {
  const body = await readXml(visit)
  if (body && body.name !== caldav('mkcalendar')) throw new DavError(400)
  return make(visit, body, {
    home: 'calendars',
    responseName: caldav('mkcalendar-response'),
    misplaced: LOCATION_OK.calendars,
  })
}

/** Answers extended MKCOL (RFC 5689). @throws {DavError} 400, 403, 405. */
export async function mkcol(visit: Visit): Promise<Response> {
  const body = await readXml(visit)
  if (!body) throw refused(403, dav('valid-resourcetype'))
  if (body.name !== dav('mkcol')) throw new DavError(415)
  const home = homeMeant(changesIn(body).find(({ name }) => name === dav('resourcetype'))?.value)
  if (!home) throw refused(403, dav('valid-resourcetype'))
  return make(visit, body, {
    home,
    responseName: dav('mkcol-response'),
    misplaced: isInHome(visit) ? dav('valid-resourcetype') : LOCATION_OK[home],
  })
}

/** Where collections of these types are; undefined where there are none, or no single ones. */
function homeMeant(types: XmlElement | undefined): Home | undefined {
  if (!types) return undefined
  const isCalendar = childOf(types, caldav('calendar')) !== undefined
  const isBook = childOf(types, carddav('addressbook')) !== undefined
  if (isCalendar === isBook) return undefined
  return isBook ? 'addressbooks' : 'calendars'
}

const isInHome = ({ address, user }: Visit): boolean =>
  address.kind === 'collection' && address.userId === user.session.userId

async function make(visit: Visit, body: XmlElement | undefined, making: Making): Promise<Response> {
  const slug = await freeSlug(visit, making)
  const asked = body ? changesIn(body) : []
  const components = asked.find(({ name }) => name === COMPONENT_SET)?.value
  const kind = making.home === 'addressbooks' ? 'book' : kindFor(components)
  requireWritingAll(visit, kind)
  const judged = judge(asked, true)
  if (judged.problems.size > 0) return answer(403, document(making.responseName, propertyOutcomes(judged)))
  const obstacle = await makeCollection(visit.deps, operating(visit, 'davMake'), {
    kind,
    slug,
    ...judged.changes,
  })
  if (obstacle === 'taken') throw refused(403, dav('resource-must-be-null'))
  if (obstacle === 'reserved') throw refused(403, LOCATION_OK[making.home])
  return answer(201, '')
}

/** The address of the new collection in its home. @throws {DavError} 403. */
async function freeSlug(visit: Visit, { home, misplaced }: Making): Promise<string> {
  const { address } = visit
  if (await findResource(visit)) throw refused(403, dav('resource-must-be-null'))
  if (address.kind !== 'collection' || !isInHome(visit) || address.home !== home)
    throw refused(403, misplaced)
  return address.slug
}

/** The kind of collection that takes just these components; without any it is one of events. @throws {DavError} 403. */
function kindFor(set: XmlElement | undefined): CollectionKind {
  const asked = new Set(set?.children.map(({ attributes }) => attributes.get('name')?.toUpperCase() ?? ''))
  if (asked.size === 0) return 'calendar'
  const kind = MAKEABLE.find((one) => asked.symmetricDifference(new Set(COMPONENTS[one])).size === 0)
  if (!kind) throw refused(403, caldav('supported-calendar-component'))
  return kind
}

const answer = (status: number, text: string): Response =>
  new Response(text, {
    status,
    headers: {
      'cache-control': 'no-cache',
      ...(text !== '' && { 'content-type': 'application/xml; charset=utf-8' }),
    },
  })

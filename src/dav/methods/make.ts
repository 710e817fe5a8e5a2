import { makeCalendar } from '../../features/objects/collections/service.changes'
import { childOf, type XmlElement } from '../../lib/xml/element'
import { caldav, dav } from '../../lib/xml/names'
import { document } from '../../lib/xml/write'
import { DavError, refused } from '../errors'
import { operating } from '../operating'
import { changesIn, COMPONENT_SET, judge } from '../properties/changes'
import { findResource, readXml, requireWriting, type Visit } from '../visit'
import { propertyOutcomes } from './proppatch'

/** Answers MKCALENDAR (RFC 4791, section 5.3.1). @throws {DavError} 400, 403, 405. */
export async function mkcalendar(visit: Visit): Promise<Response> {
  const body = readXml(visit)
  if (body && body.name !== caldav('mkcalendar')) throw new DavError(400)
  return make(visit, body, caldav('mkcalendar-response'))
}

/** Answers extended MKCOL (RFC 5689). @throws {DavError} 400, 403, 405. */
export async function mkcol(visit: Visit): Promise<Response> {
  const body = readXml(visit)
  if (!body) throw refused(403, dav('valid-resourcetype'))
  if (body.name !== dav('mkcol')) throw new DavError(415)
  const types = changesIn(body).find(({ name }) => name === dav('resourcetype'))?.value
  if (!types || !childOf(types, caldav('calendar'))) throw refused(403, dav('valid-resourcetype'))
  return make(visit, body, dav('mkcol-response'))
}

async function make(visit: Visit, body: XmlElement | undefined, responseName: string): Promise<Response> {
  const slug = await freeSlug(visit)
  const given = body ? changesIn(body) : []
  refuseOtherComponents(given.find(({ name }) => name === COMPONENT_SET)?.value)
  const judged = judge(given, true)
  if (judged.problems.size > 0) return answer(403, document(responseName, propertyOutcomes(judged)))
  const obstacle = await makeCalendar(visit.deps, operating(visit, 'davMake'), { slug, ...judged.changes })
  if (obstacle === 'taken') throw refused(403, dav('resource-must-be-null'))
  if (obstacle === 'reserved') throw refused(403, caldav('calendar-collection-location-ok'))
  return answer(201, '')
}

/** The address of the new collection in its home. @throws {DavError} 403. */
async function freeSlug(visit: Visit): Promise<string> {
  const { address, user } = visit
  if (await findResource(visit)) throw refused(403, dav('resource-must-be-null'))
  if (address.kind !== 'collection' || address.home !== 'calendars' || address.userId !== user.session.userId)
    throw refused(403, caldav('calendar-collection-location-ok'))
  requireWriting(visit)
  return address.slug
}

/** @throws {DavError} 403. */
function refuseOtherComponents(set: XmlElement | undefined): void {
  const asked = set?.children.map(({ attributes }) => attributes.get('name')?.toUpperCase()) ?? []
  if (asked.some((name) => name !== 'VEVENT')) throw refused(403, caldav('supported-calendar-component'))
}

const answer = (status: number, text: string): Response =>
  new Response(text, {
    status,
    headers: {
      'cache-control': 'no-cache',
      ...(text !== '' && { 'content-type': 'application/xml; charset=utf-8' }),
    },
  })

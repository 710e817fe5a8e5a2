import type { XmlElement } from '../../lib/xml/element'
import { caldav, carddav, dav } from '../../lib/xml/names'
import { DavError, refused } from '../errors'
import { homeOf } from '../../features/objects/collections/rules'
import { addressbookQuery } from '../reports/card-query'
import { expandProperty } from '../reports/expand'
import { multiget } from '../reports/multiget'
import { searchPrincipals, searchProperties } from '../reports/principals'
import { calendarQuery, freeBusyQuery } from '../reports/query'
import { syncCollection } from '../reports/sync'
import type { CollectionResource, Found } from '../resources'
import { findResource, readXml, type Visit } from '../visit'

type Report = (visit: Visit, body: XmlElement, found: Found<CollectionResource>) => Promise<Response>

const OF_CALENDAR: ReadonlyMap<string, Report> = new Map([
  [caldav('calendar-multiget'), multiget],
  [caldav('calendar-query'), calendarQuery],
  [caldav('free-busy-query'), freeBusyQuery],
  [dav('sync-collection'), syncCollection],
])

const OF_BOOK: ReadonlyMap<string, Report> = new Map([
  [carddav('addressbook-multiget'), multiget],
  [carddav('addressbook-query'), addressbookQuery],
  [dav('sync-collection'), syncCollection],
])

const OF_HOMES = { calendars: OF_CALENDAR, addressbooks: OF_BOOK }

type AnyReport = (visit: Visit, body: XmlElement, found: Found) => Promise<Response>

const ANYWHERE: ReadonlyMap<string, AnyReport> = new Map([
  [dav('expand-property'), expandProperty],
  [dav('principal-search-property-set'), searchProperties],
  [dav('principal-property-search'), searchPrincipals],
])

/** Answers REPORT (RFC 3253, section 3.6). @throws {DavError} 400, 403 for a report that is not known there, 404. */
export async function report(visit: Visit): Promise<Response> {
  const body = await readXml(visit)
  if (!body) throw new DavError(400)
  const found = await findResource(visit)
  if (!found) throw new DavError(404)
  const { resource, journal } = found
  const anywhere = ANYWHERE.get(body.name)
  if (anywhere) return anywhere(visit, body, found)
  if (resource.kind !== 'collection') throw refused(403, dav('supported-report'))
  const answer = OF_HOMES[homeOf(resource.collection)].get(body.name)
  if (!answer) throw refused(403, dav('supported-report'))
  return answer(visit, body, { resource, journal })
}

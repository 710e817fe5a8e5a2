import type { Collection, Home } from '../../features/objects/collections/rules'
import type { ObjectRefusal, PutObject } from '../../features/objects/sources/rules'
import { caldav, carddav, dav } from '../../lib/xml/names'
import { textElement } from '../../lib/xml/write'
import { type ObjectAddress, objectHref } from '../address'
import { checkConditions } from '../conditions'
import { DavError, needsPrivileges, refused } from '../errors'
import { operating } from '../operating'
import { MAX_OBJECT_BYTES } from '../properties/collection'
import { etagOf } from '../resources'
import { sourceOf } from '../sources'
import { findCollection, requireWriting, seesHome, type Visit } from '../visit'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The names of what a text must be (RFC 4791, section 5.3.2.1; RFC 6352, section 6.3.2.1). */
const PRECONDITIONS: Readonly<Record<Home, Readonly<Record<ObjectRefusal['kind'] | 'size', string>>>> = {
  calendars: {
    data: caldav('valid-calendar-data'),
    object: caldav('valid-calendar-object-resource'),
    component: caldav('supported-calendar-component'),
    version: caldav('supported-calendar-data'),
    uid: caldav('no-uid-conflict'),
    size: caldav('max-resource-size'),
  },
  addressbooks: {
    data: carddav('valid-address-data'),
    object: carddav('valid-address-data'),
    component: carddav('supported-address-data'),
    version: carddav('supported-address-data'),
    uid: carddav('no-uid-conflict'),
    size: carddav('max-resource-size'),
  },
}

/** A text is too long for an object there. */
export const tooLong = (home: Home): DavError => refused(403, PRECONDITIONS[home].size)

/**
 * Answers PUT: what a client sends is kept byte for byte (contract: dav.objects).
 * @throws {DavError} 403, 404, 405, 409, 412.
 */
export async function put(visit: Visit): Promise<Response> {
  const { address } = visit
  if (address.kind !== 'object') throw new DavError(405)
  const found = await findCollection(visit, address)
  if (!found) throw new DavError(address.home === 'calendars' && seesHome(visit, address.home) ? 409 : 404)
  const { object, isNew, isRewritten } = await putBody(visit, found, address, 'davPut')
  return new Response(null, {
    status: isNew ? 201 : 204,
    ...(!isRewritten && { headers: { etag: etagOf(object) } }),
  })
}

/** Puts the body of a request as an object of a collection. @throws {DavError} 403, 409, 412. */
export async function putBody(
  visit: Visit,
  collection: Collection,
  address: ObjectAddress,
  operation: string,
): Promise<PutObject> {
  const { deps, request, body } = visit
  refuseReading(visit, collection)
  if (body.byteLength > MAX_OBJECT_BYTES[address.home]) throw tooLong(address.home)
  if (address.home === 'addressbooks') refuseOtherTypes(request)
  const done = await sourceOf(collection).put(deps, operating(visit, operation), {
    collection,
    name: address.name,
    text: textOf(body, address.home),
    check: (present) => void checkConditions(request, present && etagOf(present)),
  })
  if ('kind' in done) throw refusalOf(done, address)
  return done
}

/** Members who only read a calendar may keep alarms with its events (contract: dav.alarms). @throws {DavError} 403. */
function refuseReading(visit: Visit, { kind, access, isOthers }: Collection): void {
  if (access !== 'read') return
  if (kind !== 'calendar' || !isOthers) throw needsPrivileges()
  requireWriting(visit, kind)
}

/** What clients call a card, or a text of which they do not know what it is. */
const CARD_TYPES: ReadonlySet<string> = new Set([
  'text/vcard',
  'text/x-vcard',
  'text/directory',
  'text/plain',
  'application/octet-stream',
])

/** @throws {DavError} 403. */
function refuseOtherTypes({ headers }: Request): void {
  const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type && !CARD_TYPES.has(type)) throw refused(403, carddav('supported-address-data'))
}

/** @throws {DavError} 403. */
function textOf(body: Uint8Array<ArrayBuffer>, home: Home): string {
  try {
    return utf8.decode(body)
  } catch {
    throw refused(403, PRECONDITIONS[home].data)
  }
}

/** The precondition of an object that cannot be at an address. */
export function refusalOf(refusal: ObjectRefusal, address: ObjectAddress): DavError {
  const precondition = PRECONDITIONS[address.home][refusal.kind]
  if (refusal.kind !== 'uid') return refused(403, precondition)
  return refused(409, precondition, textElement(dav('href'), objectHref(address, refusal.name)))
}

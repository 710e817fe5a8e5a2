import type { Collection } from '../../features/objects/collections/rules'
import type { ObjectRefusal, PutObject } from '../../features/objects/sources/rules'
import { caldav, dav } from '../../lib/xml/names'
import { textElement } from '../../lib/xml/write'
import { type ObjectAddress, objectHref } from '../address'
import { checkConditions } from '../conditions'
import { DavError, needsPrivileges, refused } from '../errors'
import { operating } from '../operating'
import { MAX_OBJECT_BYTES } from '../properties/collection'
import { etagOf } from '../resources'
import { sourceOf } from '../sources'
import { findCollection, type Visit } from '../visit'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Answers PUT: what a client sends is kept byte for byte (contract: dav.objects).
 * @throws {DavError} 403, 404, 405, 409, 412.
 */
export async function put(visit: Visit): Promise<Response> {
  const { address } = visit
  if (address.kind !== 'object') throw new DavError(405)
  const found = await findCollection(visit, address)
  if (!found) throw new DavError(address.home === 'calendars' ? 409 : 404)
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
  if (collection.access === 'read') throw needsPrivileges()
  if (body.byteLength > MAX_OBJECT_BYTES) throw refused(403, caldav('max-resource-size'))
  const done = await sourceOf(collection).put(deps, operating(visit, operation), {
    collection,
    name: address.name,
    text: textOf(body),
    check: (present) => void checkConditions(request, present && etagOf(present)),
  })
  if ('kind' in done) throw refusalOf(done, address)
  return done
}

function textOf(body: Uint8Array<ArrayBuffer>): string {
  try {
    return utf8.decode(body)
  } catch {
    throw refused(403, caldav('valid-calendar-data'))
  }
}

/** The precondition of an object that cannot be at an address. */
export function refusalOf(refusal: ObjectRefusal, address: ObjectAddress): DavError {
  switch (refusal.kind) {
    case 'data':
      return refused(403, caldav('valid-calendar-data'))
    case 'object':
      return refused(403, caldav('valid-calendar-object-resource'))
    case 'component':
      return refused(403, caldav('supported-calendar-component'))
    case 'uid':
      return refused(
        409,
        caldav('no-uid-conflict'),
        textElement(dav('href'), objectHref(address, refusal.name)),
      )
  }
}

import { uuidV4Hex } from '../../lib/uuid'
import { objectHref } from '../address'
import { DavError } from '../errors'
import { etagOf } from '../resources'
import { findCollection, type Visit } from '../visit'
import { putBody } from './put'

const ENDINGS = { calendars: '.ics', addressbooks: '.vcf' } as const

/**
 * Answers POST to a collection, its `DAV:add-member`: adds an object under a name of the service's (RFC 5995).
 * @throws {DavError} 403, 404, 405, 409, 412.
 */
export async function post(visit: Visit): Promise<Response> {
  const { address, deps } = visit
  if (address.kind !== 'collection') throw new DavError(405)
  const found = await findCollection(visit, address)
  if (!found) throw new DavError(404)
  const name = uuidV4Hex(deps.random.bytes(16)) + ENDINGS[address.home]
  const { object } = await putBody(visit, found, { ...address, kind: 'object', name }, 'davAdd')
  const headers = { location: objectHref(address, object.name), etag: etagOf(object) }
  return new Response(null, { status: 201, headers })
}

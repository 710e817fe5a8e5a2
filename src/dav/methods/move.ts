import { type ObjectRefusal, partHolding, type PutObject } from '../../features/objects/sources/rules'
import { checkConditions } from '../conditions'
import { destinationOf, type ObjectDestination } from '../destination'
import { DavError, needsPrivileges } from '../errors'
import { operating } from '../operating'
import { etagOf, type ObjectResource } from '../resources'
import { sourceOf } from '../sources'
import { findResource, type Visit } from '../visit'
import { refusalOf } from './put'

/** Answers MOVE: the object stays the same one (contract: dav.collections). @throws {DavError} 400, 403, 404, 409, 412, 502. */
export async function move(visit: Visit): Promise<Response> {
  const source = await sourceObject(visit)
  const { entry } = source
  const destination = await destinationOf(visit, source)
  const { address } = destination
  const from = partHolding(source.collection, entry)
  const to = partHolding(destination.collection, entry)
  const moveObject = sourceOf(from).move
  if (from.access === 'read' || to.access === 'read' || !moveObject) throw needsPrivileges()
  if (from.kind !== to.kind) throw refusalOf({ kind: 'component' }, address)
  const needsVersion = checkConditions(visit.request, etagOf(entry))
  const expected = needsVersion ? [entry.version] : undefined
  const { name } = address
  const moved = { from, entry, expected, to, name, check: destination.check }
  return answer(await moveObject(visit.deps, operating(visit, 'davMove'), moved), destination)
}

/** Answers COPY: what the user may read of an object becomes another one. @throws {DavError} 400, 403, 404, 409, 412, 502. */
export async function copy(visit: Visit): Promise<Response> {
  const source = await sourceObject(visit)
  const { collection: from, entry } = source
  const destination = await destinationOf(visit, source)
  const { collection: to, address, check } = destination
  if (to.access === 'read') throw needsPrivileges()
  const [read] = await sourceOf(from).read(visit.deps, from, [entry])
  if (!read) throw new DavError(404)
  // The text may be newer than the entry.
  checkConditions(visit.request, etagOf(read))
  const given = { collection: to, name: address.name, text: read.text, check }
  return answer(await sourceOf(to).put(visit.deps, operating(visit, 'davCopy'), given), destination)
}

/** @throws {DavError} 403 for collections, 404. */
async function sourceObject(visit: Visit): Promise<ObjectResource> {
  const found = await findResource(visit)
  if (!found) throw new DavError(404)
  if (found.resource.kind !== 'object') throw new DavError(403)
  return found.resource
}

/** @throws {DavError} 403, 409. */
function answer(done: PutObject | ObjectRefusal, { address }: ObjectDestination): Response {
  if ('kind' in done) throw refusalOf(done, address)
  return new Response(null, { status: done.isNew ? 201 : 204 })
}

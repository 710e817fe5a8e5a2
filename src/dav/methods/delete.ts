import { leaveOrDelete } from '../../features/objects/collections/service.changes'
import { partHolding } from '../../features/objects/sources/rules'
import { checkConditions } from '../conditions'
import { DavError, needsPrivileges } from '../errors'
import { operating } from '../operating'
import { etagOf, type ObjectResource } from '../resources'
import { sourceOf } from '../sources'
import { findResource, requireWritingAll, type Visit } from '../visit'

/** Answers DELETE (contract: dav.collections). @throws {DavError} 403, 404, 405, 412. */
export async function remove(visit: Visit): Promise<Response> {
  const found = await findResource(visit)
  if (!found) throw new DavError(404)
  const { resource } = found
  if (resource.kind === 'object') return removeObject(visit, resource)
  if (resource.kind !== 'collection') throw needsPrivileges()
  requireWritingAll(visit, resource.collection.kind)
  checkConditions(visit.request, THERE)
  await leaveOrDelete(visit.deps, operating(visit, 'davDeleteCollection'), resource.collection)
  return new Response(null, { status: 204 })
}

/** Collections have no tags, so that only `*` matches one that is there. */
const THERE = ''

async function removeObject(visit: Visit, { collection, entry }: ObjectResource): Promise<Response> {
  if (partHolding(collection, entry).access === 'read') throw needsPrivileges()
  const needsVersion = checkConditions(visit.request, etagOf(entry))
  const expected = needsVersion ? [entry.version] : undefined
  await sourceOf(collection).remove(visit.deps, operating(visit, 'davDelete'), entry, expected)
  return new Response(null, { status: 204 })
}

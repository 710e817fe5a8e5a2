import { type PartKind, partKinds } from '../../features/objects/collections/rules'
import { changeCollection, changeProperties } from '../../features/objects/collections/service.changes'
import { dav } from '../../lib/xml/names'
import { element, textElement } from '../../lib/xml/write'
import { DavError, needsPrivileges } from '../errors'
import { multistatus } from '../multistatus'
import { operating } from '../operating'
import { propstat } from '../properties/answer'
import { changesIn, type JudgedChanges, judge, type PropertyProblem } from '../properties/changes'
import { placeOf, type Resource } from '../resources'
import { findResource, readXml, requireWriting, type Visit } from '../visit'

/** Answers PROPPATCH: all changes or none (RFC 4918, section 9.2). @throws {DavError} 400, 403, 404. */
export async function proppatch(visit: Visit): Promise<Response> {
  const body = await readXml(visit)
  if (body?.name !== dav('propertyupdate')) throw new DavError(400)
  const found = await findResource(visit)
  if (!found) throw new DavError(404)
  const { resource } = found
  if (placeOf(resource) === undefined) throw needsPrivileges()
  requireWriting(visit, ...kindsAt(resource))
  const judged = judge(changesIn(body))
  if (judged.problems.size === 0) await write(visit, resource, judged)
  return multistatus(visit.deps, [
    element(dav('response'), textElement(dav('href'), resource.href) + propertyOutcomes(judged)),
  ])
}

/** The kinds of collections that are there or below, or of their parts. */
function kindsAt(resource: Resource): readonly PartKind[] {
  if (resource.kind === 'collection') return partKinds(resource.collection.kind)
  if (resource.kind !== 'home') return ['calendar', 'list', 'book']
  return resource.home === 'addressbooks' ? ['book'] : ['calendar', 'list']
}

async function write(visit: Visit, resource: Resource, { changes }: JudgedChanges): Promise<void> {
  const session = operating(visit, 'davProppatch')
  const place = placeOf(resource)
  if (resource.kind === 'collection')
    await changeCollection(visit.deps, session, resource.collection, changes)
  else if (place !== undefined) await changeProperties(visit.deps, session, place, changes)
}

/** What became of each property: one that cannot be changed fails the others with it. */
export function propertyOutcomes({ names, problems }: JudgedChanges): string {
  if (problems.size === 0) return propstat(names.map((name) => element(name)).join(''), '200 OK')
  const failed = [...problems].map(([name, problem]) => failedPropstat(name, problem))
  const others = names.filter((name) => !problems.has(name)).map((name) => element(name))
  return failed.join('') + (others.length === 0 ? '' : propstat(others.join(''), '424 Failed Dependency'))
}

function failedPropstat(name: string, { status, precondition }: PropertyProblem): string {
  const error = precondition === undefined ? '' : element(dav('error'), element(precondition))
  return propstat(element(name), status, error)
}

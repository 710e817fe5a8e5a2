import { dav } from '../../lib/xml/names'
import { DavError, refused } from '../errors'
import { multistatus } from '../multistatus'
import { objectResponses, resourcesOf } from '../objects'
import { type Question, responseOf } from '../properties/answer'
import { readAsked } from '../properties/asked'
import type { Resource, Viewer } from '../resources'
import { sourceOf } from '../sources'
import { findResource, ownPrincipal, readXml, resourcesIn, type Visit, viewerOf } from '../visit'

/** Whether missing properties need no mention: `Prefer: return=minimal` (RFC 8144), and Apple's `Brief: t`. */
export const wantsMinimal = ({ headers }: Request): boolean =>
  /\breturn=minimal\b/i.test(headers.get('prefer') ?? '') || headers.get('brief')?.toLowerCase() === 't'

/** Answers PROPFIND (RFC 4918, section 9.1). @throws {DavError} 400, 403 for all depths, 404. */
export async function propfind(visit: Visit): Promise<Response> {
  const question = { asked: readAsked(await readXml(visit)), isMinimal: wantsMinimal(visit.request) }
  const found = await findResource(visit)
  if (!found) throw new DavError(404)
  const { resource, journal } = found
  const isDeep = readDepth(visit.request, resource)
  const members = isDeep ? membersOf(visit, resource) : []
  const viewer = await viewerOf(visit, journal, [resource, ...members])
  const location = resource.kind !== 'object' && locationOf(visit, resource)
  return multistatus(visit.deps, responses(visit, question, { resource, members, viewer, isDeep }), {
    ...(question.isMinimal && { 'preference-applied': 'return=minimal' }),
    ...(location && { 'content-location': location }),
  })
}

/** Without its final slash a collection answers the same, and says what it is called. */
const locationOf = ({ request }: Visit, { href }: Resource) =>
  new URL(request.url).pathname.endsWith('/') ? undefined : href

/** Whether members are asked for. @throws {DavError} 400, 403. */
function readDepth({ headers }: Request, { kind }: Resource): boolean {
  const depth = headers.get('depth')?.trim().toLowerCase()
  if (depth === '0' || kind === 'object') return false
  if (depth === '1') return true
  if (depth !== undefined && depth !== 'infinity') throw new DavError(400)
  if (kind === 'collection') return true
  throw refused(403, dav('propfind-finite-depth'))
}

/** What is in a resource, but for the objects of a collection, which may be many. */
function membersOf({ user }: Visit, resource: Resource): Resource[] {
  if (resource.kind === 'root') return [ownPrincipal(user)]
  return resource.kind === 'home' ? resourcesIn(resource, user.session.userId) : []
}

interface Listing {
  readonly resource: Resource
  readonly members: readonly Resource[]
  readonly viewer: Viewer
  readonly isDeep: boolean
}

async function* responses(
  visit: Visit,
  question: Question,
  { resource, members, viewer, isDeep }: Listing,
): AsyncGenerator<string, void, void> {
  if (resource.kind === 'object') {
    const [read] = await resourcesOf(visit, resource, [resource.entry], question)
    yield responseOf(read ?? resource, question, viewer)
    return
  }
  for (const one of [resource, ...members]) yield responseOf(one, question, viewer)
  if (resource.kind !== 'collection' || !isDeep) return
  const { collection } = resource
  const entries = await sourceOf(collection).list(visit.deps.db, collection)
  yield* objectResponses(visit, resource, entries, { ...question, viewer })
}

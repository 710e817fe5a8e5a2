import type { ObjectEntry } from '../../features/objects/sources/rules'
import { IMPORT_LIMIT_MS, pauses } from '../../lib/pauses'
import { childOf, type XmlElement } from '../../lib/xml/element'
import { carddav } from '../../lib/xml/names'
import { DavError, refused } from '../errors'
import { multistatus } from '../multistatus'
import { wantsMinimal } from '../methods/propfind'
import { objectResponses, piecesOf } from '../objects'
import { overLimit } from '../properties/answer'
import { askedWithin, NOTHING } from '../properties/asked'
import { type CardFilter, matchesCard, readCardFilter, readCardLimit, readCardObject } from '../queries/cards'
import type { CollectionResource, Found } from '../resources'
import { sourceOf } from '../sources'
import { type Visit, viewerOf } from '../visit'
import { effortFor, withinLimits } from './calendar-data'
import { tellingOf } from './data'

/** The effort that a byte of a card costs: pictures are long, and read fast. */
const OF_BYTE = 0.01

/**
 * Answers addressbook-query (RFC 6352, section 8.6).
 * @throws {DavError} 400, 403 for a filter that cannot be, and for what would take too long.
 */
export async function addressbookQuery(
  visit: Visit,
  body: XmlElement,
  { resource, journal }: Found<CollectionResource>,
): Promise<Response> {
  const filter = readFilter(body)
  const limit = readLimit(body)
  const asked = askedWithin(body) ?? NOTHING
  const viewer = await viewerOf(visit, journal, [resource])
  const found = await withinLimits(() => matching(visit, resource, { filter, most: limit + 1 }), carddav)
  const told = found.slice(0, limit)
  const telling = tellingOf(visit, body, { resource, viewer, count: told.length })
  const question = { asked, isMinimal: wantsMinimal(visit.request), viewer, ...telling }
  return multistatus(visit.deps, responses())

  async function* responses(): AsyncGenerator<string, void, void> {
    yield* objectResponses(visit, resource, told, question)
    if (found.length > told.length) yield overLimit(resource.href)
  }
}

/** @throws {DavError} 400, 403. */
function readFilter(body: XmlElement): CardFilter {
  const element = childOf(body, carddav('filter'))
  if (!element) throw new DavError(400)
  const filter = readCardFilter(element)
  if ('precondition' in filter) throw refused(403, carddav(filter.precondition))
  return filter
}

/** @throws {DavError} 400. */
function readLimit(body: XmlElement): number {
  const limit = readCardLimit(body)
  if (typeof limit === 'object') throw new DavError(400)
  return limit ?? Infinity
}

interface CardQuery {
  readonly filter: CardFilter
  readonly most: number
}

/** The first cards that match. */
async function matching(
  { deps }: Visit,
  { collection }: CollectionResource,
  { filter, most }: CardQuery,
): Promise<ObjectEntry[]> {
  const source = sourceOf(collection)
  const entries = await source.list(deps.db, collection)
  if (filter.properties.length === 0) return entries.slice(0, most)
  const pause = pauses(deps.clock, IMPORT_LIMIT_MS)
  const bytes = entries.reduce((sum, entry) => sum + (entry.bytes ?? 0), 0)
  const effort = effortFor(entries.length, bytes * OF_BYTE)
  const found: ObjectEntry[] = []
  for (const piece of piecesOf(entries))
    for (const read of await source.read(deps, collection, piece)) {
      if (matchesCard(filter, readCardObject(read.text, effort))) found.push(read)
      if (found.length === most) return found
      await pause()
    }
  return found
}

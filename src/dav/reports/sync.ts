import type { Journal } from '../../access/journal/rules'
import { homeOf, type KnownPlace, placesOfToken, syncToken } from '../../features/objects/collections/rules'
import { followJournals } from '../../features/objects/sources/service'
import { childOf, textOfChild, type XmlElement } from '../../lib/xml/element'
import { dav } from '../../lib/xml/names'
import { textElement } from '../../lib/xml/write'
import { objectHref } from '../address'
import { DavError, refused } from '../errors'
import { multistatus } from '../multistatus'
import { wantsMinimal } from '../methods/propfind'
import { objectResponses } from '../objects'
import { overLimit, statusResponse } from '../properties/answer'
import { askedWithin, NOTHING } from '../properties/asked'
import type { CollectionResource, Found } from '../resources'
import { sourceOf } from '../sources'
import { type Visit, viewerOf } from '../visit'
import { tellingOf } from './data'

/** Objects of one answer; a client that asks for no limit gets them all. */
const UNLIMITED = 2 ** 31 - 2

/**
 * Answers sync-collection (RFC 6578): each object that changed since the token at most once, in its newest state.
 * @throws {DavError} 400, 403 for a token that does not count here.
 */
export async function syncCollection(
  visit: Visit,
  body: XmlElement,
  { resource, journal }: Found<CollectionResource>,
): Promise<Response> {
  const { deps, user } = visit
  const { userId } = user.session
  const { collection } = resource
  const asked = askedWithin(body) ?? NOTHING
  const since = readToken(body, resource, journal)
  const journals = sourceOf(collection).journals(collection)
  const followed = await followJournals(deps.db, journals, since, readLimit(body))
  if (!followed) throw invalidToken()
  const { present, gone, places, hasMore } = followed
  const viewer = await viewerOf(visit, journal, [resource])
  const telling = tellingOf(visit, body, { resource, viewer, count: present.length })
  const question = { asked, isMinimal: wantsMinimal(visit.request), viewer, ...telling }
  return multistatus(deps, responses())

  async function* responses(): AsyncGenerator<string, void, void> {
    yield* objectResponses(visit, resource, present, question)
    const of = { home: homeOf(collection), userId, slug: collection.slug }
    for (const name of gone) yield statusResponse(objectHref(of, name), '404 Not Found')
    if (hasMore) yield overLimit(resource.href)
    yield textElement(dav('sync-token'), syncToken(collection, journal, places))
  }
}

/** @throws {DavError} 403. */
function readToken(
  body: XmlElement,
  { collection }: CollectionResource,
  journal: Journal,
): readonly KnownPlace[] | undefined {
  const token = textOfChild(body, dav('sync-token')) ?? ''
  if (token === '') return undefined
  const places = placesOfToken(token, collection, journal)
  if (!places) throw invalidToken()
  return places
}

const invalidToken = () => refused(403, dav('valid-sync-token'))

/** @throws {DavError} 400. */
function readLimit(body: XmlElement): number {
  const limit = childOf(body, dav('limit'))
  if (!limit) return UNLIMITED
  const most = Number(textOfChild(limit, dav('nresults')))
  if (!Number.isSafeInteger(most) || most < 1) throw new DavError(400)
  return Math.min(most, UNLIMITED)
}

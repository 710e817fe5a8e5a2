import { homeOf } from '../../features/objects/collections/rules'
import type { ObjectEntry } from '../../features/objects/sources/rules'
import type { XmlElement } from '../../lib/xml/element'
import { dav } from '../../lib/xml/names'
import { addressOfHref } from '../address'
import { badRequest, DavError } from '../errors'
import { multistatus } from '../multistatus'
import { wantsMinimal } from '../methods/propfind'
import { piecesOf, resourcesOf } from '../objects'
import { responseOf, statusResponse } from '../properties/answer'
import { askedWithin } from '../properties/asked'
import type { CollectionResource, Found } from '../resources'
import { sourceOf } from '../sources'
import { type Visit, viewerOf } from '../visit'
import { watchOver } from '../watch'
import { tellingOf } from './data'

/** The most objects of one request. */
const MAX_HREFS = 10_000
/** Addresses that are looked up together. */
const TOGETHER = 500

/**
 * Answers calendar-multiget and addressbook-multiget (RFC 4791, section 7.9; RFC 6352, section 8.7): the objects that are named, and 404 for each that is not there. Addresses of
 * other collections are not there.
 * @throws {DavError} 400, 403 for another kind of data, 507.
 */
export async function multiget(
  visit: Visit,
  body: XmlElement,
  { resource, journal }: Found<CollectionResource>,
): Promise<Response> {
  const named = body.children.filter(({ name }) => name === dav('href')).map(({ text }) => text.trim())
  const hrefs = [...new Set(named)]
  const asked = askedWithin(body) ?? badRequest()
  if (hrefs.length > MAX_HREFS) throw new DavError(507)
  const question = { asked, isMinimal: wantsMinimal(visit.request) }
  const viewer = await viewerOf(visit, journal, [resource])
  const telling = tellingOf(visit, body, { resource, viewer, count: hrefs.length })
  const refuseLost = watchOver(visit, resource)
  return multistatus(visit.deps, responses())

  async function* responses(): AsyncGenerator<string, void, void> {
    const { collection } = resource
    for (let start = 0; start < hrefs.length; start += TOGETHER) {
      const piece = hrefs
        .slice(start, start + TOGETHER)
        .map((href) => ({ href, name: nameIn(visit, resource, href) }))
      const names = [...new Set(piece.flatMap(({ name }) => name ?? []))]
      const entries = await sourceOf(collection).find(visit.deps.db, collection, names)
      const byName = new Map(entries.map((entry) => [entry.name, entry]))
      const places = piece.map(({ href, name }) => ({ href, entry: byName.get(name ?? '') }))
      yield* answersFor(places)
    }
  }

  async function* answersFor(places: readonly NamedEntry[]): AsyncGenerator<string, void, void> {
    for (const piece of piecesOf(places.map((place) => ({ ...place, bytes: place.entry?.bytes ?? 0 })))) {
      await refuseLost()
      const entries = [...new Set(piece.flatMap(({ entry }) => entry ?? []))]
      const told = new Set<string>()
      for (const object of await resourcesOf(visit, resource, entries, { asked, ...telling })) {
        told.add(object.entry.name)
        yield responseOf(object, question, viewer)
      }
      for (const { href, entry } of piece)
        if (!entry || !told.has(entry.name)) yield statusResponse(href, '404 Not Found')
    }
  }
}

/** An address, and the object that is there. */
interface NamedEntry {
  readonly href: string
  readonly entry: ObjectEntry | undefined
}

/** The name that an href gives an object of the collection; undefined for one of elsewhere. */
function nameIn({ user }: Visit, { collection }: CollectionResource, href: string): string | undefined {
  try {
    const address = addressOfHref(href)
    const isHere =
      address?.kind === 'object' &&
      address.home === homeOf(collection) &&
      address.userId === user.session.userId &&
      address.slug === collection.slug
    return isHere ? address.name : undefined
  } catch (error) {
    if (error instanceof DavError) return undefined
    throw error
  }
}

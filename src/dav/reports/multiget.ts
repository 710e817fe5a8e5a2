import { findObjects, readObjects } from '../../features/objects/event-objects/service'
import type { XmlElement } from '../../lib/xml/element'
import { dav } from '../../lib/xml/names'
import { addressOfHref } from '../address'
import { DavError } from '../errors'
import { multistatus } from '../multistatus'
import { toObject, wantsMinimal } from '../methods/propfind'
import { needsText, responseOf, statusResponse } from '../properties/answer'
import { askedWithin } from '../properties/asked'
import type { CollectionResource } from '../resources'
import { type Visit, viewerOf } from '../visit'
import { clocksOf, readShaping, shaped } from './calendar-data'

/** Objects whose texts are read together. */
const PIECE = 100
/** The most objects of one request. */
const MAX_HREFS = 10_000

/**
 * Answers calendar-multiget (RFC 4791, section 7.9): the objects that are named, and 404 for each that is not there. Addresses of
 * other collections are not there.
 * @throws {DavError} 400, 507.
 */
export async function multiget(
  visit: Visit,
  body: XmlElement,
  { resource, epoch }: { readonly resource: CollectionResource; readonly epoch: string },
): Promise<Response> {
  const named = body.children.filter(({ name }) => name === dav('href')).map(({ text }) => text.trim())
  const hrefs = [...new Set(named)]
  const asked = askedWithin(body) ?? badRequest()
  if (hrefs.length > MAX_HREFS) throw new DavError(507)
  const question = { asked, isMinimal: wantsMinimal(visit.request) }
  const viewer = await viewerOf(visit, epoch, [resource])
  const shape = readShaping(body, clocksOf(visit, body, resource, viewer), hrefs.length)
  return multistatus(visit.deps, responses())

  async function* responses(): AsyncGenerator<string, void, void> {
    const { deps, user } = visit
    for (let start = 0; start < hrefs.length; start += PIECE) {
      const piece = hrefs
        .slice(start, start + PIECE)
        .map((href) => ({ href, name: nameIn(visit, resource, href) }))
      const names = [...new Set(piece.flatMap(({ name }) => name ?? []))]
      const entries = await findObjects(deps.db, resource.collection, names)
      const texts = needsText(asked) ? await readObjects(deps, resource.collection, entries) : entries
      const byName = new Map(texts.map((entry) => [entry.name, shaped(entry, shape)]))
      for (const { href, name } of piece) {
        const entry = name === undefined ? undefined : byName.get(name)
        yield entry
          ? responseOf(toObject(resource, user.session.userId, entry), question, viewer)
          : statusResponse(href, '404 Not Found')
      }
    }
  }
}

/** The name that an href gives an object of the collection; undefined for one of elsewhere. */
function nameIn({ user }: Visit, { home, collection }: CollectionResource, href: string): string | undefined {
  try {
    const address = addressOfHref(href)
    const isHere =
      address?.kind === 'object' &&
      address.home === home &&
      address.userId === user.session.userId &&
      address.slug === collection.slug
    return isHere ? address.name : undefined
  } catch (error) {
    if (error instanceof DavError) return undefined
    throw error
  }
}

const badRequest = (): never => {
  throw new DavError(400)
}

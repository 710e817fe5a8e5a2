import { type Collection, homeOf } from '../features/objects/collections/rules'
import type { ObjectEntry } from '../features/objects/sources/rules'
import { dav } from '../lib/xml/names'
import { type ObjectAddress, addressOfHref, isMisnamed } from './address'
import { badRequest, DavError, refused } from './errors'
import type { ObjectResource } from './resources'
import { findCollection, type Visit } from './visit'

/** Where MOVE and COPY put an object. */
export interface ObjectDestination {
  readonly address: ObjectAddress
  readonly collection: Collection
  /** Refuses to replace what is there, where the client does not want that. @throws {DavError} 412. */
  readonly check: (present: ObjectEntry | undefined) => void
}

/**
 * Reads `Destination` and `Overwrite` (RFC 4918, sections 10.3 and 10.6).
 * @throws {DavError} 400, 403 for what is no place of the user's for objects or is the object itself, 409 where no collection is, 502
 * for another host.
 */
export async function destinationOf(
  visit: Visit,
  { collection: from, entry }: Pick<ObjectResource, 'collection' | 'entry'>,
): Promise<ObjectDestination> {
  const { headers } = visit.request
  const given = headers.get('destination') ?? badRequest()
  refuseOtherHost(visit.request, given)
  const address = ownAddress(given, visit.user.session.userId)
  const collection = await findCollection(visit, address)
  if (!collection) throw new DavError(409)
  const isSame = homeOf(from) === address.home && from.slug === address.slug && entry.name === address.name
  if (isSame) throw new DavError(403)
  const keepsPresent = headers.get('overwrite')?.trim().toUpperCase() === 'F'
  return {
    address,
    collection,
    check: (present) => {
      if (present && keepsPresent) throw new DavError(412)
    },
  }
}

/** The address of the user's for an object. @throws {DavError} 400, 403. */
function ownAddress(given: string, userId: number): ObjectAddress {
  const address = addressOfHref(given)
  if (address?.kind === 'object' && address.userId === userId) return address
  const path = URL.parse(given, 'http://localhost')?.pathname ?? ''
  throw isMisnamed(path, userId) ? refused(403, dav('name-allowed')) : new DavError(403)
}

/** Ports do not count, as not every proxy passes them on. @throws {DavError} 400, 502. */
function refuseOtherHost({ url, headers }: Request, destination: string): void {
  const own = URL.parse(`http://${headers.get('host') ?? new URL(url).host}`)
  const wanted = URL.parse(destination, own?.href)
  if (!own || !wanted) throw new DavError(400)
  if (wanted.hostname !== own.hostname) throw new DavError(502)
}

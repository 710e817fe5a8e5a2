import type { Journal } from '../access/journal/rules'
import type { AppPasswordUser } from '../access/tokens/service'
import type { Deps } from '../deps'
import { keptProperties, listCollections } from '../features/objects/collections/service'
import {
  type Collection,
  type CollectionKind,
  type Collections,
  type Home,
  homeOf,
  kindsIn,
  type PartKind,
  partKinds,
  readingScope,
  writingScope,
} from '../features/objects/collections/rules'
import { listConnectedUsers } from '../features/people/connections/service'
import type { XmlElement } from '../lib/xml/element'
import { pauses } from '../lib/pauses'
import { XmlError } from '../lib/ports/xml'
import {
  type Address,
  type CollectionAddress,
  collectionHref,
  homeHref,
  type ObjectAddress,
  objectHref,
  principalHref,
  PRINCIPALS_HREF,
  ROOT_HREF,
} from './address'
import { allows } from '../lib/scopes'
import { DavError, needsPrivileges } from './errors'
import {
  type CollectionResource,
  type Found,
  type ObjectResource,
  placeOf,
  type PrincipalResource,
  type Resource,
  type Viewer,
} from './resources'
import { sourceOf } from './sources'

/** A request of a signed-in user to an address below /dav. */
export interface Visit {
  readonly deps: Deps
  readonly request: Request
  readonly user: AppPasswordUser
  readonly address: Address
  readonly body: Uint8Array<ArrayBuffer>
}

/** Reads the body as XML, while others run; undefined where there is none. @throws {DavError} 400. */
export async function readXml({ deps, body }: Pick<Visit, 'deps' | 'body'>): Promise<XmlElement | undefined> {
  if (body.byteLength === 0) return undefined
  try {
    return await deps.xml.readInPieces(body, pauses(deps.clock))
  } catch (error) {
    if (error instanceof XmlError) throw new DavError(400)
    throw error
  }
}

/** The collections of the visitor, with the right to look at them. */
const collectionsOf = ({ deps, user: { session } }: Visit): Promise<Collections> =>
  listCollections(deps.db, { userId: session.userId, token: session.token })

/** Finds what is at the address; what belongs to others is not there. */
export async function findResource(visit: Visit): Promise<Found | undefined> {
  const { address, user } = visit
  const { userId } = user.session
  const found = await collectionsOf(visit)
  const { journal } = found
  if (address.kind === 'root') return { resource: { kind: 'root', href: ROOT_HREF }, journal }
  if (address.kind === 'principals') return { resource: { kind: 'root', href: PRINCIPALS_HREF }, journal }
  if (address.kind === 'principal') {
    const principal = (await principalsOf(visit)).find((one) => one.userId === address.userId)
    return principal && { resource: principal, journal }
  }
  if (address.userId !== userId) return undefined
  if (address.kind === 'home') return { resource: homeAt(address, found), journal }
  const collection = collectionAt(address, found)
  if (!collection) return undefined
  const resource = address.kind === 'collection' ? collection : await objectAt(visit, address, collection)
  return resource && { resource, journal }
}

/** The visitor, and the users with whom they are connected: nobody else is there for them. */
export async function principalsOf({ deps, user }: Visit): Promise<PrincipalResource[]> {
  const connected = await listConnectedUsers(deps, user.session.userId)
  return [
    ownPrincipal(user),
    ...connected.map(({ userId, networkName }): PrincipalResource => ({
      kind: 'principal',
      href: principalHref(userId),
      userId,
      name: networkName,
      email: null,
    })),
  ]
}

export function ownPrincipal({
  session: { userId },
  owner: { profile },
}: AppPasswordUser): PrincipalResource {
  return {
    kind: 'principal',
    href: principalHref(userId),
    userId,
    name: profile.networkName,
    email: profile.email,
  }
}

const homeAt = (
  { home, userId }: Extract<Address, { kind: 'home' }>,
  { collections }: Collections,
): Resource => ({
  kind: 'home',
  home,
  href: homeHref(home, userId),
  collections: collections.filter((one) => homeOf(one) === home),
})

/** The collection at an address, or in which an object is or would be. */
export const findCollection = async (
  visit: Visit,
  address: CollectionAddress | ObjectAddress,
): Promise<Collection | undefined> =>
  address.userId === visit.user.session.userId
    ? collectionAt(address, await collectionsOf(visit))?.collection
    : undefined

/** Refuses an app password that writes to collections of none of these kinds. @throws {DavError} 403. */
export function requireWriting({ user }: Visit, ...kinds: readonly PartKind[]): void {
  if (!kinds.some((kind) => allows(user.session.token.scopes, writingScope(kind)))) throw needsPrivileges()
}

/** Refuses an app password that does not write to all that a collection of this kind consists of. @throws {DavError} 403. */
export function requireWritingAll(visit: Visit, kind: CollectionKind): void {
  for (const part of partKinds(kind)) requireWriting(visit, part)
}

/** Whether the app password has a scope for any collection of a home (contract: dav.sign-in). */
export const seesHome = ({ user }: Visit, home: Home): boolean =>
  kindsIn(home).some((kind) => allows(user.session.token.scopes, readingScope(kind)))

/** The collections of a home as resources. */
export const resourcesIn = (
  home: Extract<Resource, { kind: 'home' }>,
  userId: number,
): CollectionResource[] =>
  home.collections.map((collection) => ({
    kind: 'collection',
    href: collectionHref({ home: home.home, userId, slug: collection.slug }),
    collection,
  }))

/** Finds a collection. */
function collectionAt(
  { home, userId, slug }: CollectionAddress | ObjectAddress,
  { collections }: Collections,
): CollectionResource | undefined {
  const collection = collections.find((one) => one.slug === slug && homeOf(one) === home)
  return collection && { kind: 'collection', href: collectionHref({ home, userId, slug }), collection }
}

async function objectAt(
  { deps }: Visit,
  address: ObjectAddress,
  { collection }: CollectionResource,
): Promise<ObjectResource | undefined> {
  const [entry] = await sourceOf(collection).find(deps.db, collection, [address.name])
  return entry && { kind: 'object', href: objectHref(address, entry.name), collection, entry }
}

/** Loads what clients have kept with these resources. */
export async function viewerOf(
  visit: Visit,
  journal: Journal,
  resources: readonly Resource[],
): Promise<Viewer> {
  const { deps, user } = visit
  const places = resources.flatMap((resource) => placeOf(resource) ?? [])
  return { user, journal, kept: await keptProperties(deps.db, user.session.userId, places) }
}

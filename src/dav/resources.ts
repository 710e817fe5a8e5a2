import type { Journal } from '../access/journal/rules'
import type { AppPasswordUser } from '../access/tokens/service'
import { type Collection, type Home, placeOfCollection } from '../features/objects/collections/rules'
import type { ObjectEntry, ObjectKind } from '../features/objects/sources/rules'

/** What has an address below /dav. */
export type Resource =
  | { readonly kind: 'root'; readonly href: string }
  | PrincipalResource
  | HomeResource
  | CollectionResource
  | ObjectResource

export interface PrincipalResource {
  readonly kind: 'principal'
  readonly href: string
  readonly userId: number
  readonly name: string
  /** Null where the reader may not know it. */
  readonly email: string | null
}

export interface HomeResource {
  readonly kind: 'home'
  readonly href: string
  readonly home: Home
  readonly collections: readonly Collection[]
}

export interface CollectionResource {
  readonly kind: 'collection'
  readonly href: string
  readonly collection: Collection
}

export interface ObjectResource {
  readonly kind: 'object'
  readonly href: string
  readonly collection: Collection
  readonly entry: ObjectEntry
  /** Undefined while nobody asks for it. */
  readonly text?: string | undefined
  /** The precondition for which the text that is asked for cannot be told. */
  readonly refusal?: string | undefined
}

/** What a request found, and the journal that its tokens belong to. */
export interface Found<R extends Resource = Resource> {
  readonly resource: R
  readonly journal: Journal
}

/** Who looks, and the properties that their clients have kept, by place. */
export interface Viewer {
  readonly user: AppPasswordUser

  readonly journal: Journal
  readonly kept: ReadonlyMap<string, ReadonlyMap<string, string>>
}

/** What names the place of properties that clients keep with a resource; undefined where they may keep none. */
export function placeOf(resource: Resource): string | undefined {
  if (resource.kind === 'principal') return `principal-${resource.userId}`
  if (resource.kind === 'home') return resource.home
  return resource.kind === 'collection' ? placeOfCollection(resource.collection) : undefined
}

/** The strong tag of an object: the same in every answer, and never seen twice for one name (contract: dav.etags). */
export const etagOf = ({ kind, id, version, own }: ObjectEntry): string =>
  `"${PREFIXES[kind] ?? ''}${id}-${version}${own === undefined ? '' : `-${own}`}"`

/** Tells tags of objects apart that are in collections with others. */
const PREFIXES: Partial<Record<ObjectKind, string>> = { invitation: 'inv-', group: 'g' }

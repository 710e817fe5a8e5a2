import type { Access } from '../../../access/calendars/rules'

/** A calendar as a collection of objects (contract: dav.collections). */
export interface Collection {
  readonly kind: 'calendar'
  readonly id: number
  readonly slug: string
  readonly ownerId: number
  readonly name: string
  /** `#rrggbb`. */
  readonly color: string
  /** What the user may do, as far as their app password allows it. */
  readonly access: Access
  readonly createdAt: Date
  /** How far the journal of its objects goes. */
  readonly place: number
}

/** What all collections of a user have in common: the life of their journal. */
export interface Collections {
  readonly collections: readonly Collection[]
  readonly epoch: string
}

const TOKEN = /^https:\/\/organiser\.invalid\/ns\/sync\/([a-z]+-\d+)\/([\w-]+)\/(\d{1,15})$/

const nameOf = ({ kind, id }: Pick<Collection, 'kind' | 'id'>) => `${kind}-${id}`

/** The place of a collection in its journal, as clients know it (contract: dav.sync). */
export const syncToken = (of: Pick<Collection, 'kind' | 'id' | 'place'>, epoch: string): string =>
  `https://organiser.invalid/ns/sync/${nameOf(of)}/${epoch}/${of.place}`

/** The place that a token names; undefined for one of another collection or journal, or of the future. */
export function placeOfToken(token: string, of: Collection, epoch: string): number | undefined {
  const [, name, given, digits] = TOKEN.exec(token) ?? []
  const place = Number(digits)
  return name === nameOf(of) && given === epoch && place <= of.place ? place : undefined
}

/** The address of a collection without its home, where no client chose another. */
export const defaultSlug = (id: number): string => `calendar-${id}`

import type { ObjectProblem } from '../../calendars/event-files/rules.object'
import type { Collection, SyncPlace } from '../collections/rules'

/** What an object is here; the ids of one kind are its own. */
export type ObjectKind =
  | 'event'
  | 'invitation'
  | 'birthday'
  | 'todo'
  | 'reminder'
  | 'person'
  /** A group of people, whose ids are not those of people. */
  | 'group'

/** The versions of vCard in which cards can be asked for. */
export type CardVersion = '3.0' | '4.0'

/** What a collection says of an object without its text. */
export interface ObjectEntry {
  readonly kind: ObjectKind
  readonly id: number
  /** Its name in the collection, decoded. */
  readonly name: string
  readonly version: number
  /** The version of what is the reader's own in it; absent where nothing is. */
  readonly own?: number
  readonly updatedAt: Date
  /** Whether it takes place within the span of a listing for certain, in whichever zone its times are read. */
  readonly isWithin?: boolean
  /** About how long its text is, where it may be long. */
  readonly bytes?: number
}

export interface ObjectText extends ObjectEntry {
  readonly text: string
}

/** A time, open where a side is undefined. */
export interface OpenSpan {
  readonly from: Date | undefined
  readonly until: Date | undefined
}

/** What a client has to hear of a collection, and what it knows then of each of its journals (contract: dav.sync). */
export interface FollowedObjects {
  readonly places: readonly SyncPlace[]
  readonly present: readonly ObjectEntry[]
  /** The names that lead nowhere now. */
  readonly gone: readonly string[]
  readonly hasMore: boolean
}

/** An item of the journal: what is there now, or the names under which it was. */
export interface JournalItem {
  readonly seq: number
  readonly object: ObjectEntry | null
  readonly former: readonly string[]
}

/** A text and the name under which a client puts it. */
export interface GivenObject {
  readonly collection: Collection
  readonly name: string
  readonly text: string
  /** Called with the object that has the name, while nobody can change it; throws where the request's conditions do not hold. */
  readonly check: (present: ObjectEntry | undefined) => void
}

/** An object and the place that it is to have. */
export interface ObjectMove {
  readonly from: Collection
  readonly entry: ObjectEntry
  /** The versions in which it may be moved; undefined for any. */
  readonly expected: readonly number[] | undefined
  readonly to: Collection
  readonly name: string
  /** As that of `GivenObject`, for what has the name in `to`; an object that is replaced has to have the UID of the other. */
  readonly check: (present: ObjectEntry | undefined) => void
}

export interface PutObject {
  readonly object: ObjectEntry
  readonly isNew: boolean
  /** Whether what is kept is not what was given, so that the client has to read it. */
  readonly isRewritten?: boolean
}

/** Why a text cannot be an object of the collection. */
export type ObjectRefusal =
  /** It is not what it should be at all. */
  | { readonly kind: 'data' }
  /** It is, but no single object. */
  | { readonly kind: 'object' }
  /** The collection does not take its component. */
  | { readonly kind: 'component' }
  /** The collection does not take this version. */
  | { readonly kind: 'version' }
  /** The object of that name has the UID, or the object that has the name has another UID. */
  | { readonly kind: 'uid'; readonly name: string }

/** Text that is no calendar at all; everything else is a calendar that cannot be an object. */
const NO_CALENDAR: ReadonlySet<ObjectProblem> = new Set(['not_storable', 'not_a_calendar', 'unreadable'])

export const refusalOfProblem = (problem: ObjectProblem): ObjectRefusal => ({
  kind: NO_CALENDAR.has(problem) ? 'data' : 'object',
})

/** The object, where it has the name. */
export const named = (entry: ObjectEntry | undefined, name: string): ObjectEntry | undefined =>
  entry?.name === name ? entry : undefined

/** The object that stands in the way: whoever has the name has to have the UID too, and nobody else may have it. */
export function holderInTheWay<Entry extends ObjectEntry>(
  present: Entry | undefined,
  holder: Entry | undefined,
): Entry | undefined {
  if (!present) return holder
  return present.id === holder?.id ? undefined : present
}

/** The part of a collection that holds an object. */
export const partHolding = (collection: Collection, { kind }: Pick<ObjectEntry, 'kind'>): Collection =>
  collection.halves?.[kind === 'todo' ? 'list' : 'calendar'] ?? collection

/** What invitations are called, and private events for members: whoever looks, no two objects have one name. */
export const isReservedName = (name: string): boolean => /^(?:inv|private)-\d+\.ics$/.test(name)

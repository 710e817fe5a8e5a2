import type { Access } from '../../../access/calendars/rules'
import { type Journal, nameOn, timelineOf } from '../../../access/journal/rules'
import type { Area, Scope } from '../../../lib/scopes'
import { cut } from '../../../lib/text'
import { cleanLine } from '../../../lib/wire/tidy'

/** What a collection is here, or a half of it; the ids of one kind are its own. */
export type PartKind = 'calendar' | 'list' | 'reminders' | 'book' | 'birthdays'

/** A mixed one is a calendar and a list at one address; its id is that of the calendar (contract: dav.mixed). */
export type CollectionKind = PartKind | 'mixed'

/** A collection of objects (contract: dav.collections). */
export interface Collection {
  readonly kind: CollectionKind
  readonly id: number
  readonly slug: string
  readonly ownerId: number
  /** Who looks. */
  readonly readerId: number
  /** Whether it belongs to somebody else. */
  readonly isOthers: boolean
  /** Whether it is a default one of the user, which cannot be deleted. */
  readonly isDefault: boolean
  readonly name: string
  /** `#rrggbb`. */
  readonly color: string
  /** What the user may do, as far as their app password allows it. */
  readonly access: Access
  readonly createdAt: Date
  /** How far the journal of its objects goes. */
  readonly place: number
  /** The timeline on which the journal got there. */
  readonly timeline: number
  /** Of a mixed collection: what it consists of. */
  readonly halves?: Halves
  /** Whether whoever looks sees it as half of a mixed collection, with what is in the other half. */
  readonly isHalf?: boolean
}

/** A collection that is not mixed, and so has one journal. */
export interface CollectionPart extends Collection {
  readonly kind: PartKind
}

export interface Halves {
  readonly calendar: CollectionPart
  readonly list: CollectionPart
}

const isPart = (collection: Collection): collection is CollectionPart => collection.kind !== 'mixed'

/** The halves of a mixed collection, or the collection itself. */
export function partsOf(collection: Collection): readonly CollectionPart[] {
  if (collection.halves) return [collection.halves.calendar, collection.halves.list]
  return isPart(collection) ? [collection] : []
}

export const partKinds = (kind: CollectionKind): readonly PartKind[] =>
  kind === 'mixed' ? ['calendar', 'list'] : [kind]

/** A calendar and a list as one collection, which is called and coloured as its calendar. */
export function mixedOf(calendar: CollectionPart, list: CollectionPart): Collection {
  const isWritten = [calendar, list].some(({ access }) => access !== 'read')
  return {
    ...calendar,
    kind: 'mixed',
    isDefault: calendar.isDefault || list.isDefault,
    access: isWritten ? 'owner' : 'read',
    timeline: Math.max(calendar.timeline, list.timeline),
    halves: { calendar: { ...calendar, isHalf: true }, list: { ...list, isHalf: true } },
  }
}

/** The part of a collection that holds objects with this component; undefined where none does. */
export const partTaking = (collection: Collection, component: string): CollectionPart | undefined =>
  partsOf(collection).find(({ kind }) => COMPONENTS[kind].includes(component))

/** What all collections of a user have in common: their journal. */
export interface Collections {
  readonly collections: readonly Collection[]
  readonly journal: Journal
}

/** Where clients look for collections of each kind. */
const HOMES = {
  calendar: 'calendars',
  list: 'calendars',
  reminders: 'calendars',
  book: 'addressbooks',
  birthdays: 'calendars',
  mixed: 'calendars',
} as const satisfies Record<CollectionKind, Home>

export type Home = 'calendars' | 'addressbooks'

const KINDS: readonly PartKind[] = ['calendar', 'list', 'reminders', 'book', 'birthdays']

export const kindsIn = (home: Home): readonly PartKind[] => KINDS.filter((kind) => HOMES[kind] === home)

export const homeOf = ({ kind }: Pick<Collection, 'kind'>): Home => HOMES[kind]

/** The components of iCalendar that collections of each kind take. */
export const COMPONENTS: Readonly<Record<CollectionKind, readonly string[]>> = {
  calendar: ['VEVENT'],
  list: ['VTODO'],
  reminders: ['VTODO'],
  book: [],
  birthdays: ['VEVENT'],
  mixed: ['VEVENT', 'VTODO'],
}

/** The scopes of app passwords that open collections of each kind. */
const AREAS = {
  calendar: 'calendars',
  list: 'tasks',
  reminders: 'tasks',
  book: 'people',
  birthdays: 'calendars',
} as const satisfies Record<PartKind, Area>

export const readingScope = (kind: PartKind): Scope => `${AREAS[kind]}:read`
export const writingScope = (kind: PartKind): Scope => `${AREAS[kind]}:write`

/** How much of the journal of a collection a client knows. */
export interface SyncPlace {
  /** What changed up to here is known. */
  readonly place: number
  /** What went up to here need not be told: beyond `place` for a client that knew nothing before its first page, when this was the end. */
  readonly begun: number
}

/** A place that a client knows, and the timeline on which it got there. */
export interface KnownPlace extends SyncPlace {
  readonly timeline: number
}

const NAMESPACE = 'https://organiser.invalid/ns/sync/'
const PART_OF_TOKEN = /^([a-z]+-\d+)\/([\w-]+)\/(\d{1,15})(?:\.(\d{1,15}))?$/

const nameOf = ({ kind, id }: Pick<CollectionPart, 'kind' | 'id'>) => `${kind}-${id}`

const endOf = ({ place }: CollectionPart): SyncPlace => ({ place, begun: place })

/** The place of a collection in its journal, as clients know it, of a mixed one in both of its journals (contract: dav.sync). */
export const syncToken = (
  of: Collection,
  journal: Journal,
  places: readonly SyncPlace[] = partsOf(of).map(endOf),
): string =>
  NAMESPACE +
  partsOf(of)
    .map((part, at) => {
      const { place, begun } = places[at] ?? endOf(part)
      return `${nameOf(part)}/${nameOn(journal, part.timeline)}/${place}${begun > place ? `.${begun}` : ''}`
    })
    .join('/')

/** The places that a token names; undefined for one of another collection or journal, or of the future. */
export function placesOfToken(
  token: string,
  of: Collection,
  journal: Journal,
): readonly KnownPlace[] | undefined {
  const parts = partsOf(of)
  const said = token.startsWith(NAMESPACE) ? token.slice(NAMESPACE.length).split('/') : []
  if (said.length !== parts.length * 3) return undefined
  const places = parts.flatMap(
    (part, at) => placeIn(said.slice(at * 3, at * 3 + 3).join('/'), part, journal) ?? [],
  )
  return places.length === parts.length ? places : undefined
}

function placeIn(text: string, of: CollectionPart, journal: Journal): KnownPlace | undefined {
  const [, name, given = '', digits, more = '0'] = PART_OF_TOKEN.exec(text) ?? []
  const place = Number(digits)
  const begun = Math.max(place, Number(more))
  const timeline = timelineOf(journal, given)
  const isKnown = name === nameOf(of) && timeline !== undefined && timeline <= of.timeline
  return isKnown && begun <= of.place ? { place, begun, timeline } : undefined
}

/** The address of a collection without its home, where no client chose another. */
export function defaultSlug({
  kind,
  id,
  isDefault,
}: Pick<CollectionPart, 'kind' | 'id' | 'isDefault'>): string {
  if (kind === 'reminders') return 'reminders'
  if (isDefault && kind === 'list') return 'todos'
  return isDefault && kind === 'book' ? 'contacts' : `${kind}-${id}`
}

/** The addresses that collections have whose address no client chose. */
export const isReservedSlug = (slug: string): boolean =>
  /^(?:calendar|list|book)-\d+$|^(?:todos|contacts|reminders)$/.test(slug)

/** Where the properties of a collection are kept; those of a mixed one are read with its calendar. */
export const placeOfCollection = ({ kind, id }: Pick<Collection, 'kind' | 'id'>): string =>
  nameOf({ kind: kind === 'mixed' ? 'calendar' : kind, id })

const MAX_NAME = 100
const NO_NAME = 'Calendar'

/** The name that JSON shows for one that a client gave: within its limits, and unlike the others of the user. */
export function freeName(asked: string, taken: readonly string[]): string {
  const others = new Set(taken)
  const plain = cut(cleanLine(asked), MAX_NAME) || NO_NAME
  for (let count = 1; ; count++) {
    const ending = count === 1 ? '' : ` (${count})`
    const name = cut(plain, MAX_NAME - ending.length) + ending
    if (!others.has(name)) return name
  }
}

/** Whether a name that a client gave is still what JSON shows, but for what `freeName` does to it. */
export const isNamedSo = (name: string, asked: string): boolean =>
  freeName(asked, []) === name.replace(/ \(\d+\)$/, '') || freeName(asked, []) === name

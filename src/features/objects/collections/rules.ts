import type { Access } from '../../../access/calendars/rules'
import { type Journal, nameOn, timelineOf } from '../../../access/journal/rules'
import type { Area, Scope } from '../../../lib/scopes'
import { cut } from '../../../lib/text'
import { cleanLine } from '../../../lib/wire/tidy'

/** What a collection is here; the ids of one kind are its own. */
export type CollectionKind = 'calendar' | 'list' | 'reminders' | 'book' | 'birthdays'

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
}

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
} as const satisfies Record<CollectionKind, Home>

export type Home = 'calendars' | 'addressbooks'

const KINDS: readonly CollectionKind[] = ['calendar', 'list', 'reminders', 'book', 'birthdays']

export const kindsIn = (home: Home): readonly CollectionKind[] => KINDS.filter((kind) => HOMES[kind] === home)

export const homeOf = ({ kind }: Pick<Collection, 'kind'>): Home => HOMES[kind]

/** The components of iCalendar that collections of each kind take. */
export const COMPONENTS: Readonly<Record<CollectionKind, readonly string[]>> = {
  calendar: ['VEVENT'],
  list: ['VTODO'],
  reminders: ['VTODO'],
  book: [],
  birthdays: ['VEVENT'],
}

/** The scopes of app passwords that open collections of each kind. */
const AREAS = {
  calendar: 'calendars',
  list: 'tasks',
  reminders: 'tasks',
  book: 'people',
  birthdays: 'calendars',
} as const satisfies Record<CollectionKind, Area>

export const readingScope = (kind: CollectionKind): Scope => `${AREAS[kind]}:read`
export const writingScope = (kind: CollectionKind): Scope => `${AREAS[kind]}:write`

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

const TOKEN = /^https:\/\/organiser\.invalid\/ns\/sync\/([a-z]+-\d+)\/([\w-]+)\/(\d{1,15})(?:\.(\d{1,15}))?$/

const nameOf = ({ kind, id }: Pick<Collection, 'kind' | 'id'>) => `${kind}-${id}`

/** The place of a collection in its journal, as clients know it (contract: dav.sync). */
export const syncToken = (
  of: Pick<Collection, 'kind' | 'id' | 'place' | 'timeline'>,
  journal: Journal,
  begun = of.place,
): string =>
  `https://organiser.invalid/ns/sync/${nameOf(of)}/${nameOn(journal, of.timeline)}/${of.place}${begun > of.place ? `.${begun}` : ''}`

/** The place that a token names; undefined for one of another collection or journal, or of the future. */
export function placeOfToken(token: string, of: Collection, journal: Journal): KnownPlace | undefined {
  const [, name, given = '', digits, more = '0'] = TOKEN.exec(token) ?? []
  const place = Number(digits)
  const begun = Math.max(place, Number(more))
  const timeline = timelineOf(journal, given)
  const isKnown = name === nameOf(of) && timeline !== undefined && timeline <= of.timeline
  return isKnown && begun <= of.place ? { place, begun, timeline } : undefined
}

/** The address of a collection without its home, where no client chose another. */
export function defaultSlug({ kind, id, isDefault }: Pick<Collection, 'kind' | 'id' | 'isDefault'>): string {
  if (kind === 'reminders') return 'reminders'
  if (isDefault && kind === 'list') return 'todos'
  return isDefault && kind === 'book' ? 'contacts' : `${kind}-${id}`
}

/** The addresses that collections have whose address no client chose. */
export const isReservedSlug = (slug: string): boolean =>
  /^(?:calendar|list|book)-\d+$|^(?:todos|contacts|reminders)$/.test(slug)

/** Where the properties of a collection are kept. */
export const placeOfCollection = (of: Pick<Collection, 'kind' | 'id'>): string => nameOf(of)

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

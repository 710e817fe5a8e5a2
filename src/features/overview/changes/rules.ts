import type { KnownPlace } from './rules.cursor'
import type { ChangeType } from './rules.types'

/** A place beside what the journal says of its scope. */
export interface LoggedPlace extends KnownPlace {
  readonly target: number
  /** Whether the reader may see the scope now. */
  readonly isMine: boolean
  /** The last change in the scope. */
  readonly last: number
  /** Deletions up to this number may be forgotten. */
  readonly floor: number
  /** Whether it is beyond what the server kept of an earlier timeline. */
  readonly isLost: boolean
}

/** That an item of the scope at `places[place]` changed. */
export interface LogEntry {
  readonly place: number
  readonly type: ChangeType
  readonly item: number
  readonly seq: number
}

/** What the journal says to a reader: the scopes, and the first changes in them, both in the order of a page. */
export interface Log {
  /** The latest timeline on which there was a change in one of the scopes. */
  readonly timeline: number
  readonly places: readonly LoggedPlace[]
  readonly entries: readonly LogEntry[]
}

/** How far the journal goes in a scope. */
interface Scope extends Pick<KnownPlace, 'kind' | 'id'> {
  readonly last: number
  /** The timeline of the last change. */
  readonly timeline: number
}

/**
 * Whether the reader knows all of the scopes that they see, up to their last changes on a timeline of the places, and is in no run of
 * pages.
 */
export function isCurrent(
  { places, timeline: known }: { readonly places: readonly KnownPlace[]; readonly timeline: number },
  scopes: readonly Scope[],
): boolean {
  const byScope = new Map(places.map((place) => [place.kind + place.id, place]))
  return (
    byScope.size === scopes.length &&
    scopes.every(({ kind, id, last, timeline }) => {
      const place = byScope.get(kind + id)
      return place?.position === last && place.target === null && timeline <= known
    })
  )
}

/** The log of a reader who knows everything. */
export const emptyLog = ({
  places,
  timeline,
}: Pick<Log, 'timeline'> & { readonly places: readonly KnownPlace[] }): Log => ({
  timeline,
  places: places.map((place) => ({
    ...place,
    target: place.position,
    isMine: true,
    last: place.position,
    floor: 0,
    isLost: false,
  })),
  entries: [],
})

/** Whether a cursor knows more than this journal, or deletions after its places may be forgotten. */
export const isOutdated = (places: readonly LoggedPlace[]): boolean =>
  places.some(
    ({ isMine, isLost, isFirst, position, target, floor, last }) =>
      isMine && (isLost || (!isFirst && position < floor) || position > last || target > last),
  )

/** Scopes that were taken from the reader: as many as the page tells, and those that wait for the next one. */
export function lostScopes(places: readonly LoggedPlace[], types: readonly ChangeType[], limit: number) {
  // A reader of events alone must hear of it too, as the events go with their calendar.
  const isTold = types.includes('calendar') || types.includes('event')
  const lost = isTold ? places.filter(({ isMine }) => !isMine) : []
  return { told: lost.slice(0, limit).map(({ id }) => id), waiting: lost.slice(limit) }
}

/** Identifies an item. */
export const keyOf = ({ type, item }: Pick<LogEntry, 'type' | 'item'>): string => `${type} ${item}`

/** The entries that name an item first, without the calendars that the page deletes anyway. */
export function firstOfEach(entries: readonly LogEntry[], lostCalendars: readonly number[]): LogEntry[] {
  const known = new Set(lostCalendars.map((item) => keyOf({ type: 'calendar', item })))
  return entries.filter((entry) => {
    const isKnown = known.has(keyOf(entry))
    known.add(keyOf(entry))
    return !isKnown
  })
}

/** The most bytes of items on a page, unless its only item is longer (contract: http.pages). */
export const PAGE_BYTES = 1_048_576

/** The first of these entries whose items fit into so many bytes, at least one. */
export function fitting(
  entries: readonly LogEntry[],
  maxBytes: number,
  sizeOf: (entry: LogEntry) => number,
): readonly LogEntry[] {
  let total = 0
  const end = entries.findIndex((entry, index) => {
    total += sizeOf(entry)
    return index > 0 && total > maxBytes
  })
  return end === -1 ? entries : entries.slice(0, end)
}

/** Where the reader is after a page that tells the first `count` entries of the log. */
export function placesAfter(
  { places, entries }: Pick<Log, 'places' | 'entries'>,
  count: number,
  waiting: readonly LoggedPlace[],
) {
  const hasMore = count < entries.length || waiting.length > 0
  const next = entries[count]?.place ?? places.length
  const positionIn = (place: LoggedPlace, index: number) => {
    if (index < next) return place.target
    const told = entries.slice(0, count).findLast((entry) => entry.place === index)
    return told?.seq ?? place.position
  }
  const after = places.flatMap((place, index): KnownPlace[] => {
    if (!place.isMine && !waiting.includes(place)) return []
    const { kind, id, target, isFirst } = place
    const position = positionIn(place, index)
    return hasMore
      ? [{ kind, id, position, target, isFirst }]
      : [{ kind, id, position, target: null, isFirst: false }]
  })
  return { places: after, hasMore }
}

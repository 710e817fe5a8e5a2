import { pagesOf } from '../../../db/in-pages'
import type { Deps } from '../../../deps'
import { notFound } from '../../../lib/errors'
import { pauses, READ_LIMIT_MS } from '../../../lib/pauses'
import { jsonBytes } from '../../../lib/text'
import { addDaysTo, DAY_MS, instantOf, midnightOf } from '../../../lib/time/wall-time'
import { birthdayEvents } from '../birthdays/service'
import type { VisibleCalendar } from '../../../access/calendars/rules'
import { calendarsFor } from '../../../access/calendars/service'
import type { Window } from '../occurrences/rules'
import { frameBytes } from '../occurrences/rules.sizes'
import { SHARES, type Tier } from '../occurrences/rules.tiers'
import {
  type Candidate,
  expand,
  type Item,
  keyOf,
  type Listed,
  type Loaded,
  loadDifferences,
  readDescriptions,
  type Wanted,
} from '../occurrences/service'
import type { EventView } from '../events/model'
import { mentions } from '../events/rules.texts'
import { findEventAccess } from '../events/service'
import { accessTo, type EventAccess } from '../events/service.views'
import { type Reader, zoneOf } from '../../../access/reader/service'
import type { EventsQuery, OccurrencesQuery } from './model'
import * as q from './queries'
import { MAX_OCCURRENCES, readWindow } from './rules'
import { type Basket, basketFor } from './rules.basket'

export type WindowDeps = Pick<Deps, 'db' | 'config' | 'clock'>

/** The occurrences in a window, by start. */
interface Happenings {
  readonly events: EventView[]
  /** Whether occurrences of invitations were left out. */
  readonly invitations_truncated: boolean
}

/** A window query in progress. */
export interface Look {
  readonly window: Window
  readonly wanted: Wanted & Pick<EventsQuery, 'calendar_id'>
  /** Return only the first so many; undefined for all. */
  readonly first: number | undefined
  readonly basket: Basket<Item>
  readonly pause: () => Promise<void>
}

/**
 * Returns the occurrences in a window (contract: events.windows).
 * @throws {AppError} 404 for a calendar that is not visible to the caller, 422.
 */
export const listEvents = (deps: WindowDeps, reader: Reader, query: EventsQuery): Promise<Happenings> =>
  happenings(deps, reader, lookAt(deps, reader, query))

/** Returns the first `limit` occurrences on a day; invitations only fill the places that are left. */
export const listEventsOfDay = (
  deps: WindowDeps,
  reader: Reader,
  day: string,
  limit: number,
): Promise<Happenings> =>
  happenings(deps, reader, lookAt(deps, reader, { from: day, to: addDaysTo(day, 1) }, limit))

/** Returns the occurrences of one event in a window. @throws {AppError} 404, 422. */
export async function listOccurrences(
  deps: WindowDeps,
  reader: Reader,
  id: number,
  query: OccurrencesQuery,
): Promise<Happenings> {
  const look = lookAt(deps, reader, query)
  const seen = await findEventAccess(deps.db, reader.userId, id)
  const event = { ...seen.event, descriptionBytes: 0, isNamed: true }
  const tier = seen.home === null && seen.invitation?.response === null ? 'unanswered' : 'own'
  await gather(deps, event.isCancelled ? [] : [{ seen: { ...seen, event }, tier }], look)
  return toHappenings(deps, look)
}

const lookAt = (
  { config, clock }: WindowDeps,
  { owner }: Reader,
  query: EventsQuery,
  first?: number,
): Look => ({
  window: readWindow(query, { server: config.timeZone, reader: zoneOf(config, owner) }),
  wanted: query,
  first,
  basket: basketFor(first),
  pause: pauses(clock, READ_LIMIT_MS),
})

/** @throws {AppError} 404, 422. */
async function happenings(deps: WindowDeps, reader: Reader, look: Look): Promise<Happenings> {
  const { db } = deps
  const { window, wanted, first, basket, pause } = look
  const calendars = await calendarsFor(db, reader.userId)
  const shown = shownOf(calendars, wanted.calendar_id)
  const search = searchOf(reader, shown, look)
  const [rows, birthdays] = await Promise.all([
    first === undefined ? q.nearby(db, search, MAX_OCCURRENCES + 1) : q.firstNearby(db, search, first),
    birthdayEvents(deps, shown, window, {
      most: first ?? MAX_OCCURRENCES + 1,
      isWanted: (view) => wanted.q === undefined || mentions(view, wanted.q),
      pause,
    }),
  ])
  for (const birthday of birthdays) basket.add(toItem(window, birthday))
  const toCandidates = candidatesIn(calendars, new Set(search.calendarIds), wanted)
  for await (const some of inBatches(db, search, rows, basket)) await gather(deps, toCandidates(some), look)
  return toHappenings(deps, look)
}

/** Yields the rows; of more series than are read at once, those that the rows lack as well. */
export async function* inBatches(
  db: Deps['db'],
  search: q.Search,
  rows: readonly Row[],
  basket: Pick<Basket<Item>, 'overflow'>,
): AsyncGenerator<readonly Row[]> {
  const ids = new Set(search.calendarIds)
  const byInvitation = rows.filter(({ event }) => !ids.has(event.calendarId))
  // The last one is the least important.
  if (byInvitation.length === q.MAX_INVITED) basket.overflow(tierOf(byInvitation.at(-1)?.invitation))
  const isSeries = ({ event }: Row) => event.recurrenceRule !== null && ids.has(event.calendarId)
  if (rows.filter(isSeries).length <= q.MAX_SERIES_AT_ONCE) return yield rows
  yield rows.filter((row) => !isSeries(row))
  for (const some of pagesOf(await q.seriesIds(db, search))) yield q.seriesBy(db, search, some)
}

type Row = Awaited<ReturnType<typeof q.nearby>>[number]

/** @throws {AppError} 404. */
function shownOf(calendars: readonly VisibleCalendar[], id: number | undefined): readonly VisibleCalendar[] {
  if (id === undefined) return calendars.filter(({ isVisible }) => isVisible)
  const named = calendars.filter((calendar) => calendar.id === id)
  if (named.length === 0) throw notFound('Calendar')
  return named
}

export const searchOf = (
  { userId }: Reader,
  shown: readonly VisibleCalendar[],
  { window, wanted }: Look,
): q.Search => ({
  userId,
  calendarIds: shown.map(({ id }) => id),
  // An invitation stays visible when the shared calendar that contains the event is hidden.
  showsFree: wanted.calendar_id === undefined,
  span: window,
  midnight: instantOf(window.zone, midnightOf(window.fromDay)),
  q: wanted.q,
  withDeclined: wanted.include_declined ?? false,
})

const tierOf = (invitation: Row['invitation'] | undefined): Tier =>
  invitation?.response ? 'answered' : 'unanswered'

/** Turns rows into candidates for a user with these calendars, of which those with `ids` are shown. */
export function candidatesIn(
  calendars: readonly VisibleCalendar[],
  ids: ReadonlySet<number>,
  wanted: Wanted,
) {
  return (rows: readonly Row[]): Candidate[] =>
    rows.flatMap(({ event, invitation }) => {
      const seen = unfound(accessTo<Listed>(calendars, event, invitation), wanted)
      return seen ? [{ seen, tier: ids.has(event.calendarId) ? 'own' : tierOf(invitation) }] : []
    })
}

/** Texts that the user may not know match no search. */
function unfound(seen: EventAccess<Listed> | undefined, { q: text }: Wanted) {
  if (!seen?.isMasked) return seen
  return { ...seen, event: { ...seen.event, descriptionBytes: 0, isNamed: text === undefined } }
}

/** Birthdays sort after everything else that starts at the same time. */
const toItem = ({ zone }: Window, birthday: EventView): Item => ({
  start: +instantOf(zone, midnightOf(birthday.start_date ?? '')),
  end: +instantOf(zone, midnightOf(birthday.end_date ?? '') + DAY_MS),
  response: undefined,
  allDay: true,
  id: Number.POSITIVE_INFINITY,
  tier: 'own',
  bytes:
    jsonBytes(birthday.title) +
    frameBytes({ recurrenceRule: null, timeZone: null, calendarName: birthday.calendar_name }),
  unread: undefined,
  toView: () => birthday,
})

/** Adds the candidates' occurrences to the basket. @throws {AppError} 422. */
export async function gather(
  { db }: WindowDeps,
  candidates: readonly Candidate[],
  look: Look,
): Promise<void> {
  const { window, wanted, basket } = look
  for (let start = 0; start === 0 || start < candidates.length; start += CANDIDATES_AT_ONCE) {
    const some = candidates.slice(start, start + CANDIDATES_AT_ONCE)
    const loaded = await loadDifferences(db, some, window, wanted)
    for (const tier of loaded.cut) basket.overflow(tier)
    for (const candidate of some) await put(candidate, loaded, look)
  }
}

/** The part of the window whose starts are not after `latest`, in epoch milliseconds. */
const until = (window: Window, latest: number): Window =>
  latest < +window.to - 1 ? { ...window, to: new Date(latest + 1) } : window

async function put(candidate: Candidate, loaded: Loaded, look: Look): Promise<void> {
  const differences = loaded.of(candidate)
  if (!differences) return
  const { wanted, first, basket, pause } = look
  const { tier } = candidate
  // Occurrences that are answered alone belong to another tier, which may show later ones.
  const isMixed = tier === 'unanswered' && differences.responses.size > 0
  const window = isMixed ? look.window : until(look.window, basket.latest(tier))
  const limit = tier === 'own' ? (first ?? MAX_OCCURRENCES) : SHARES[tier].occurrences + 1
  // Also a series without any occurrence in the window takes time.
  await pause()
  for (const item of expand(candidate, differences, { window, wanted, limit })) {
    if (item) basket.add(item)
    await pause()
  }
}

/** Builds the views of the items that fit; only for these it reads long descriptions. @throws {AppError} 422. */
async function toHappenings({ db, config }: WindowDeps, { basket, pause }: Look): Promise<Happenings> {
  const { items } = basket.chosen(({ bytes }) => bytes)
  const descriptions = await readDescriptions(db, items)
  const sizes = new Map<string, number>()
  for (const [key, text] of descriptions) {
    sizes.set(key, jsonBytes(text ?? ''))
    await pause()
  }
  // The exact sizes are known only now, with JSON escapes.
  const bytesOf = ({ bytes, unread }: Item) =>
    unread ? bytes - unread.bytes + (sizes.get(keyOf(unread)) ?? 0) : bytes
  const fitting = basket.chosen(bytesOf)
  const events: EventView[] = []
  for (const { unread, toView } of fitting.items) {
    const key = unread && keyOf(unread)
    // The event was deleted or became invisible meanwhile.
    if (key !== undefined && !descriptions.has(key)) continue
    events.push(toView(config.timeZone, key === undefined ? undefined : descriptions.get(key)))
    await pause()
  }
  return { events, invitations_truncated: fitting.isTruncated }
}

/** Events whose differences are loaded at once. */
const CANDIDATES_AT_ONCE = 2000

import type { InvitationResponse } from '../../db/schema'
import type { Deps } from '../../deps'
import { AppError, notFound } from '../../lib/errors'
import { addDays } from '../../lib/time'
import {
  addDaysTo,
  instantOf,
  midnightOf,
  wallFromText,
  wallToText,
  type WallTime,
} from '../../lib/wall-time'
import { birthdayEvents } from '../birthday-events/service'
import type { VisibleCalendar } from '../calendar-access/rules'
import { calendarsFor } from '../calendar-access/service'
import type { EventView } from '../events/model'
import { mentions, textsOf } from '../events/rules.texts'
import { type Times, timesAt } from '../events/rules.times'
import {
  findSeen,
  type Occurrence,
  see,
  type Seen,
  type Shown,
  seriesOf,
  timesIn,
  timesOf,
  toView,
} from '../events/service'
import { type Reader, zoneOf } from '../settings/service'
import type { EventsQuery, OccurrencesQuery } from './model'
import * as q from './queries'
import { extentOf, MAX_OCCURRENCES, overlaps, readWindow, type Window } from './rules'

type WindowDeps = Pick<Deps, 'db' | 'config'>

/** What of the occurrences in a window is wanted. */
interface Wanted {
  readonly q?: string
  readonly include_declined?: boolean
  /** Only so many, the first ones; without it all, of which there may be `MAX_OCCURRENCES`. */
  readonly first?: number
}

/**
 * What happens in a window, in the order of time (contract, section 8).
 * @throws {AppError} 404 for a calendar that is not visible to the caller, 422.
 */
export const listEvents = (deps: WindowDeps, reader: Reader, query: EventsQuery): Promise<EventView[]> =>
  happenings(deps, reader, windowOf(deps, reader, query), query)

/** The first `limit` of what happens on a day of the user's. */
export const listEventsOfDay = (
  deps: WindowDeps,
  reader: Reader,
  day: string,
  limit: number,
): Promise<EventView[]> =>
  happenings(deps, reader, windowOf(deps, reader, { from: day, to: addDaysTo(day, 1) }), { first: limit })

/** @throws {AppError} 404, 422. */
async function happenings(
  deps: WindowDeps,
  reader: Reader,
  window: Window,
  wanted: Wanted & Pick<EventsQuery, 'calendar_id'>,
): Promise<EventView[]> {
  const { db, config } = deps
  const calendars = await calendarsFor(db, reader.userId)
  const shown = shownOf(calendars, wanted.calendar_id)
  const ids = new Set(shown.map(({ id }) => id))
  const shelf = { userId: reader.userId, calendarIds: [...ids] }
  const { first } = wanted
  const rows = await (first === undefined
    ? q.candidates(db, shelf, window)
    : q.firstCandidates(db, shelf, window, first))
  const found = new Map(rows.map((row) => [row.event.id, row]))
  // Hiding the shared calendar that an event is in does not hide the invitation to it.
  const isFree = ({ invitation }: Seen<Shown>) =>
    invitation !== null && invitation.displayCalendarId === null && wanted.calendar_id === undefined
  const isShown = (one: Seen<Shown>) => (one.calendar !== null && ids.has(one.calendar.id)) || isFree(one)
  const seen = [...found.values()].flatMap(({ event, invitation }) => {
    const one = see(calendars, event, invitation)
    return one && isShown(one) ? [one] : []
  })
  const [birthdays, items] = await Promise.all([
    birthdayEvents(deps, shown, window),
    itemsOf(deps, seen, window, wanted),
  ])
  const named = birthdays.filter((view) => isNamed(wanted, view))
  return inOrder([...items, ...named.map((view) => toItem(window, view))], first).map(({ toView: view }) =>
    view(config.timeZone),
  )
}

/** The occurrences of one event in a window. @throws {AppError} 404, 422. */
export async function listOccurrences(
  deps: WindowDeps,
  reader: Reader,
  id: number,
  query: OccurrencesQuery,
): Promise<EventView[]> {
  const window = windowOf(deps, reader, query)
  const seen = await findSeen(deps.db, reader.userId, id)
  return inOrder(await itemsOf(deps, [seen], window, query)).map(({ toView: view }) =>
    view(deps.config.timeZone),
  )
}

const windowOf = ({ config }: WindowDeps, { owner }: Reader, query: OccurrencesQuery): Window =>
  readWindow(query, { server: config.timeZone, reader: zoneOf(config, owner) })

/** @throws {AppError} 404. */
function shownOf(calendars: readonly VisibleCalendar[], id: number | undefined): readonly VisibleCalendar[] {
  if (id === undefined) return calendars.filter(({ isVisible }) => isVisible)
  const named = calendars.filter((calendar) => calendar.id === id)
  if (named.length === 0) throw notFound('Calendar')
  return named
}

/** Something in the window, with what it is ordered by. */
interface Item {
  /** In epoch milliseconds. */
  readonly start: number
  readonly allDay: boolean
  readonly toView: (serverZone: string) => EventView
  readonly id: number
}

/** What single occurrences of an event differ in, by their original starts. */
interface Differences {
  readonly extras: readonly WallTime[]
  readonly overrides: ReadonlyMap<WallTime, q.OccurrenceRow>
  readonly responses: ReadonlyMap<WallTime, InvitationResponse>
}

type DifferencesOf = (seen: Seen<Shown>) => Differences

const toItem = ({ zone }: Window, birthday: EventView): Item => ({
  start: +instantOf(zone, midnightOf(birthday.start_date ?? '')),
  allDay: true,
  id: Number.POSITIVE_INFINITY,
  toView: () => birthday,
})

async function itemsOf(
  { db }: WindowDeps,
  seen: readonly Seen<Shown>[],
  window: Window,
  wanted: Wanted,
): Promise<Item[]> {
  const differencesOf = await loadDifferences(db, seen, window)
  const items: Item[] = []
  for (const one of seen) {
    for (const item of expand(one, differencesOf, { window, wanted })) items.push(item)
    if (wanted.first === undefined && items.length > MAX_OCCURRENCES) throw tooMany()
  }
  return items
}

const tooMany = () => new AppError('invalid', 'Narrow the window')

/** In two queries, however many events there are. */
async function loadDifferences(
  db: Deps['db'],
  seen: readonly Seen<Shown>[],
  window: Window,
): Promise<DifferencesOf> {
  const series = seen.filter(({ event }) => event.recurrenceRule !== null)
  const longest = Math.max(0, ...series.map(({ event }) => lengthOf(timesOf(event))))
  // Wall times are at most a day from the instants that they stand for.
  const fromWall = wallToText(+addDays(window.from, -2) - longest)
  const toWall = wallToText(+addDays(window.to, 2))
  const ids = series.map(({ event }) => event.id)
  const invitationIds = series.flatMap(({ invitation }) => invitation?.id ?? [])
  const [extra, overridden, answered] = await Promise.all([
    q.extraStarts(db, ids, { fromWall, toWall }),
    q.overrides(db, ids, { ...window, fromWall, toWall }),
    q.responses(db, invitationIds),
  ])
  const extras = Map.groupBy(extra, ({ eventId }) => eventId)
  const overrides = Map.groupBy(overridden, ({ eventId }) => eventId)
  const responses = Map.groupBy(answered, ({ invitationId }) => invitationId)
  return ({ event, invitation }) => ({
    extras: (extras.get(event.id) ?? []).map(({ start }) => wallFromText(start)),
    overrides: byStart(overrides.get(event.id) ?? [], (row) => row),
    responses: byStart(responses.get(invitation?.id ?? 0) ?? [], ({ response }) => response),
  })
}

const lengthOf = (times: Times): number => {
  const { start, end } = extentOf(times, 'UTC')
  return end - start
}

const byStart = <R extends { readonly occurrenceStart: string }, T>(
  rows: readonly R[],
  valueOf: (row: R) => T,
): ReadonlyMap<WallTime, T> => new Map(rows.map((row) => [wallFromText(row.occurrenceStart), valueOf(row)]))

/** What of an event is in the window and wanted. */
function expand(
  seen: Seen<Shown>,
  differencesOf: DifferencesOf,
  { window, wanted }: { readonly window: Window; readonly wanted: Wanted },
): Item[] {
  const { id } = seen.event
  const items: Item[] = []
  for (const occurrence of occurrencesOf(seen, differencesOf, window, wanted)) {
    const times = timesIn(seen, occurrence)
    const extent = extentOf(times, window.zone)
    if (!isWanted(wanted, seen, occurrence) || !overlaps(window, extent)) continue
    const view = (zone: string) => toView(zone, seen, occurrence, times)
    items.push({ start: extent.start, allDay: times.allDay, id, toView: view })
  }
  return items
}

type Named = Parameters<typeof mentions>[0]

const isNamed = ({ q: part }: Wanted, texts: Named) => part === undefined || mentions(texts, part)

const isWanted = (wanted: Wanted, { event, invitation }: Seen<Shown>, occurrence: Occurrence | undefined) =>
  isNamed(wanted, textsOf(event, occurrence?.override?.changes)) &&
  (wanted.include_declined === true || (occurrence?.response ?? invitation?.response) !== 'Declined')

/** The occurrences of a series that take place; undefined for an event that is none. */
function occurrencesOf(
  seen: Seen<Shown>,
  differencesOf: DifferencesOf,
  window: Window,
  wanted: Wanted,
): Array<Occurrence | undefined> {
  const { event } = seen
  const { extras, overrides, responses } = differencesOf(seen)
  const series = seriesOf(event, extras)
  if (!series) return [undefined]
  // Each of those that differ may turn out not to show, and one more may end as the window begins.
  const limit = (wanted.first ?? MAX_OCCURRENCES) + overrides.size + responses.size + 2
  const regular = isNamed(wanted, event) ? series.within(window, limit) : []
  const walls = overrides.size === 0 ? regular : [...new Set([...regular, ...overrides.keys()])]
  return walls.flatMap((wall) => {
    const override = overrides.get(wall)
    if (override?.isCancelled) return []
    return [{ original: timesAt(series.first, wall), override, response: responses.get(wall) }]
  })
}

/** By start, all-day before timed, then by id and original start; birthdays come last. */
function inOrder(items: readonly Item[], first?: number): Item[] {
  if (first === undefined && items.length > MAX_OCCURRENCES) throw tooMany()
  return items
    .toSorted((a, b) => a.start - b.start || Number(b.allDay) - Number(a.allDay) || a.id - b.id)
    .slice(0, first)
}

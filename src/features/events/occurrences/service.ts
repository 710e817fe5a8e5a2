import type { InvitationResponse } from '../../../db/schema'
import type { Deps } from '../../../deps'
import { wallFromText, type WallTime, wallToText } from '../../../lib/time/wall-time'
import type { EventView } from '../events/model'
import { textsOf } from '../events/rules.texts'
import type { Times } from '../events/rules.times'
import {
  type EventAccess,
  overrideFor,
  seriesOf,
  type Shown,
  type ShownOverride,
  timesIn,
  timesOf,
  toView,
} from '../events/service.views'
import * as q from './queries'
import { extentOf, overlaps, startsNear, type Window } from './rules'
import { type Differences, type Expanded, expandSeries } from './rules.expansion'
import { frameBytes, isUnread, textBytes } from './rules.sizes'
import { MOST, type Tier, TIERS } from './rules.tiers'

/** An event as a window query returns it; long descriptions are not read yet. */
export interface Listed extends Shown {
  /** UTF-8 bytes. */
  readonly descriptionBytes: number
  /** Whether one of its texts matches the search. */
  readonly isNamed: boolean
}

/** An event that may have occurrences in a window. */
export interface Candidate {
  readonly seen: EventAccess<Listed>
  readonly tier: Tier
}

/** Filters of a window query. */
export interface Wanted {
  readonly q?: string
  readonly include_declined?: boolean
}

interface Override extends ShownOverride {
  /** Null when the override keeps the description of the series. */
  readonly descriptionBytes: number | null
  readonly isNamed: boolean
}

/** The differences of an event's occurrences, and its extra starts. */
interface ListedDifferences extends Differences<Override, InvitationResponse> {
  readonly extras: readonly WallTime[]
}

const NONE: ListedDifferences = { extras: [], overrides: new Map(), responses: new Map() }

/** The differences of a batch of events. */
export interface Loaded {
  /** Undefined for an event whose differences were not read completely. */
  readonly of: (candidate: Candidate) => ListedDifferences | undefined
  /** The tiers of which a limit cut off differences. */
  readonly cut: readonly Tier[]
}

/** Loads the differences of all candidates in one query. */
export async function loadDifferences(
  db: Deps['db'],
  candidates: readonly Candidate[],
  window: Window,
  wanted: Wanted,
): Promise<Loaded> {
  const rows = await q.differences(db, candidates.flatMap(toLooked(window)), window, wanted.q)
  const byEvent = Map.groupBy(rows, ({ id }) => id)
  const cuts = new Map(TIERS.map((tier) => [tier, cutOf(rows, tier)]))
  return {
    of: ({ seen, tier }) =>
      seen.event.recurrenceRule !== null && seen.event.id >= (cuts.get(tier)?.firstUnread ?? Infinity)
        ? undefined
        : toDifferences(seen, byEvent.get(seen.event.id)),
    cut: TIERS.filter((tier) => cuts.get(tier)?.isCut),
  }
}

const toLooked =
  (window: Window) =>
  ({ seen: { event, invitation }, tier }: Candidate): q.Looked[] => {
    if (event.recurrenceRule === null) return []
    const { id } = event
    const invitationId = invitation?.id ?? null
    return [{ id, tier, invitationId, ...startsNear(timesOf(event), window) }]
  }

/** Overrides and answers come in the order of their events, so limited ones are complete for all events before the last one. */
function cutOf(rows: readonly q.Difference[], tier: Tier) {
  const most = MOST[tier]
  const counts = { overrides: 0, extras: 0, answers: 0 }
  const lastIds = { overrides: 0, extras: Infinity, answers: 0 }
  for (const row of rows) {
    if (row.tier !== tier) continue
    const kind = kindOf(row)
    counts[kind]++
    if (kind !== 'extras') lastIds[kind] = row.id
  }
  const full = (['overrides', 'extras', 'answers'] as const).filter((kind) => counts[kind] > most[kind])
  return { firstUnread: Math.min(...full.map((kind) => lastIds[kind])), isCut: full.length > 0 }
}

function kindOf({ response, isCancelled }: q.Difference): keyof (typeof MOST)[Tier] {
  if (response !== null) return 'answers'
  return isCancelled === null ? 'extras' : 'overrides'
}

function toDifferences(
  seen: EventAccess<Listed>,
  rows: readonly q.Difference[] | undefined,
): ListedDifferences {
  if (!rows) return NONE
  const extras: WallTime[] = []
  const overrides = new Map<WallTime, Override>()
  const responses = new Map<WallTime, InvitationResponse>()
  for (const { wall: text, isCancelled, changes, response, ...row } of rows) {
    const wall = wallFromText(text)
    if (response !== null) responses.set(wall, response)
    else if (isCancelled === null) extras.push(wall)
    else {
      const override = shownOverride(seen, { ...row, isCancelled, changes: changes ?? {} })
      if (override) overrides.set(wall, override)
    }
  }
  return { extras: extras.toSorted((a, b) => a - b), overrides, responses }
}

/** The override as the user sees it; its texts are those of the event where they may not know them. */
function shownOverride(seen: EventAccess<Listed>, override: Override): Override | undefined {
  const shown = overrideFor(seen, override)
  return shown && seen.isMasked ? { ...shown, descriptionBytes: null, isNamed: seen.event.isNamed } : shown
}

/** An occurrence in a window, with its sort keys. */
export interface Item {
  /** In epoch milliseconds. */
  readonly start: number
  readonly end: number
  /** The caller's answer that holds for it; undefined unless they are invited. */
  readonly response: InvitationResponse | null | undefined
  readonly allDay: boolean
  readonly id: number
  readonly tier: Tier
  /** Its size in the response; a lower bound while the description is not read. */
  readonly bytes: number
  readonly unread: q.Unread | undefined
  /** Takes the `description` if it was not read before. */
  readonly toView: (serverZone: string, description?: string | null) => EventView
}

/** The window, its filters and its limit. */
interface Looking {
  readonly window: Window
  readonly wanted: Wanted
  /** Only the first `limit` occurrences matter. */
  readonly limit: number
}

/**
 * Yields the matching occurrences of an event, and undefined for every other one that it examines, so that the caller can
 * pause.
 */
export function* expand(
  candidate: Candidate,
  found: ListedDifferences,
  looking: Looking,
): Generator<Item | undefined, void, void> {
  const { event, calendar } = candidate.seen
  const frame = frameBytes({ ...event, calendarName: calendar?.name ?? null })
  const sizes = { frame, series: frame + textBytes(event) }
  const series = seriesOf(event, found.extras)
  if (!series) return yield itemIn(looking, candidate, sizes, undefined)
  const { window } = looking
  const starts = series.startsIn(window)
  const most = mostOf(candidate.seen, found, looking)
  const range = startsNear(series.first, window)
  for (const occurrence of expandSeries(series, found, { starts, most, range })) {
    yield occurrence === undefined ? undefined : itemIn(looking, candidate, sizes, occurrence)
  }
}

/** Sizes in bytes of an event's view without its texts, and with the texts of the series. */
interface Sizes {
  readonly frame: number
  readonly series: number
}

function itemIn(
  { window, wanted }: Looking,
  { seen, tier }: Candidate,
  sizes: Sizes,
  occurrence: ListedOccurrence | undefined,
): Item | undefined {
  const times = timesIn(seen, occurrence)
  const { start, end } = extentOf(times, window.zone)
  if (!isWanted(wanted, seen, occurrence) || !overlaps(window, { start, end })) return undefined
  const { event } = seen
  const override = occurrence?.override
  return {
    start,
    end,
    response: answerTo(seen, occurrence),
    allDay: times.allDay,
    id: event.id,
    tier: tier === 'unanswered' && occurrence?.response !== undefined ? 'answered' : tier,
    bytes: override ? sizes.frame + textBytes(saidBy(event, override)) : sizes.series,
    unread: unreadOf(event, occurrence),
    toView: viewOf(seen, occurrence, times),
  }
}

const answerTo = ({ invitation }: EventAccess<Listed>, occurrence: ListedOccurrence | undefined) =>
  invitation ? (occurrence?.response ?? invitation.response) : undefined

/** An occurrence of a series; undefined stands for an event that does not repeat. */
type ListedOccurrence = Expanded<Override, InvitationResponse>

function saidBy(event: Listed, { changes, descriptionBytes }: Override) {
  const texts = textsOf(event, changes)
  return descriptionBytes === null
    ? { ...texts, descriptionBytes: event.descriptionBytes }
    : { ...texts, description: changes.description ?? null, descriptionBytes }
}

function unreadOf(event: Listed, occurrence: ListedOccurrence | undefined): q.Unread | undefined {
  const override = occurrence?.override
  const { id, calendarId } = event
  if (!override || override.descriptionBytes === null) {
    return isUnread(event) ? { id, calendarId, wall: null, bytes: event.descriptionBytes } : undefined
  }
  const wall = wallToText(occurrence.wall)
  const bytes = override.descriptionBytes
  return isUnread(saidBy(event, override)) ? { id, calendarId, wall, bytes } : undefined
}

const viewOf =
  (seen: EventAccess<Listed>, occurrence: ListedOccurrence | undefined, times: Times): Item['toView'] =>
  (serverZone, description) => {
    if (description === undefined) return toView(serverZone, seen, occurrence, times)
    const override = occurrence?.override
    if (!override || override.descriptionBytes === null) {
      return toView(serverZone, { ...seen, event: { ...seen.event, description } }, occurrence, times)
    }
    const changes = { ...override.changes, description }
    return toView(serverZone, seen, { ...occurrence, override: { ...override, changes } }, times)
  }

const isWanted = (
  wanted: Wanted,
  { event, invitation }: EventAccess<Listed>,
  occurrence: ListedOccurrence | undefined,
): boolean =>
  (occurrence?.override ?? event).isNamed &&
  (wanted.include_declined === true || (occurrence?.response ?? invitation?.response) !== 'Declined')

/** The most starts of the series to expand; 0 when only occurrences that differ can match. */
function mostOf(
  { event, invitation }: EventAccess<Listed>,
  { overrides, responses }: ListedDifferences,
  { wanted, limit }: Looking,
): number {
  const isShown = event.isNamed && (wanted.include_declined === true || invitation?.response !== 'Declined')
  // Every occurrence that differs may turn out not to match, and one more may end as the window begins.
  return isShown ? limit + overrides.size + responses.size + 2 : 0
}

/** Reads the deferred descriptions, by `keyOf`; events that the caller no longer sees are missing. */
export async function readDescriptions(
  db: Deps['db'],
  items: readonly Item[],
): Promise<ReadonlyMap<string, string | null>> {
  const unread = new Map(items.flatMap(({ unread: one }) => (one ? [[keyOf(one), one] as const] : [])))
  if (unread.size === 0) return new Map()
  const rows = await q.descriptions(db, [...unread.values()])
  return new Map(
    rows.map(({ id, wall, description }) => [
      keyOf({ id, wall: wall && wallToText(wallFromText(wall)) }),
      description,
    ]),
  )
}

/** Identifies a description. */
export const keyOf = ({ id, wall }: Pick<q.Unread, 'id' | 'wall'>): string => `${id} ${wall ?? ''}`

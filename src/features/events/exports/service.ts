import type { Tx } from '../../../db/client'
import { inSnapshot } from '../../../db/transaction'
import type { WriteDeps } from '../../../deps'
import { visibleCalendar } from '../../../access/calendars/rules'
import { calendarsFor } from '../../../access/calendars/service'
import type { InvitationResponse } from '../../../db/schema'
import { pauses } from '../../../lib/pauses'
import { isIdKey, readPage, type PageById, toFittingPage } from '../../../lib/wire/page'
import { wallFromText } from '../../../lib/time/wall-time'
import { invitationsTo } from '../invitations/service'
import { timesAt } from '../events/rules.times'
import {
  accessTo,
  type EventAccess,
  formatStart,
  overrideFor,
  timesOf,
  toView,
} from '../events/service.views'
import type { EventView } from '../events/model'
import type {
  BareEventView,
  ExportedEventView,
  WholeEventsPage,
  WholeEventsQuery,
  WholeEventView,
} from './model'
import * as q from './queries'

type OccurrenceRow = Awaited<ReturnType<typeof q.occurrencesOf>>[number]

/** Returns a page of the events in the user's calendars, by id, with overrides, exceptions and invitations. */
export async function pageEventsById(
  { db, config, clock }: WriteDeps,
  userId: number,
  byId: PageById,
): Promise<ExportedEventView[]> {
  const rows = await q.pageById(db, userId, byId)
  const ids = rows.map(({ id }) => id)
  const [calendars, occurrences, invitations] = await Promise.all([
    calendarsFor(db, userId),
    q.occurrencesOf(db, ids),
    invitationsTo(db, config.timeZone, userId, ids),
  ])
  const differing = Map.groupBy(occurrences, ({ eventId }) => eventId)
  const invited = Map.groupBy(invitations, ({ event_id }) => event_id)
  const pause = pauses(clock)
  const views: ExportedEventView[] = []
  for (const event of rows) {
    const seen = accessTo(calendars, event, null)
    if (!seen) continue
    const { overrides, exceptions } = await toDifferences(config.timeZone, seen, {
      rows: differing.get(event.id) ?? [],
      answers: new Map(),
      pause,
    })
    views.push({
      ...toView(config.timeZone, seen),
      overrides,
      exceptions,
      invitations: invited.get(event.id) ?? [],
    })
  }
  return views
}

/** An event as one user sees it, and the calendar that contains it; null if the user sees it by invitation only. */
interface PlacedEvent {
  readonly calendarId: number | null
  readonly view: WholeEventView
}

/** Returns those of these events that the user sees, all as they are at one moment, by id. */
export async function viewEvents(
  deps: WriteDeps,
  userId: number,
  ids: readonly number[],
): Promise<PlacedEvent[]> {
  return toPlaced(deps, userId, await inSnapshot(deps.db, (tx) => load(tx, deps, userId, ids)))
}

/**
 * Returns a page of the calendar's events and series, unexpanded, by id.
 * @throws {AppError} 404 unless the user sees the calendar, 422 for a cursor of another list.
 */
export async function listCalendarEvents(
  deps: WriteDeps,
  userId: number,
  calendarId: number,
  query: WholeEventsQuery,
): Promise<WholeEventsPage> {
  const { limit, after = [0] } = readPage(query, isIdKey)
  const { loaded, next_cursor } = await inSnapshot(deps.db, async (tx) => {
    const { id } = visibleCalendar(await calendarsFor(tx, userId), calendarId)
    const rows = await q.idsInCalendar(tx, id, { afterId: after[0], limit: limit + 1 })
    const paged = toFittingPage(rows, limit, (row) => [row.id])
    const ids = paged.page.map((row) => row.id)
    return { loaded: await load(tx, deps, userId, ids), next_cursor: paged.next_cursor }
  })
  const events = await toPlaced(deps, userId, loaded)
  return { events: events.map(({ view }) => view), next_cursor }
}

/** The events, and all that their views are made of. */
async function load(
  tx: Tx,
  { config }: Pick<WriteDeps, 'config'>,
  userId: number,
  wanted: readonly number[],
) {
  const rows = await q.listNamed(tx, userId, wanted)
  const ids = rows.map(({ event }) => event.id)
  return {
    rows,
    calendars: await calendarsFor(tx, userId),
    occurrences: await q.occurrencesOf(tx, ids),
    invitations: await invitationsTo(tx, config.timeZone, userId, ids),
  }
}

async function toPlaced(
  { config: { timeZone: zone }, clock }: Pick<WriteDeps, 'config' | 'clock'>,
  userId: number,
  { rows, calendars, occurrences, invitations }: Awaited<ReturnType<typeof load>>,
): Promise<PlacedEvent[]> {
  const differing = Map.groupBy(occurrences, ({ eventId }) => eventId)
  const invited = Map.groupBy(invitations, ({ event_id }) => event_id)
  const pause = pauses(clock)
  const events: PlacedEvent[] = []
  for (const { event, invitation } of rows) {
    const seen = accessTo(calendars, event, invitation)
    if (!seen) continue
    const all = invited.get(event.id) ?? []
    const own = all.filter(({ user_id }) => user_id === userId)
    const answers = own.flatMap(({ occurrence_responses }) => occurrence_responses)
    const { overrides, exceptions } = await toDifferences(zone, seen, {
      rows: differing.get(event.id) ?? [],
      answers: new Map(answers.map(({ occurrence_start, response }) => [occurrence_start, response])),
      pause,
    })
    events.push({
      calendarId: seen.home && seen.home.id,
      view: {
        ...withoutCalendar(toView(zone, seen)),
        overrides: overrides.map(withoutCalendar),
        exceptions,
        invitations: seen.access === 'owner' ? all : own,
      },
    })
  }
  return events
}

const withoutCalendar = ({
  calendar_name: _name,
  calendar_color: _color,
  access: _access,
  ...view
}: EventView): BareEventView => view

interface Differing {
  readonly rows: readonly OccurrenceRow[]
  /** What the reader has answered, by original start. */
  readonly answers: ReadonlyMap<string, InvitationResponse>
  readonly pause: () => Promise<void>
}

/** The changed occurrences of a series, and the original starts of its exceptions. */
async function toDifferences(zone: string, seen: EventAccess, { rows, answers, pause }: Differing) {
  const first = timesOf(seen.event)
  const overrides: EventView[] = []
  const exceptions: string[] = []
  for (const row of rows) {
    const override = overrideFor(seen, row)
    if (!override) continue
    const original = timesAt(first, wallFromText(override.occurrenceStart))
    const start = formatStart(zone, original)
    if (override.isCancelled) exceptions.push(start)
    else overrides.push(toView(zone, seen, { original, override, response: answers.get(start) }))
    await pause()
  }
  return { overrides, exceptions }
}

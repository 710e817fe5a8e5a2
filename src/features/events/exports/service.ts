import type { Deps } from '../../../deps'
import { pauses } from '../../../lib/pauses'
import type { PageById } from '../../../lib/wire/page'
import { wallFromText } from '../../../lib/time/wall-time'
import { calendarsFor } from '../../../access/calendars/service'
import { invitationsTo } from '../invitations/service'
import { timesAt } from '../events/rules.times'
import { accessTo, type EventAccess, timesOf, toView } from '../events/service.views'
import type { EventView } from '../events/model'
import type { ExportedEventView } from './model'
import * as q from './queries'

type OccurrenceRow = Awaited<ReturnType<typeof q.occurrencesOf>>[number]

/** Returns a page of the events in the user's calendars, by id, with overrides, exceptions and invitations. */
export async function pageEventsById(
  deps: Pick<Deps, 'db' | 'config' | 'clock'>,
  userId: number,
  byId: PageById,
): Promise<ExportedEventView[]> {
  const { db, config, clock } = deps
  const rows = await q.pageById(db, userId, byId)
  const ids = rows.map(({ id }) => id)
  const [calendars, occurrences, invitations] = await Promise.all([
    calendarsFor(db, userId),
    q.occurrencesOf(db, ids),
    invitationsTo(deps, userId, ids),
  ])
  const differing = Map.groupBy(occurrences, ({ eventId }) => eventId)
  const invited = Map.groupBy(invitations, ({ event_id }) => event_id)
  const pause = pauses(clock)
  const views: ExportedEventView[] = []
  for (const event of rows) {
    const seen = accessTo(calendars, event, null)
    if (!seen) continue
    views.push({
      ...toView(config.timeZone, seen),
      ...(await toDifferences(config.timeZone, seen, differing.get(event.id) ?? [], pause)),
      invitations: invited.get(event.id) ?? [],
    })
  }
  return views
}

/** The changed occurrences of a series, and the original starts of its exceptions. */
async function toDifferences(
  zone: string,
  seen: EventAccess,
  rows: readonly OccurrenceRow[],
  pause: () => Promise<void>,
) {
  const first = timesOf(seen.event)
  const views: Array<{ isCancelled: boolean; view: EventView }> = []
  for (const override of rows) {
    const original = timesAt(first, wallFromText(override.occurrenceStart))
    views.push({ isCancelled: override.isCancelled, view: toView(zone, seen, { original, override }) })
    await pause()
  }
  return {
    overrides: views.flatMap(({ isCancelled, view }) => (isCancelled ? [] : [view])),
    exceptions: views.flatMap(({ isCancelled, view }) => (isCancelled ? (view.occurrence_start ?? []) : [])),
  }
}

import type { Deps } from '../../../deps'
import type { PageById } from '../../../lib/wire/page'
import { wallFromText } from '../../../lib/time/wall-time'
import { calendarsFor } from '../../../access/calendars/service'
import { invitationsTo } from '../invitations/service'
import { timesAt } from '../events/rules.times'
import { accessTo, type EventAccess, timesOf, toView } from '../events/service'
import type { ExportedEventView } from './model'
import * as q from './queries'

type OccurrenceRow = Awaited<ReturnType<typeof q.occurrencesOf>>[number]

/** Returns a page of the events in the user's calendars, by id, with overrides, exceptions and invitations. */
export async function pageEventsById(
  deps: Pick<Deps, 'db' | 'config'>,
  userId: number,
  byId: PageById,
): Promise<ExportedEventView[]> {
  const { db, config } = deps
  const rows = await q.pageById(db, userId, byId)
  const ids = rows.map(({ id }) => id)
  const [calendars, occurrences, invitations] = await Promise.all([
    calendarsFor(db, userId),
    q.occurrencesOf(db, ids),
    invitationsTo(deps, userId, ids),
  ])
  const differing = Map.groupBy(occurrences, ({ eventId }) => eventId)
  const invited = Map.groupBy(invitations, ({ event_id }) => event_id)
  return rows.flatMap((event) => {
    const seen = accessTo(calendars, event, null)
    if (!seen) return []
    return [
      {
        ...toView(config.timeZone, seen),
        ...toDifferences(config.timeZone, seen, differing.get(event.id) ?? []),
        invitations: invited.get(event.id) ?? [],
      },
    ]
  })
}

/** The changed occurrences of a series, and the original starts of its exceptions. */
function toDifferences(zone: string, seen: EventAccess, rows: readonly OccurrenceRow[]) {
  const first = timesOf(seen.event)
  const views = rows.map((override) => {
    const original = timesAt(first, wallFromText(override.occurrenceStart))
    return { isCancelled: override.isCancelled, view: toView(zone, seen, { original, override }) }
  })
  return {
    overrides: views.flatMap(({ isCancelled, view }) => (isCancelled ? [] : [view])),
    exceptions: views.flatMap(({ isCancelled, view }) => (isCancelled ? (view.occurrence_start ?? []) : [])),
  }
}

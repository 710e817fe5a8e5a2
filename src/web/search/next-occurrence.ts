import type { EventView } from '../../features/events/events/model'
import { call, pathOf, queryOf } from '../api/call'
import { eventAddress } from '../app/addresses'
import { readEvent } from '../store/read-event'
import { today } from '../time/now'

interface Occurrences {
  readonly occurrences: readonly EventView[]
}

/** How far ahead a series is asked, in days: most come again soon, and a window spans at most 400 days. */
const AHEAD_DAYS = [31, 400]

/** An event that was found, as it comes next: of a series the occurrence of today or later, else its first one. @throws {RefusedError} 404. */
export async function readNext(id: number, zone: string): Promise<EventView> {
  const event = await readEvent(id)
  if (event.recurrence_rule === null) return event
  const day = today(zone)
  for (const days of AHEAD_DAYS) {
    const window = queryOf({ from: day.toString(), to: day.add({ days }).toString() })
    const { body } = await call<Occurrences>('GET', `${pathOf`events/${id}/occurrences`}${window}`)
    const next = body.occurrences[0]
    if (next) return next
  }
  return event
}

/** Where an event is opened at its occurrence. */
export const addressOfEvent = ({ id, occurrence_start: at }: EventView): string =>
  eventAddress(id ?? 0, at ?? undefined)

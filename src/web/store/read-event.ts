import type { EventView } from '../../features/events/events/model'
import { call, pathOf, queryOf } from '../api/call'
import { RefusedError, UNREACHABLE } from '../api/refusal'

interface EventOccurrences {
  readonly occurrences: readonly EventView[]
}

/** How far an occurrence may have been moved and is still found; a window spans at most 400 days. */
const REACH_DAYS = [1, 199]

/** Reads an event; with `at`, one occurrence by its original start. @throws {RefusedError} 404 when there is none such. */
export async function readEventAt(id: number, at: string | undefined): Promise<EventView> {
  const found = at === undefined ? await readEvent(id) : await readOccurrence(id, at)
  if (!found) throw new RefusedError({ ...UNREACHABLE, status: 404 })
  return found
}

/** Reads an event; of a series its first occurrence with the rule. @throws {RefusedError} 404. */
export const readEvent = (id: number): Promise<EventView> =>
  call<EventView>('GET', pathOf`events/${id}`).then(({ body }) => body)

/**
 * Reads one occurrence of a series by its original start; undefined when the series has none such.
 * @throws {RefusedError} 404 when there is no such event.
 */
async function readOccurrence(id: number, start: string): Promise<EventView | undefined> {
  const day = Temporal.PlainDate.from(start.slice(0, 10))
  for (const days of REACH_DAYS) {
    const window = queryOf({
      from: day.subtract({ days }).toString(),
      to: day.add({ days: days + 1 }).toString(),
      include_declined: 'true',
    })
    const { body } = await call<EventOccurrences>('GET', `${pathOf`events/${id}/occurrences`}${window}`)
    const found = body.occurrences.find((each) => isSameStart(each.occurrence_start, start))
    if (found) return found
  }
  return undefined
}

function isSameStart(named: string | null, start: string): boolean {
  if (named === null || named === start) return named === start
  try {
    return Temporal.Instant.from(named).equals(Temporal.Instant.from(start))
  } catch {
    return false
  }
}

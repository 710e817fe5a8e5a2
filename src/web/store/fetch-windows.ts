import type { EventView } from '../../features/events/events/model'
import type { EventsView } from '../../features/events/windows/model'
import { call, queryOf } from '../api/call'
import { refusalOf } from '../api/refusal'

/** Days of events, mostly a month, as the service expanded them. */
export interface MonthCopy {
  readonly items: readonly EventView[]
  readonly asOf: string
  readonly isTruncated: boolean
}

type EventWindow = (typeof EventsView)['static']

/** Asks for a window; one that is too full is asked for in halves. */
export async function fetchWindows(from: Temporal.PlainDate, to: Temporal.PlainDate): Promise<EventWindow[]> {
  const days = from.until(to).days
  try {
    const query = queryOf({ from: from.toString(), to: to.toString(), include_declined: 'true' })
    return [(await call<EventWindow>('GET', `events${query}`)).body]
  } catch (error) {
    const isTooFull = refusalOf(error)?.status === 422
    if (!isTooFull || days < 2) throw error
    const middle = from.add({ days: Math.floor(days / 2) })
    return (await Promise.all([fetchWindows(from, middle), fetchWindows(middle, to)])).flat()
  }
}

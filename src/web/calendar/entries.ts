import type { EventView } from '../../features/events/events/model'
import { dateAt, readDate } from '../time/days'

const DAY_MS = 86_400_000
const EPOCH = Temporal.PlainDate.from('1970-01-01')

/** An occurrence as the views place it. */
export interface CalendarEntry {
  /** Names the occurrence in this page. */
  readonly key: string
  readonly event: EventView
  /** In epoch milliseconds; of an all-day event the bounds of its days in UTC, which only order it. */
  readonly startMs: number
  readonly endMs: number
  /** Local days since 1970 that it covers, both included. */
  readonly firstDay: number
  readonly lastDay: number
  /** Whether it is drawn as a bar over whole days: all-day events, and those of 24 hours or more. */
  readonly isBar: boolean
}

/** The number of a day; consecutive days have consecutive numbers. */
export const dayNumber = (date: Temporal.PlainDate): number => EPOCH.until(date).days

export const dayOfNumber = (day: number): Temporal.PlainDate => EPOCH.add({ days: day })

/** Names an event by its id. */
type IdKey = (id: number) => string

/** TimeReading the times of thousands of events takes longer than a frame, so that each is read once. */
const kept = new WeakMap<EventView, { readonly zone: string; readonly entry: CalendarEntry | undefined }>()

function keptEntry(event: EventView, zone: string, idKey: IdKey): CalendarEntry | undefined {
  const known = kept.get(event)
  if (known?.zone === zone) return known.entry
  const entry = entryOf(event, zone, keyOf(event, idKey))
  kept.set(event, { zone, entry })
  return entry
}

/** Occurrences in the user's zone, in the order in which they begin; what has no times is left out. */
export function entriesOf(
  events: readonly EventView[],
  zone: string,
  idKey: IdKey,
): readonly CalendarEntry[] {
  return events
    .flatMap((event) => keptEntry(event, zone, idKey) ?? [])
    .toSorted((a, b) => a.firstDay - b.firstDay || Number(b.isBar) - Number(a.isBar) || a.startMs - b.startMs)
}

function entryOf(event: EventView, zone: string, key: string): CalendarEntry | undefined {
  if (event.all_day) {
    const first = readDate(event.start_date ?? '')
    const last = readDate(event.end_date ?? '')
    if (!first || !last) return undefined
    const [firstDay, lastDay] = [dayNumber(first), dayNumber(last)]
    return {
      key,
      event,
      firstDay,
      lastDay,
      isBar: true,
      startMs: firstDay * DAY_MS,
      endMs: (lastDay + 1) * DAY_MS,
    }
  }
  if (event.start_at === null || event.end_at === null) return undefined
  const start = Temporal.Instant.from(event.start_at)
  const end = Temporal.Instant.from(event.end_at)
  const [startMs, endMs] = [start.epochMilliseconds, end.epochMilliseconds]
  // An event that ends at midnight does not touch the day that begins then.
  const lastMoment = endMs > startMs ? end.subtract({ milliseconds: 1 }) : end
  return {
    key,
    event,
    startMs,
    endMs,
    firstDay: dayNumber(dateAt(start, zone)),
    lastDay: dayNumber(dateAt(lastMoment, zone)),
    isBar: endMs - startMs >= DAY_MS,
  }
}

/** A birthday has no id, but only one name on one day. */
const keyOf = ({ id, occurrence_start, title, start_date }: EventView, idKey: IdKey) =>
  id === null ? `birthday ${title} ${start_date}` : `${idKey(id)} ${occurrence_start ?? ''}`

/** Whether it repeats, so that a change must say which occurrences it concerns. */
export const repeats = ({ occurrence_start }: EventView): boolean => occurrence_start !== null

/** Whether the user may move or delete it. */
export const mayChange = ({ access, is_virtual, my_invitation }: EventView): boolean =>
  !is_virtual && my_invitation === null && access !== 'read'

import { dayNumber, dayOfNumber, type CalendarEntry } from '../entries'
import { dateAt } from '../../time/days'
import type { NewTimes } from '../writes'

export const QUARTER_MINUTES = 15
const MINUTE_MS = 60_000

/** Times that an event would get if one let go now. */
export type Draft =
  | { readonly is: 'timed'; readonly startMs: number; readonly endMs: number }
  /** Local days since 1970, both included. */
  | { readonly is: 'days'; readonly firstDay: number; readonly lastDay: number }

export const draftOf = ({ event, startMs, endMs, firstDay, lastDay }: CalendarEntry): Draft =>
  event.all_day ? { is: 'days', firstDay, lastDay } : { is: 'timed', startMs, endMs }

/** By how much something moves. */
export interface Shift {
  readonly days?: number
  /** As time really passes; ignored where only days count. */
  readonly minutes?: number
}

/** Days are those of the calendar: 09:00 stays 09:00, also when the clocks change in between. */
function shifted(atMs: number, { days = 0, minutes = 0 }: Shift, zone: string): number {
  const at = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(zone).add({ days })
  return at.epochMilliseconds + minutes * MINUTE_MS
}

/** The same length at another time. */
export function moved(draft: Draft, shift: Shift, zone: string): Draft {
  if (draft.is === 'days') {
    const { days = 0 } = shift
    return { is: 'days', firstDay: draft.firstDay + days, lastDay: draft.lastDay + days }
  }
  const startMs = shifted(draft.startMs, shift, zone)
  return { is: 'timed', startMs, endMs: startMs + (draft.endMs - draft.startMs) }
}

/** The same start with another end, which stays a quarter of an hour behind it at least. */
export function stretched(draft: Draft, shift: Shift, zone: string): Draft {
  if (draft.is === 'days')
    return { ...draft, lastDay: Math.max(draft.firstDay, draft.lastDay + (shift.days ?? 0)) }
  return endingAt(draft, shifted(draft.endMs, shift, zone))
}

export const endingAt = (draft: Extract<Draft, { is: 'timed' }>, endMs: number): Draft => ({
  ...draft,
  endMs: Math.max(endMs, draft.startMs + QUARTER_MINUTES * MINUTE_MS),
})

/** The first and the last local day that a draft covers. */
export function daysOf(draft: Draft, zone: string): readonly [number, number] {
  if (draft.is === 'days') return [draft.firstDay, draft.lastDay]
  const day = (ms: number) => dayNumber(dateAt(Temporal.Instant.fromEpochMilliseconds(ms), zone))
  return [day(draft.startMs), day(Math.max(draft.startMs, draft.endMs - 1))]
}

const text = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toString()

/** The draft as the service takes it. */
export function timesOfDraft(draft: Draft): NewTimes {
  if (draft.is === 'days')
    return {
      start_date: dayOfNumber(draft.firstDay).toString(),
      end_date: dayOfNumber(draft.lastDay).toString(),
    }
  return { start_at: text(draft.startMs), end_at: text(draft.endMs) }
}

/** The entry as it would be, to name it. */
export function drafted(entry: CalendarEntry, draft: Draft, zone: string): CalendarEntry {
  const [firstDay, lastDay] = daysOf(draft, zone)
  return {
    ...entry,
    firstDay,
    lastDay,
    ...(draft.is === 'timed' && { startMs: draft.startMs, endMs: draft.endMs }),
  }
}

export const isSame = (a: Draft, b: Draft): boolean => JSON.stringify(a) === JSON.stringify(b)

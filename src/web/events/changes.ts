import type { EventChanges, NewEvent } from '../../features/events/events/model'

const TIMED = ['all_day', 'start_at', 'end_at', 'time_zone'] as const
const WHOLE = ['all_day', 'start_date', 'end_date'] as const
const TIMES: ReadonlySet<keyof NewEvent> = new Set([...TIMED, ...WHOLE])
const OTHERS = [
  'title',
  'calendar_id',
  'recurrence_rule',
  'location',
  'description',
  'reminder_minutes',
  'visibility',
] as const

/** Parts of an event that are changed as a whole. */
export type EventPart = 'times' | (typeof OTHERS)[number]
export const EVENT_PARTS: readonly EventPart[] = ['times', ...OTHERS]

/** The parts in which two states of an event differ. */
export function changedParts(before: NewEvent, after: NewEvent): readonly EventPart[] {
  const differs = (name: keyof NewEvent) => (before[name] ?? null) !== (after[name] ?? null)
  return [...([...TIMES].some(differs) ? (['times'] as const) : []), ...OTHERS.filter(differs)]
}

/** The request that changes just these parts; times go together, as they have a meaning only so. */
export function changesOf(after: EventChanges, parts: readonly EventPart[]): EventChanges {
  const names = parts.flatMap((part) =>
    part === 'times' ? (after.all_day === true ? WHOLE : TIMED) : ([part] as const),
  )
  return Object.fromEntries(names.map((name) => [name, after[name]]))
}

/** What belongs to a series as a whole, and cannot be that of one occurrence. */
export function isOfSeries(before: NewEvent, after: NewEvent): boolean {
  const shared = ['recurrence_rule', 'calendar_id', 'all_day', 'time_zone', 'visibility'] as const
  return shared.some((name) => (before[name] ?? null) !== (after[name] ?? null))
}

import { isInstantKey } from '../../../lib/wire/page'

/** Sorts after every moment. */
const NO_MOMENT = 'infinity'

/** A row's place in the list: its moment in ISO 8601, and its id to break ties. */
export type ReminderKey = readonly [moment: string, id: number]

interface SortedReminder {
  readonly id: number
  readonly remindAt: Date | null
  readonly snoozedUntil: Date | null
}

export const keyOf = ({ id, remindAt, snoozedUntil }: SortedReminder): ReminderKey => [
  (snoozedUntil ?? remindAt)?.toISOString() ?? NO_MOMENT,
  id,
]

export const isKey = (key: unknown): key is ReminderKey =>
  isInstantKey(key) ||
  (Array.isArray(key) && key[0] === NO_MOMENT && isInstantKey([new Date(0).toISOString(), ...key.slice(1)]))

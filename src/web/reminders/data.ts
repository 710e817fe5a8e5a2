import { useMemo } from 'react'
import type { ReminderView } from '../../features/tasks/reminders/model'
import type { ListItem } from '../parts/list-item'
import { byAge } from '../store/ranks'
import { useKeys, useRecords } from '../store/use-store'
import { useMinute } from '../time/use-now'

/** The groups of the list, in its order. */
const GROUPS = ['due', 'upcoming', 'snoozed', 'timeless', 'inactive', 'dismissed'] as const
export type ReminderGroup = (typeof GROUPS)[number]

/** When a reminder speaks up, in ISO 8601; null where it has no time. */
export const momentOf = ({ snoozed_until: snoozed, remind_at: at }: ReminderView): string | null =>
  snoozed ?? at

/** In epoch milliseconds. */
const momentMs = (reminder: ReminderView): number | undefined => {
  const moment = momentOf(reminder)
  return moment === null ? undefined : Temporal.Instant.from(moment).epochMilliseconds
}

/** Where a reminder stands at an instant, in epoch milliseconds; the states are those of the service. */
export function groupOf(reminder: ReminderView, nowMs: number): ReminderGroup {
  const moment = momentMs(reminder)
  if (!reminder.is_active) return 'inactive'
  if (reminder.is_dismissed) return 'dismissed'
  if (moment === undefined) return 'timeless'
  if (moment <= nowMs) return 'due'
  return reminder.snoozed_until === null ? 'upcoming' : 'snoozed'
}

/** A line of the list. */
export interface ReminderItem extends ListItem {
  readonly reminder: ReminderView
  readonly group: ReminderGroup
  /** How many the group has, on its first line. */
  readonly opens: number | undefined
}

/** The reminders by group: the next ones first, those that are done from the latest back. */
function inGroups(
  reminders: readonly ReminderView[],
  nowMs: number,
  keyOf: (id: number) => string,
): readonly ReminderItem[] {
  const placed = reminders.map((reminder) => ({
    reminder,
    group: groupOf(reminder, nowMs),
    moment: momentMs(reminder) ?? 0,
  }))
  return GROUPS.flatMap((group) => {
    const direction = group === 'dismissed' ? -1 : 1
    const lines = placed
      .filter((each) => each.group === group)
      .toSorted((a, b) => direction * (a.moment - b.moment) || byAge(a.reminder, b.reminder))
    return lines.map(({ reminder }, index) => ({
      key: keyOf(reminder.id),
      reminder,
      group,
      opens: index === 0 ? lines.length : undefined,
    }))
  })
}

/** All reminders in their groups, which change as time goes by. */
export function useReminders() {
  const { items, loading } = useRecords('reminder')
  const keyOf = useKeys('reminder')
  const minute = useMinute()
  const lines = useMemo(() => inGroups(items, minute, keyOf), [items, minute, keyOf])
  return { reminders: items, lines, loading }
}

/** The reminders that are due now, longest ago first. */
export function useDueReminders() {
  const { lines, loading } = useReminders()
  const due = useMemo(
    () => lines.flatMap(({ group, reminder }) => (group === 'due' ? [reminder] : [])),
    [lines],
  )
  return { due, loading }
}

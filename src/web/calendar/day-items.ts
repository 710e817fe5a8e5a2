import { readDate } from '../time/days'
import type { DueItem } from './data'
import { dayNumber, type CalendarEntry } from './entries'

/** What stands in a row of days: an occurrence, or a todo or task on the day on which it is due. */
export type DayItem =
  | {
      readonly is: 'entry'
      readonly entry: CalendarEntry
      readonly firstDay: number
      readonly lastDay: number
    }
  | { readonly is: 'due'; readonly due: DueItem; readonly firstDay: number; readonly lastDay: number }

const ofDue = (due: DueItem): readonly DayItem[] => {
  const date = readDate(due.date)
  if (!date) return []
  const day = dayNumber(date)
  return [{ is: 'due', due, firstDay: day, lastDay: day }]
}

/** What stands above the hours: bars, then todos and tasks. */
export const itemsAboveHours = (
  entries: readonly CalendarEntry[],
  due: readonly DueItem[],
): readonly DayItem[] => [
  ...entries
    .filter(({ isBar }) => isBar)
    .map((entry) => ({ is: 'entry' as const, entry, firstDay: entry.firstDay, lastDay: entry.lastDay })),
  ...due.flatMap(ofDue),
]

/** What stands in a month: everything; what merely passes midnight is shown where it begins. */
export const itemsOfMonth = (
  entries: readonly CalendarEntry[],
  due: readonly DueItem[],
): readonly DayItem[] => [
  ...entries.map((entry) => ({
    is: 'entry' as const,
    entry,
    firstDay: entry.firstDay,
    lastDay: entry.isBar ? entry.lastDay : entry.firstDay,
  })),
  ...due.flatMap(ofDue),
]

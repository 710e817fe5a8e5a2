import type { CalendarEntry } from '../entries'

/** One day of the agenda with what happens in it. */
export interface AgendaDay {
  readonly day: number
  /** What begins on this day, or did before the first day that is shown. */
  readonly entries: readonly CalendarEntry[]
  /** What goes on since an earlier day that is shown. */
  readonly ongoing: readonly CalendarEntry[]
}

/** Groups occurrences by day. Days without any are left out, but for those asked for. */
export function agendaDays(
  entries: readonly CalendarEntry[],
  {
    firstDay,
    days,
    always,
  }: { readonly firstDay: number; readonly days: number; readonly always: ReadonlySet<number> },
): readonly AgendaDay[] {
  return Array.from({ length: days }, (_, index) => firstDay + index)
    .map((day) => {
      const covering = entries.filter((entry) => entry.firstDay <= day && entry.lastDay >= day)
      const begins = (entry: CalendarEntry) => Math.max(entry.firstDay, firstDay) === day
      return { day, entries: covering.filter(begins), ongoing: covering.filter((entry) => !begins(entry)) }
    })
    .filter((shown) => always.has(shown.day) || shown.entries.length > 0 || shown.ongoing.length > 0)
}

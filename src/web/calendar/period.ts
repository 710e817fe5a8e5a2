import type { View } from '../app/addresses'
import { daysFrom, monthWeeks, weekStart } from '../time/days'
import { fullDate, monthTitle, periodTitle } from '../time/format'

const NARROW_WEEK_DAYS = 3

/** What one page of the calendar shows. */
export interface Period {
  readonly view: View
  /** The date of the address. */
  readonly date: Temporal.PlainDate
  readonly first: Temporal.PlainDate
  /** Exclusive. */
  readonly end: Temporal.PlainDate
  readonly days: readonly Temporal.PlainDate[]
}

interface Screen {
  readonly firstDay: number
  /** On a phone a week is three days. */
  readonly isNarrow: boolean
  /** How many days the agenda shows. */
  readonly agendaDays: number
}

/** The days that a view shows around a date. */
export function periodOf(view: View, date: Temporal.PlainDate, screen: Screen): Period {
  const [first, count] = rangeOf(view, date, screen)
  return { view, date, first, end: first.add({ days: count }), days: daysFrom(first, count) }
}

function rangeOf(view: View, date: Temporal.PlainDate, { firstDay, isNarrow, agendaDays }: Screen) {
  switch (view) {
    case 'day':
      return [date, 1] as const
    case 'week':
      return isNarrow ? ([date, NARROW_WEEK_DAYS] as const) : ([weekStart(date, firstDay), 7] as const)
    case 'month': {
      const weeks = monthWeeks(date, firstDay)
      return [weeks[0] ?? date, weeks.length * 7] as const
    }
    case 'agenda':
      return [date, agendaDays] as const
  }
}

/** The heading of a period. */
export function titleOf({ view, date, first, end }: Period, locale: string): string {
  if (view === 'day') return fullDate(date, locale)
  if (view === 'month') return monthTitle(date, locale)
  return periodTitle(first, end.subtract({ days: 1 }), locale)
}

/** The date of the period before (-1) or after (1). */
export function stepped({ view, date, days }: Period, by: 1 | -1): Temporal.PlainDate {
  if (view === 'month') return date.with({ day: 1 }).add({ months: by })
  return date.add({ days: by * (view === 'agenda' ? 7 : days.length) })
}

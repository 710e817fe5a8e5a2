import { type AppError, conflict, type FieldProblem, invalid } from '../../../lib/errors'
import type { Texts } from '../events/rules.texts'

/** The most occurrences of an event that may differ from it or be left out. Events of before may have more. */
export const MAX_OVERRIDES = 1000

/** 409 for an event of which so many differ or are left out already. */
export const refusalOfNumber = (overrides: number): AppError | undefined =>
  overrides >= MAX_OVERRIDES
    ? conflict(`An event can have at most ${MAX_OVERRIDES} changed or deleted occurrences`)
    : undefined

/** What an occurrence has for itself. */
export interface Own {
  readonly changes: Partial<Texts>
  readonly startAt: Date | null
  readonly endAt: Date | null
  readonly startDate: string | null
  readonly endDate: string | null
}

/** Of an occurrence whose times are those of the series. */
export const NO_TIMES = { startAt: null, endAt: null, startDate: null, endDate: null }

/** Whether the occurrence differs from its series; an exception does anyway. */
export const saysAnything = ({ changes, startAt, startDate }: Own): boolean =>
  startAt !== null || startDate !== null || Object.keys(changes).length > 0

/** What all occurrences of a series have in common. */
interface Common {
  readonly recurrence_rule: string | null
  readonly all_day: boolean
  readonly time_zone: string | null
  /** Whether the series is in that calendar: who is also invited knows two of them. */
  readonly isIn: (calendarId: number) => boolean
}

type Given = Partial<Omit<Common, 'isIn'>> & { readonly calendar_id?: number }

/**
 * 422 for what one occurrence cannot have for itself; undefined where there is nothing of it: who sends back what they read
 * changes nothing.
 */
export function refusalOfOverride(given: Given, series: Common): AppError | undefined {
  const { recurrence_rule: rule, calendar_id: calendarId, all_day: allDay, time_zone: zone } = given
  const isOther = {
    recurrence_rule: rule !== undefined && rule !== series.recurrence_rule,
    calendar_id: calendarId !== undefined && !series.isIn(calendarId),
    all_day: allDay !== undefined && allDay !== series.all_day,
    time_zone: !series.all_day && zone != null && zone !== series.time_zone,
  }
  const problems = Object.entries(isOther)
    .filter(([, isRefused]) => isRefused)
    .map(([field]): FieldProblem => ({ field: `body.${field}`, message: 'belongs to the whole series' }))
  return problems.length > 0 ? invalid(problems) : undefined
}

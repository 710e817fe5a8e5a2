import { type AppError, conflict, type FieldProblem, invalid } from '../../../lib/errors'
import type { Texts } from '../events/rules.texts'
import type { Visibility } from '../events/rules.visibility'

/** The most overrides and exceptions of an event. Events from before this limit may have more. */
export const MAX_OVERRIDES = 1000

/** Returns a 409 when the event already has the most overrides and exceptions. */
export const refusalOfNumber = (overrides: number): AppError | undefined =>
  overrides >= MAX_OVERRIDES
    ? conflict(`An event can have at most ${MAX_OVERRIDES} changed or deleted occurrences`)
    : undefined

/** The differences of an occurrence from its series. */
export interface Own {
  readonly changes: Partial<Texts>
  readonly startAt: Date | null
  readonly endAt: Date | null
  readonly startDate: string | null
  readonly endDate: string | null
}

/** The override keeps the times of the series. */
export const NO_TIMES = { startAt: null, endAt: null, startDate: null, endDate: null }

/** Whether an override differs from its series. An exception always does. */
export const saysAnything = ({ changes, startAt, startDate }: Own): boolean =>
  startAt !== null || startDate !== null || Object.keys(changes).length > 0

/** The values that all occurrences of a series share. */
interface Common {
  readonly recurrence_rule: string | null
  readonly all_day: boolean
  readonly time_zone: string | null
  readonly visibility: Visibility
  /** Whether the series is in that calendar: for an invitee it may be in two. */
  readonly isIn: (calendarId: number) => boolean
}

type Given = Partial<Omit<Common, 'isIn'>> & { readonly calendar_id?: number }

/**
 * Returns a 422 when the change sets a field that one occurrence cannot have of its own. A client may send back the values it
 * has read.
 */
export function refusalOfOverride(given: Given, series: Common): AppError | undefined {
  const { recurrence_rule: rule, calendar_id: calendarId, all_day: allDay, time_zone: zone } = given
  const isOther = {
    recurrence_rule: rule !== undefined && rule !== series.recurrence_rule,
    calendar_id: calendarId !== undefined && !series.isIn(calendarId),
    all_day: allDay !== undefined && allDay !== series.all_day,
    visibility: given.visibility !== undefined && given.visibility !== series.visibility,
    time_zone: !series.all_day && zone != null && zone !== series.time_zone,
  }
  const problems = Object.entries(isOther)
    .filter(([, isRefused]) => isRefused)
    .map(([field]): FieldProblem => ({ field: `body.${field}`, message: 'belongs to the whole series' }))
  return problems.length > 0 ? invalid(problems) : undefined
}

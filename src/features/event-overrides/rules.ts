import { type AppError, type FieldProblem, invalid } from '../../lib/errors'
import type { Texts } from '../events/rules.texts'

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

const OF_THE_SERIES = ['recurrence_rule', 'calendar_id', 'all_day'] as const

/** What all occurrences of a series have in common. */
interface Common {
  readonly recurrence_rule: string | null
  readonly calendar_id: number | undefined
  readonly all_day: boolean
  readonly time_zone: string | null
}

/**
 * 422 for what one occurrence cannot have for itself; undefined where there is nothing of it: who sends back what they read
 * changes nothing.
 */
export function refusalOfOverride(changes: Partial<Common>, series: Common): AppError | undefined {
  const fields: string[] = OF_THE_SERIES.filter(
    (field) => changes[field] !== undefined && changes[field] !== series[field],
  )
  const { all_day: allDay, time_zone: zone } = series
  if (!allDay && changes.time_zone != null && changes.time_zone !== zone) fields.push('time_zone')
  const problems = fields.map((field): FieldProblem => ({
    field: `body.${field}`,
    message: 'belongs to the whole series',
  }))
  return problems.length > 0 ? invalid(problems) : undefined
}

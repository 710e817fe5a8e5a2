import { type AppError, type FieldProblem, invalid } from '../../lib/errors'
import type { Times } from '../events/rules.times'

const OF_THE_SERIES = ['recurrence_rule', 'calendar_id', 'all_day'] as const

interface Wish {
  readonly recurrence_rule?: string | null
  readonly calendar_id?: number
  readonly all_day?: boolean
  readonly time_zone?: string | null
}

/** 422 for what one occurrence cannot have for itself; undefined where there is nothing of it. */
export function refusalOfOverride(changes: Wish, { allDay, ...first }: Times): AppError | undefined {
  const fields: string[] = OF_THE_SERIES.filter((field) => changes[field] !== undefined)
  const zone = 'timeZone' in first ? first.timeZone : null
  if (!allDay && changes.time_zone != null && changes.time_zone !== zone) fields.push('time_zone')
  const problems = fields.map((field): FieldProblem => ({
    field: `body.${field}`,
    message: 'belongs to the whole series',
  }))
  return problems.length > 0 ? invalid(problems) : undefined
}

import { readGivenRule, readRule, refusalOfRule } from '../events/rules.recurrence'

const FIRST_DAY = '1900-01-01'
const FIRST_INSTANT = new Date(`${FIRST_DAY}T00:00:00Z`)
/** A template has no times, so its rule is checked against the earliest times an event can have. */
const EARLIEST = {
  day: { allDay: true, startDate: FIRST_DAY, endDate: FIRST_DAY },
  instant: {
    allDay: false,
    startAt: FIRST_INSTANT,
    endAt: FIRST_INSTANT,
    startWall: FIRST_INSTANT.getTime(),
    timeZone: 'UTC',
  },
} as const

/**
 * Returns the rule as it is stored.
 * @throws {AppError} 422 when no such event could have it; dense rules are kept if already `stored`.
 */
export function readTemplateRule(text: string, allDay: boolean, stored: string | null): string {
  const value = text.replace(/^RRULE:/i, '')
  const rule = value === stored ? readRule(value) : readGivenRule(value)
  const refusal = refusalOfRule(allDay ? EARLIEST.day : EARLIEST.instant, rule)
  if (refusal) throw refusal
  return value
}

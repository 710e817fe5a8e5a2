import { isId } from '../../lib/id'
import { isStorable } from '../../lib/text'
import { readRule, refusalOfRule } from '../events/rules.recurrence'

/** A row's place in the list: its name as it is sorted, and its id among equals. */
export type TemplateKey = readonly [name: string, id: number]

export const isTemplateKey = (key: unknown): key is TemplateKey =>
  Array.isArray(key) && key.length === 2 && typeof key[0] === 'string' && isStorable(key[0]) && isId(key[1])

const FIRST_DAY = '1900-01-01'
const FIRST_INSTANT = new Date(`${FIRST_DAY}T00:00:00Z`)
/** A template has no times: its rule is judged from the earliest ones that an event can have. */
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

/** The rule as it is stored. @throws {AppError} 422 for one that no such event could have. */
export function readTemplateRule(text: string, allDay: boolean): string {
  const value = text.replace(/^RRULE:/i, '')
  const refusal = refusalOfRule(allDay ? EARLIEST.day : EARLIEST.instant, readRule(value))
  if (refusal) throw refusal
  return value
}

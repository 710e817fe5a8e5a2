import { cut } from '../../lib/text'
import { formatInstant, parseDateTime } from '../../lib/time/time'

/** A record as an assistant is told of it: one shape for all kinds, with the fields of the API. Fields without a value are absent. */
export interface AssistantItem {
  readonly type: string
  readonly id: number | null
  readonly version?: number
  readonly [field: string]: unknown
}

/** A text that somebody else wrote, which is data and no instruction (contract: assistants.untrusted). */
export interface UntrustedText {
  readonly untrusted: string
  /** The network name of who may have written it. */
  readonly by: string
}

/** The longest text that an assistant is told, in code points. */
const LONGEST = 500

/** The beginning of a text, with `…` where it is cut. */
export function beginningOf(text: string, most = LONGEST): string {
  const beginning = cut(text, most)
  return beginning.length < text.length ? `${cut(text, most - 1)}…` : beginning
}

/** A text as an assistant is told it; `by` is null for the user's own. */
export function told(text: string | null, by: string | null): string | UntrustedText | null {
  if (text === null || text === '') return null
  return by === null ? beginningOf(text) : { untrusted: beginningOf(text), by }
}

export const isUntrusted = (value: unknown): value is UntrustedText =>
  typeof value === 'object' && value !== null && 'untrusted' in value

/** The fields that have a value. */
export const present = (fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined))

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

/** The English name of the weekday of a day or a date-time. */
export const weekdayOf = (text: string | null): string | null =>
  text === null ? null : (WEEKDAYS[Temporal.PlainDate.from(text.slice(0, 10)).dayOfWeek - 1] ?? null)

/** A date-time of a view with the offset of another zone. */
export function inZone(zone: string, text: string | null): string | null {
  const instant = text === null ? undefined : parseDateTime(zone, text)
  return instant ? formatInstant(zone, instant) : null
}

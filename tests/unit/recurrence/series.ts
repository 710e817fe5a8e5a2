import { parseRule } from '../../../src/lib/recurrence/grammar'
import {
  allDaySeries,
  occurrencesBetween,
  type Series,
  timedSeries,
} from '../../../src/lib/recurrence/recurrence'
import type { Rule } from '../../../src/lib/recurrence/rule'

export function readRule(text: string): Rule {
  const parsed = parseRule(text)
  if ('problem' in parsed) throw new Error(`${text} ${parsed.problem}`)
  return parsed.rule
}

/** The instant of a wall time such as `2026-03-29T02:30`. */
export const at = (zone: string, wall: string): Date =>
  new Date(Temporal.PlainDateTime.from(wall).toZonedDateTime(zone).epochMilliseconds)

/** The wall time of an instant, to the minute where it has no seconds. */
const wallAt = (zone: string, instant: Date): string =>
  Temporal.Instant.fromEpochMilliseconds(instant.getTime())
    .toZonedDateTimeISO(zone)
    .toPlainDateTime()
    .toString()
    .replace(/:00$/, '')

export const timed = (zone: string, start: string, rule: string): Series<Date> =>
  timedSeries(at(zone, start), zone, readRule(rule))

export const ALWAYS = [new Date('1899-12-01'), new Date('2202-01-01')] as const

/** The first `limit` starts as wall times of `zone`. */
export const starts = (zone: string, start: string, rule: string, limit: number): string[] =>
  occurrencesBetween(timed(zone, start, rule), ...ALWAYS, limit).map((instant) => wallAt(zone, instant))

/** The first `limit` days of an all-day series. */
export const days = (start: string, rule: string, limit: number): string[] =>
  occurrencesBetween(allDaySeries(start, readRule(rule)), '1900-01-01', '2202-01-01', limit)
